"""Who may see and do what: headers, forms of other sites, sessions, tokens, rates, other teams, hidden references."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import random
import re
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from anyio import to_thread
from fastapi.testclient import TestClient
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError

from board import making
from board.serving import Served
from gecval.board import access, accounts, clock
from gecval.board.database import Database, open_database
from gecval.board.database.models import Attempt, Team, Token, User, WebSession
from gecval.board.errors import ForbiddenError
from gecval.board.web import app, health, request, security
from gecval.board.web.app import make_app
from gecval.board.web.security import POLICY, SESSION


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """SQLite alone: who may do what is not decided in the database."""
    opened = open_database(f"sqlite:///{tmp_path / 'board.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture
def served(database, settings) -> Served:
    return Served(database, settings)


def token_of(served: Served, name: str, scope: str) -> dict[str, str]:
    with served.database.write() as session:
        user = session.scalar(select(User).where(User.name == name))
        secret = accounts.make_token(session, user, name="t", scope=scope, days=1)
    return {"Authorization": f"Bearer {secret}"}


def upload(served: Served, address: str, headers: dict[str, str], *, system: str = "mine"):
    files = {"file": ("mine.txt", making.GOOD.encode())}
    path = f"/api/benchmarks/{address}/submissions"
    return served.browser().client.post(path, data={"system": system}, files=files, headers=headers)


def test_every_answer_has_a_strict_policy(served) -> None:
    browser = served.browser()
    for path in ("/", "/login", "/nothing", "/api/benchmarks", "/static/board.js", "/b/none"):
        answer = browser.client.get(path)
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bon\w+=|style=", browser.get("/login"))


def test_head_is_answered_as_get_without_the_body(served) -> None:
    served.benchmark()
    client = served.browser("anna").client
    for path in ("/", "/b/small", "/b/none", "/healthz", "/api/benchmarks", "/static/board.js"):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.headers["content-security-policy"] == POLICY


def test_a_form_without_files_is_small(served) -> None:
    client = served.browser().client
    for path in ("/login", "/signup", "/b/small/settings", "/account/teams"):
        assert client.post(path, content=b"x" * 1_000_001).status_code == 413
        assert client.post(path, content=b"x" * 1_000_000).status_code != 413
    assert client.post("/new", content=b"x" * 1_000_001).status_code != 413


def test_there_is_no_paired_test_with_the_reference(served) -> None:
    served.benchmark()
    anna = served.browser("anna")
    anna.submit("small")
    served.work()
    lines = anna.client.get("/api/benchmarks/small/leaderboard").json()["lines"]
    ids = {line["system"]: line["system_id"] for line in lines}
    for one, other in (("mine", "(reference)"), ("(reference)", "mine")):
        page = anna.get(f"/b/small/systems/{ids[one]}/against?other={ids[other]}", 400)
        assert "(reference) is scored on fewer references than the others" in page
        assert f'value="{ids[other]}"' not in anna.get(f"/b/small/systems/{ids[one]}")
    assert f'value="{ids["(source)"]}"' in anna.get(f"/b/small/systems/{ids['mine']}")


def test_a_form_of_another_site_or_browser_is_refused(served) -> None:
    anna, ben = served.browser("anna"), served.browser("ben")
    given = {"name": "evil"}
    assert anna.client.post("/account/teams", data=given).status_code == 403
    assert anna.client.post("/account/teams", data={**given, "csrf": ben.token("/account")}).status_code == 403
    right = {**given, "csrf": anna.token("/account")}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        assert anna.client.post("/account/teams", data=right, headers=headers).status_code == 403
    assert "evil" not in anna.get("/account")
    assert anna.client.post("/account/teams", data=right, headers={"Origin": "http://localhost"}).status_code == 303


def test_a_planted_session_is_worth_nothing(served) -> None:
    browser = served.browser()
    browser.client.cookies.set(SESSION, "planted")
    browser.send("/login", {"name": "anna", "password": making.PASSWORD}, form="/login")
    cookie = browser.client.cookies.get(SESSION, domain="localhost.local") or ""
    assert cookie != "planted"
    stranger = served.browser()
    stranger.client.cookies.set(SESSION, "planted")
    assert "Log in" in stranger.get("/")
    with served.database.read() as session:
        assert all(row.hash != cookie for row in session.scalars(select(WebSession)))


def test_cookies_are_out_of_reach_of_scripts(database, settings) -> None:
    from dataclasses import replace

    served = Served(database, replace(settings, secure=True))
    browser = served.browser()
    set_cookie = browser.client.get("/login").headers["set-cookie"]
    assert "HttpOnly" in set_cookie
    assert "SameSite=lax" in set_cookie
    assert "Secure" in set_cookie


def test_logging_out_ends_the_session_on_the_server(served) -> None:
    anna = served.browser("anna")
    kept = dict(anna.client.cookies)
    anna.send("/logout", {})
    again = served.browser()
    for name, value in kept.items():
        again.client.cookies.set(name, value)
    again.get("/account", 303)


def test_guessing_a_password_is_slowed_down(served) -> None:
    browser = served.browser()
    for _ in range(served.settings.logins):
        answer = browser.send("/login", {"name": "anna", "password": "wrong wrong"}, form="/login")
        assert answer.status_code == 401
    right = {"name": "anna", "password": making.PASSWORD}
    assert browser.send("/login", right, form="/login").status_code == 429
    assert served.browser("ben")


def test_a_new_password_ends_all_other_sessions(served) -> None:
    anna, elsewhere = served.browser("anna"), served.browser("anna")
    new = {"old": making.PASSWORD, "new": "another long password"}
    assert anna.send("/account/password", {**new, "old": "wrong wrong"}).status_code == 403
    assert anna.send("/account/password", {**new, "new": "short"}).status_code == 400
    assert anna.send("/account/password", new).status_code == 303
    anna.get("/account")
    elsewhere.get("/account", 303)
    again = served.browser()
    given = {"name": "anna", "password": making.PASSWORD}
    assert again.send("/login", given, form="/login").status_code == 401
    assert again.send("/login", {**given, "password": new["new"]}, form="/login").status_code == 303


def test_passwords_and_secrets_are_stored_hashed(served) -> None:
    headers = token_of(served, "anna", "read")
    with served.database.read() as session:
        assert session.scalar(select(User.password).limit(1)).startswith("$argon2id$")
        assert session.scalar(select(Token.hash)) not in headers["Authorization"]


def test_a_token_does_what_its_scope_says_and_no_more(served) -> None:
    address = served.benchmark()
    assert upload(served, address, {}).status_code == 403
    assert upload(served, address, {"Authorization": "Bearer nonsense"}).status_code == 403
    assert "scope submit" in upload(served, address, token_of(served, "anna", "read")).json()["error"]
    assert upload(served, address, token_of(served, "anna", "submit")).status_code == 201
    with pytest.raises(ForbiddenError):
        token_of(served, "anna", "organise")


def test_an_expired_or_revoked_token_is_refused(served, monkeypatch) -> None:
    address = served.benchmark()
    headers = token_of(served, "anna", "submit")
    later = clock.now() + 2 * clock.DAY
    with monkeypatch.context() as patch:
        patch.setattr(clock, "read_clock", lambda: later)
        assert upload(served, address, headers).status_code == 403
    anna = served.browser("anna")
    token = re.search(r"/account/tokens/(\w+)/revoke", anna.get("/account"))[1]
    ben = served.browser("ben")
    assert ben.send(f"/account/tokens/{token}/revoke", {}).status_code == 404
    anna.send(f"/account/tokens/{token}/revoke", {})
    assert upload(served, address, headers).status_code == 403


def test_another_teams_submission_is_not_there(served) -> None:
    address = served.benchmark()
    anna, ben = served.browser("anna"), served.browser("ben")
    page = anna.submit(address).headers["location"]
    for path in (page, f"{page}/status", f"{page}/output"):
        ben.get(path, 404)
        served.browser().get(path, 404)
    for action in ("withdraw", "delete", "undo", "choose"):
        assert ben.send(f"{page}/{action}", {}).status_code == 404
    served.work()
    ben.get(page)
    assert ben.send(f"{page}/withdraw", {}).status_code == 403
    assert ben.send(f"{page}/retry", {}).status_code == 403
    other = served.benchmark(name="Other")
    ben.get(page.replace(f"/b/{address}/", f"/b/{other}/"), 404)


def test_private_and_unlisted_benchmarks(served) -> None:
    private = served.benchmark(name="Private", visibility="private")
    link = served.benchmark(name="Unlisted", visibility="link")
    anna, olga = served.browser("anna"), served.browser("olga")
    for path in (f"/b/{private}", f"/b/{private}/submit", f"/b/{private}/files/src.txt", "/b/unlisted"):
        anna.get(path, 404)
    anna.get(f"/b/{link}")
    assert "Private" not in anna.get("/")
    assert "Unlisted" not in anna.get("/")
    assert "Unlisted" in olga.get("/")
    settings = f"/b/{private}/settings"
    anna.get(settings, 403)
    team = re.search(r'name="admitted" value="(\w+)"> team anna', olga.get(settings))[1]
    olga.send(settings, {"visibility": "private", "admitted": team}, form=settings)
    anna.get(f"/b/{private}")
    served.browser("ben").get(f"/b/{private}", 404)
    anna.send("/account/teams", {"name": "brand new"})  # a team of an admitted person is not admitted for that
    with served.database.read() as session:
        new = session.scalar(select(Team.id).where(Team.name == "brand new"))
    answers = [
        anna.send(
            f"/b/{private}/submit",
            {"system": "s", "team": chosen},
            form=f"/b/{private}/submit",
            files={"file": ("o.txt", making.GOOD.encode(), "text/plain")},
        )
        for chosen in (new, team)
    ]
    assert [answer.status_code for answer in answers] == [403, 303]
    assert "this team is not admitted to Private" in answers[0].text


def test_hidden_references_stay_hidden(served) -> None:
    address = served.benchmark(data=making.small_data(hidden=True, metrics="gleu, errant"))
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    visitor = served.browser()
    board = visitor.client.get(f"/api/benchmarks/{address}/leaderboard").json()
    lines = {line["system"]: line for line in board["lines"]}
    for line in lines.values():
        for cell in line["cells"].values():
            score = cell["score"]
            assert (score["parts"], score["command"], score["notes"]) == ({}, None, [])
            assert round(score["score"], 3) == score["score"]
            assert "references:hidden" in score["signature"]
    texts = [
        visitor.get(f"/b/{address}"),
        anna.get(page),
        anna.get(f"/b/{address}/systems/{lines['mine']['system_id']}"),
        anna.get(f"/b/{address}/systems/{lines['mine']['system_id']}/sentences"),
        anna.get(f"/b/{address}/systems/{lines['mine']['system_id']}/against?other={lines['(source)']['system_id']}"),
        anna.get(f"/b/{address}/leaderboard.csv"),
        json.dumps(board),
    ]
    for text in texts:
        for secret in ("She likes an apple", "likes apples", "ref0.txt"):
            assert secret not in text
        assert not re.search(r'precision"?:? ?[0-9]', text)  # the word explains GLEU
    assert "I has two cat ." in texts[3]
    assert "By type of error" not in texts[2]
    anna.get(f"/b/{address}/files/ref0.txt", 404)
    # The decoy made of references would give them away.
    decoy = lines["(reference)"]
    anna.get(f"/b/{address}/submissions/{decoy['submission_id']}/output", 404)
    anna.get(f"/b/{address}/systems/{decoy['system_id']}/sentences", 404)
    olga = served.browser("olga")
    assert olga.client.get(f"/b/{address}/files/ref0.txt").text == making.FIRST
    assert "precision" in olga.get(f"/b/{address}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x1f\x8b" + b"0" * 100, "is compressed"),
        (b"PK\x03\x04" + b"0" * 100, "is compressed"),
        (b"", "is empty"),
        (b"a\0b\n" * 4, "NUL"),
        (b"x" * 3000, "has more than 2000 bytes"),
    ],
)
def test_what_is_no_text_is_refused(database, settings, content: bytes, reason: str) -> None:
    from dataclasses import replace

    served = Served(database, replace(settings, max_upload=2000))
    address = served.benchmark()
    headers = token_of(served, "anna", "submit")
    path = f"/api/benchmarks/{address}/submissions"
    client = served.browser().client
    answer = client.post(path, data={"system": "x"}, files={"file": ("x.gz", io.BytesIO(content))}, headers=headers)
    assert answer.status_code == 400
    assert reason in answer.json()["error"]
    huge = client.post(path, data={"system": "x"}, files={"file": ("x", b"y" * 30_000)}, headers=headers)
    assert huge.status_code == 413


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..", "a/b\\c", "<script>.txt", "x" * 1_000_000, "\u202e.txt", ""]
)
def test_odd_names_are_tamed(served, name: str) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    headers = token_of(served, "anna", "submit")
    client = served.browser().client
    files = {"file": (name[:200] or "x", making.GOOD.encode())}
    path = f"/api/benchmarks/{address}/submissions"
    answer = client.post(path, data={"system": name}, files=files, headers=headers)
    assert answer.status_code in (201, 400, 422), answer.text[:200]
    if answer.status_code == 201:
        page = f"/b/{address}/submissions/{answer.json()['id']}"
        assert "<script>." not in anna.get(page)
        saved = anna.client.get(f"{page}/output")
        assert re.fullmatch(r'attachment; filename="[\w.-]+"', saved.headers["content-disposition"])
        assert saved.headers["content-type"] == "text/plain; charset=utf-8"
        assert "sandbox" in saved.headers["content-security-policy"]


def test_a_spreadsheet_runs_nothing(served) -> None:
    address = served.benchmark()
    served.browser("anna").submit(address, system="=HYPERLINK(1)")
    served.work()
    assert "\n'=HYPERLINK(1)," in served.browser().client.get(f"/b/{address}/leaderboard.csv").text.replace("\r", "")


@pytest.mark.parametrize(
    "metric",
    [
        "os:system",
        "from-file(/etc/passwd)",
        "errant(model='gold.m2')",
        "FROM_FILE('names')",
        "interpolated(gleu, from_file('names'), 0.5)",
        "llm-judge(model='x')",
        "llm_judge(model='x')",
        "gotoscorer(pool='names')",
        "perplexity('/tmp/model')",
        "errant(weights='prices')",
        "errant(resources='folder')",
        "errant(words='names')",
        "errant(parses=('names',))",
        "weighted(errant(weights='prices'))",
        "interpolated(gleu, 'OS':system, 0.5)",
        "interpolated(gleu, OS:SYSTEM, 0.5)",
        "nothing",
        "",
    ],
)
def test_a_benchmark_runs_nobodys_code_and_reads_nobodys_files(served, metric: str) -> None:
    files = [("source", ("s.txt", making.SOURCE.encode())), ("public", ("r.txt", making.FIRST.encode()))]
    answer = served.browser("olga").send("/new", {"name": "Evil", "metrics": metric}, form="/new", files=files)
    assert answer.status_code == 400
    assert "Evil" not in served.browser("olga").get("/")


def test_only_organisers_organise(served) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    for path in ("/new", "/people", "/audit", f"/b/{address}/settings"):
        anna.get(path, 403)
        served.browser().get(path, 303)
    for path in ("/new", "/people", f"/b/{address}/settings", f"/b/{address}/versions", f"/b/{address}/phases"):
        assert anna.send(path, {"name": "x", "metrics": "gleu"}).status_code == 403


def test_what_was_done_is_in_the_audit_log(served) -> None:
    address = served.benchmark()
    served.browser("anna").submit(address)
    log = served.browser("olga").get("/audit")
    for action in ("log in", "submit", "make benchmark", "make team"):
        assert f'<td data-label="What">{action}</td>' in log
    assert making.PASSWORD not in log


def test_a_judge_does_not_submit(served) -> None:
    address = served.benchmark()
    with served.database.write() as session:
        judge = making.user(session, served.settings, "judy", "judge")
        accounts.make_team(session, "judges", judge)
    assert served.browser("judy").submit(address).status_code == 403


def test_log_ins_wait_for_each_other_and_nobody_else_does(served) -> None:
    """Passwords are looked at while no transaction is open, in a thread or two of their own."""
    browsers = [served.browser() for _ in range(30)]
    tokens = [browser.token("/login") for browser in browsers]
    hashing, free = threading.Event(), threading.Event()
    fits = accounts.password_fits

    def slowly(*given: object, **more: object) -> bool:
        hashing.set()
        assert free.wait(60)
        return fits(*given, **more)

    def guess(number: int) -> int:
        data = {"csrf": tokens[number], "name": f"nobody{number}", "password": "wrong wrong"}
        return browsers[number].client.post("/login", data=data).status_code

    with ThreadPoolExecutor(30) as threads, pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "password_fits", slowly)
        answers = [threads.submit(guess, number) for number in range(30)]
        assert hashing.wait(60)
        assert served.browser().client.get("/healthz").status_code == 200
        with served.database.write() as session:  # the log-ins hold no lock
            accounts.invite(session, role="judge", days=1)
        free.set()
        assert [answer.result() for answer in answers] == [401] * 30


def test_health_waits_for_no_thread_of_requests(served, monkeypatch) -> None:
    """All threads that answer requests are busy; a database that hangs is asked once, and reported."""
    assert inspect.iscoroutinefunction(app.healthz)
    asked, free = [], threading.Event()
    real = Database.read

    def hang(self: Database) -> object:
        asked.append(1)
        assert free.wait(60)
        return real(self)

    async def ask(count: int) -> list[tuple[int, str]]:
        to_thread.current_default_thread_limiter().total_tokens = 1
        busy = asyncio.create_task(to_thread.run_sync(free.wait, 60))
        await asyncio.sleep(0)
        transport = httpx.ASGITransport(app=served.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answers = await asyncio.gather(*(client.get("/healthz") for _ in range(count)))
        assert not busy.done()
        free.set()
        return [(answer.status_code, answer.json()["status"]) for answer in answers]

    assert asyncio.run(ask(3)) == [(200, "ok")] * 3
    free.clear()
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    monkeypatch.setattr(Database, "read", hang)
    assert asyncio.run(ask(3)) == [(503, "the database does not answer")] * 3
    assert len(asked) == 1


def test_guesses_at_the_same_moment_count(served) -> None:
    limit = served.settings.logins
    browsers = [served.browser() for _ in range(2 * limit)]
    tokens = [browser.token("/login") for browser in browsers]

    def guess(number: int) -> int:
        data = {"csrf": tokens[number], "name": "anna", "password": "wrong wrong"}
        return browsers[number].client.post("/login", data=data).status_code

    with ThreadPoolExecutor(2 * limit) as threads:
        answers = sorted(threads.map(guess, range(2 * limit)))
    assert answers == [401] * limit + [429] * limit


def test_a_log_in_that_succeeds_is_not_counted(served) -> None:
    for _ in range(served.settings.logins + 1):
        served.browser("anna")
    with served.database.read() as session:
        assert session.scalars(select(Attempt)).all() == []


def test_more_log_ins_than_can_wait_are_refused(served, monkeypatch) -> None:
    monkeypatch.setattr(security, "MAX_WAITING", 0)
    served.app.state.hashing = security.Hashing()
    browser = served.browser()
    answer = browser.send("/login", {"name": "anna", "password": making.PASSWORD}, form="/login")
    assert (answer.status_code, "many people log in at this moment" in answer.text) == (503, True)


def test_the_board_answers_under_its_own_names(database, settings) -> None:
    """A link in an invitation begins with the name that was asked for, so a stranger must not choose it."""

    def ask(asked: str, path: str = "/login", **options: object) -> int:
        app = make_app(replace(settings, **options), database)
        return TestClient(app).get(path, headers={"Host": asked}).status_code

    for host in ("localhost", "127.0.0.1:8017", "[::1]:8017"):
        assert ask(host) == 200
    for host in ("evil.example", "", "[", "localhost.evil.example"):
        assert ask(host) == 400
    assert ask("evil.example", "/healthz") == 200
    known = {"host": "0.0.0.0", "address": "https://board.example.org"}
    assert (ask("board.example.org", **known), ask("evil.example", **known)) == (200, 400)
    assert ask("any.example", host="0.0.0.0") == 200  # its name cannot be known


def test_links_begin_with_the_address_of_the_board(database, settings) -> None:
    served = Served(database, replace(settings, address="https://board.example.org"))
    page = served.browser("olga").send("/people", {"role": "judge"}).text
    assert re.search(r">https://board\.example\.org/join/[\w-]{43}<", page)


@pytest.mark.parametrize("path", ["/login", "/api/benchmarks"])
def test_a_full_disk_is_named(served, monkeypatch, path: str) -> None:
    served.browser()
    client = TestClient(served.app, base_url="http://localhost", raise_server_exceptions=False)

    def full(*_: object, **__: object) -> None:
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(access, "select", full)
    monkeypatch.setattr(request, "find_session_viewer", full)
    client.cookies.set(SESSION, "any")
    assert client.get("/healthz").status_code == 200
    answer = client.get(path)
    assert (answer.status_code, "the disk of the board is full" in answer.text) == (507, True)
    health = client.get("/healthz")
    assert (health.status_code, health.json()) == (503, {"status": "the disk is full"})


def test_little_space_is_no_health(served, monkeypatch) -> None:
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: SimpleNamespace(free=49_999_999))
    assert served.browser().client.get("/healthz").json() == {"status": "the disk is full"}


def test_a_database_that_can_grow_no_more(served) -> None:
    """SQLite itself says so here."""
    address = served.benchmark()
    anna = served.browser("anna")
    page = f"/b/{address}/submit"
    token = anna.token(page)
    served.database.engine.dispose()

    def stop(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA max_page_count=1")  # no more than there are

    event.listen(served.database.engine, "connect", stop)
    lines = "".join(f"{random.Random(1).random()} {number}\n" for number in range(4))
    data = {"csrf": token, "system": "mine", "paper": "x" * 400}
    answers = []
    for number in range(60):
        files = {"file": ("mine.txt", f"{number}{lines}".encode())}
        answers.append(anna.client.post(page, data=data, files=files))
        if answers[-1].status_code == 507:
            break
    assert "the disk of the board is full" in answers[-1].text
    assert anna.client.get("/healthz").status_code == 503


def test_an_output_much_larger_than_its_source_is_refused(served) -> None:
    address = served.benchmark()
    letters = sum(map(len, making.SOURCE.splitlines()))
    bound = 100_000 + 20 * letters
    anna = served.browser("anna")
    lines = making.GOOD.splitlines()
    long = "\n".join([*lines[:3], lines[3] + " ?" * bound])
    assert f"mine.txt has {len(long)} bytes; for this source, an output has at most {bound}" in (
        anna.submit(address, text=long).text
    )
