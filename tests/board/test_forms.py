"""What people do through pages and programs through the API: every form and call once, and what comes of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from sqlalchemy import select

from board import making
from board.serving import ORIGIN, Served
from gecval.board import accounts, clock
from gecval.board.database.models import Detail, Invitation, Job, Submission, System, User
from gecval.board.database.storage import list_entries
from gecval.board.settings import SOFTWARE
from gecval.board.web.security import HEADERS, SESSION, VISITOR, Guard
from gecval.studies.scores.by_type import TypeScores


@pytest.fixture
def served(on_sqlite, settings) -> Served:
    return Served(on_sqlite, settings)


def token_of(served: Served, name: str, scope: str = "submit") -> dict[str, str]:
    with served.database.write() as session:
        user = session.scalar(select(User).where(User.name == name))
        return {"Authorization": f"Bearer {accounts.make_token(session, user, name='t', scope=scope, days=1)}"}


def link_in(page: str) -> str:
    return re.search(r'<code class="command">http://localhost(/join/[\w-]+)</code>', page)[1]


def test_an_organiser_invites_people(served) -> None:
    olga = served.browser("olga")
    assert (
        "role is organiser, participant, judge; not &#39;god&#39;"
        in olga.send("/people", {"role": "god"}, form="/people").text
    )
    link = link_in(olga.send("/people", {"role": "judge"}, form="/people").text)
    with served.database.read() as session:
        row = session.scalars(select(Invitation)).one()
        assert row.expires - row.created == pytest.approx(14 * clock.DAY, abs=60)
    visitor = served.browser()
    assert "Become a judge" in visitor.get(link)
    assert 'name="team"' not in visitor.get(link)
    given = {"name": "judy", "password": making.PASSWORD}
    assert visitor.send(link, {**given, "name": "olga"}, form=link).status_code == 400
    answer = visitor.send(link, {**given, "password": "short", "name": "j" * 81}, form=link)
    assert (answer.status_code, f'value="{"j" * 80}"' in answer.text) == (400, True)
    answer = visitor.send(link, given, form=link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "judge" in visitor.get("/account")
    assert visitor.send(link, given).status_code == 404  # it was used
    assert "Log out" in served.browser("judy").get("/")


def test_a_member_invites_to_a_team(served) -> None:
    anna, ben = served.browser("anna"), served.browser("ben")
    page = anna.get("/account")
    action = re.search(r'action="(/account/teams/\w+/invite)"', page)[1]
    assert ben.send(action, {}).status_code == 404
    first, second = (link_in(anna.send(action, {}).text) for _ in range(2))
    assert "Join team anna" in ben.get(first)
    answer = ben.send(first, {}, form=first)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert "team anna" in ben.get("/account")
    stranger = served.browser()
    assert "You will be in the team team anna." in stranger.get(second)
    bad = stranger.send(second, {"name": "carl", "password": "short", "team": "x"}, form=second)
    assert "You will be in the team team anna." in bad.text
    assert stranger.send(second, {"name": "carl", "password": making.PASSWORD}, form=second).status_code == 303
    assert "team anna" in stranger.get("/account")
    with served.database.write() as session:
        third = accounts.invite(session, role="participant", days=1)
    assert "Sign up" in ben.get(f"/join/{third}")  # it makes an account, and he has one
    assert ben.send(f"/join/{third}", {}, form="/account").status_code == 403
    page = served.browser()
    bad = page.send(f"/join/{third}", {"name": "dora", "password": "short", "team": "t" * 81}, form=f"/join/{third}")
    assert f'name="team" value="{"t" * 80}"' in bad.text


def test_a_sign_up_that_is_refused_keeps_what_was_written(on_sqlite, settings) -> None:
    served = Served(on_sqlite, replace(settings, open_signup=True))
    visitor = served.browser()
    assert 'href="/signup"' in visitor.get("/")
    given = {"name": "n" * 81, "password": "short", "team": "t" * 81}
    answer = visitor.send("/signup", given, form="/signup")
    assert answer.status_code == 400
    assert f'name="name" value="{"n" * 80}"' in answer.text
    assert f'name="team" value="{"t" * 80}"' in answer.text
    answer = visitor.send("/signup", {"name": "carl", "password": making.PASSWORD, "team": " "}, form="/signup")
    assert answer.status_code == 303
    assert "You are in no team" in visitor.get("/account")


def test_cookies_of_log_in_and_out(served) -> None:
    browser = served.browser()
    first = browser.client.get("/login")
    assert first.headers["set-cookie"].startswith(f"{VISITOR}=")
    assert len(browser.client.cookies[VISITOR]) == 22  # 16 random bytes
    assert "set-cookie" not in browser.client.get("/login").headers
    wrong = browser.send("/login", {"name": "a" * 81, "password": "x"}, form="/login")
    assert (wrong.status_code, f'value="{"a" * 80}"' in wrong.text) == (401, True)
    entered = browser.send("/login", {"name": "anna", "password": making.PASSWORD}, form="/login")
    cookies = entered.headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == [SESSION, VISITOR]
    assert "Max-Age=1209600; Path=/; SameSite=lax" in cookies[0]  # 14 days
    assert "Max-Age=0" in cookies[1]
    assert "Secure" not in cookies[0]
    assert "set-cookie" not in browser.client.get("/").headers
    left = browser.send("/logout", {})
    assert left.headers["location"] == "/"
    cookies = left.headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == [SESSION, VISITOR]
    assert all("Max-Age=0" in cookie for cookie in cookies)
    changed = served.browser("anna").send("/account/password", {"old": making.PASSWORD, "new": "another password"})
    assert changed.headers["set-cookie"].startswith(f"{SESSION}=")
    assert "Max-Age=1209600" in changed.headers["set-cookie"]


def test_a_new_password_is_guessed_at_in_vain(served) -> None:
    anna = served.browser("anna")
    answers = [anna.send("/account/password", {"old": "wrong", "new": "another password"}) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [403] * 10 + [429]


def test_tokens_on_the_account_page(served) -> None:
    anna = served.browser("anna")
    shown = anna.send("/account/tokens", {"name": "laptop"}).text
    secret = re.search(r"gecval_[\w-]{43}", shown)[0]
    assert "laptop <small>submit, until " in shown
    assert secret not in anna.get("/account")
    client = served.browser().client
    headers = {"Authorization": f"bearer  {secret} "}
    assert client.get("/api/benchmarks", headers=headers).status_code == 200
    answer = client.get("/api/benchmarks", headers={"Authorization": f"Basic {secret}"})
    assert (answer.status_code, answer.json()["error"]) == (403, "show a token: Authorization: Bearer gecval_...")
    with served.database.read() as session:
        token = accounts.list_tokens(session, session.scalar(select(User).where(User.name == "anna")))[0]
        assert token.expires - token.created == pytest.approx(90 * clock.DAY, abs=60)


def test_a_submission_through_the_api(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    client, headers = served.browser().client, token_of(served, "anna")
    path = f"/api/benchmarks/{address}/submissions"
    files = {"file": ("mine.txt", making.GOOD.encode())}
    sent = client.post(path, data={"system": "mine", "seen": "no", "size": "7B"}, files=files, headers=headers)
    assert sent.status_code == 201
    told = sent.json()
    assert (told["state"], told["place"], told["wait"], told["kept_back"]) == ("queued", 1, None, False)
    assert (told["system"], told["team"], told["sheet"]) == ("mine", "team anna", {"size": "7B", "seen": "no"})
    page = f"{path}/{told['id']}"
    assert client.get(page).status_code == 404
    for action, state in (("withdraw", "withdrawn"), ("undo", "queued")):
        answer = client.post(f"{page}/{action}", headers=headers)
        assert (answer.status_code, answer.json()["state"]) == (200, state)
        assert (answer.json()["withdrawn"] is None) == (action == "undo")
    with served.database.write() as session:
        job = session.scalars(select(Job)).one()
        job.state, job.log = "failed", "it broke"
    assert client.get(page, headers=headers).json()["log"] == "it broke"
    assert client.get(page, headers=token_of(served, "olga", "organise")).json()["log"] == "it broke"
    with served.database.write() as session:
        session.scalars(select(Job)).one().state = "done"
    stranger = client.get(page).json()
    assert (stranger["state"], stranger["log"]) == ("done", "")
    listed = client.get("/api/benchmarks").json()["benchmarks"]
    assert [(row["address"], row["version"], row["hidden"]) for row in listed] == [("small", 1, False)]
    assert listed[0]["files"] == ["src.txt", "ref0.txt", "ref1.txt"]
    jobs = client.get("/api/queue").json()
    assert jobs["jobs"] == {"done": 1}
    assert client.get(f"/api/benchmarks/{address}/leaderboard?version=7").json()["error"] == "there is no such version"
    assert client.get(f"/api/benchmarks/{address}/leaderboard?phase=x").json()["error"] == "there is no such phase"


def test_how_long_a_submission_waits(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    anna = served.browser("anna")
    anna.submit(address)
    served.work()
    pages = [anna.submit(address, system=name).headers["location"] for name in ("second", "third")]
    with served.database.write() as session:
        done = session.scalars(select(Job).where(Job.state == "done")).one()
        done.started, done.finished = 100.0, 104.0
    for number, page in enumerate(pages, start=1):
        wait = f"Waiting: number {number} in the queue, about {4 * number} seconds."
        assert wait in anna.get(page)
        assert wait in anna.get(f"{page}/status")
        assert "<html" not in anna.get(f"{page}/status")
    with served.database.write() as session:
        job = session.scalars(select(Job).where(Job.state == "queued")).first()
        job.state, job.log = "failed", "RuntimeError: it broke"
        failed = f"/b/{address}/submissions/{job.submission_id}"
    assert "RuntimeError: it broke" in anna.get(failed)
    assert "Score it again" not in anna.get(failed)
    olga = served.browser("olga")
    assert "Score it again" in olga.get(failed)
    assert olga.send(f"/b/{address}/submissions/none/retry", {}).status_code == 404
    other = served.benchmark(name="Other")
    assert olga.send(failed.replace(address, other, 1) + "/retry", {}).status_code == 404
    again = olga.send(f"{failed}/retry", {})
    assert (again.status_code, again.headers["location"]) == (303, failed)
    with served.database.read() as session:
        assert set(session.scalars(select(Job.state).where(Job.submission_id == failed.rpartition("/")[2]))) == {
            "queued"
        }
        assert next((row.actor, row.action) for row in list_entries(session)) == ("olga", "retry")


def test_what_an_owner_does_with_a_submission(served) -> None:
    address = served.benchmark(rule="chosen")
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    assert "Choose for the leaderboard" in anna.get(page)
    for action, place in (("choose", page), ("withdraw", page), ("undo", page)):
        assert anna.send(f"{page}/{action}", {}, form=page).headers["location"] == place
    assert "Choose for the leaderboard" not in anna.get(page)
    assert anna.send(f"{page}/burn", {}, form=page).status_code == 404


def test_who_deletes_is_asked_told_what_happens_and_can_undo_it(served) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    asked = anna.get(page)
    question = asked.index("<summary>Delete it …</summary>")  # the button is behind it
    assert question < asked.index("For 30 days you can bring it back from this page.") < asked.index("Delete mine.txt")
    assert anna.send(f"{page}/delete", {}, form=page).headers["location"] == page
    deleted = anna.get(page)
    assert "Then its file and its scores are deleted for good." in deleted
    assert "Delete mine.txt" not in deleted
    for other in (served.browser(), served.browser("ben")):
        other.get(page, 404)
        assert "mine" not in other.get(f"/b/{address}")
    assert "Bring it back" in deleted
    assert anna.send(f"{page}/undo", {}, form=page).status_code == 303
    assert "mine" in served.browser().get(f"/b/{address}")


def test_what_a_form_says_of_a_file(served) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    form = f"/b/{address}/submit"
    given = {"system": "s" * 81, "size": "7B", "seen": "no"}
    without = anna.send(form, given, form=form)
    assert (without.status_code, "choose a file first" in without.text) == (400, True)
    assert f'value="{"s" * 80}"' in without.text
    assert 'value="7B"' in without.text
    assert '<option value="no" selected>' in without.text
    with served.database.write() as session:
        anna_row = session.scalar(select(User).where(User.name == "anna"))
        accounts.make_team(session, "second", anna_row)
    file = {"file": ("o.txt", making.GOOD.encode())}
    several = anna.send(form, {"system": "s"}, form=form, files=file)
    assert "you are in several teams: say which one submits" in several.text
    wrong = anna.send(form, {"system": "s", "team": "none"}, form=form, files=file)
    assert (wrong.status_code, "you are not in this team" in wrong.text) == (403, True)
    olga = served.browser("olga")
    file = {"file": ("o.txt", making.GOOD.encode())}
    with served.database.read() as session:
        assert (
            "you are in no team yet"
            in olga.client.post(form, data={"csrf": olga.token("/account"), "system": "s"}, files=file).text
        )
        assert session.scalar(select(System).where(System.decoy.is_(None))) is None


def test_uploads_of_a_person_in_an_hour(on_sqlite, settings, monkeypatch) -> None:
    served = Served(on_sqlite, replace(settings, uploads=2))
    address = served.benchmark()
    anna = served.browser("anna")
    time = [1_900_000_000.0]
    monkeypatch.setattr(clock, "read_clock", lambda: time[0])
    anna = served.browser("anna")
    answers = [anna.submit(address, text="one\n").text for _ in range(3)]
    assert ["too many attempts: wait 60 minutes" in answer for answer in answers] == [False, False, True]
    time[0] += 3600.0
    assert anna.submit(address).status_code == 303
    assert settings.uploads == 60


def test_settings_of_a_benchmark(served) -> None:
    address = served.benchmark()
    olga, place = served.browser("olga"), f"/b/{address}/settings"
    assert f"<code>http://localhost/b/{address}</code>" in olga.get(place)
    assert (
        "visibility is public, link, private; not &#39;secret&#39;"
        in olga.send(place, {"visibility": "secret"}, form=place).text
    )
    assert olga.send(place, {"visibility": "private", "admitted": "none"}, form=place).status_code == 404
    teams = re.findall(r'name="admitted" value="(\w+)"', olga.get(place))
    given = {"visibility": "private", "about": " All of it. ", "admitted": [teams[0], teams[0]]}
    assert olga.send(place, given, form=place).headers["location"] == place
    page = olga.get(place)
    assert re.findall(r'value="(\w+)" checked', page) == [teams[0]]
    assert ">All of it.</textarea>" in page
    assert '<option value="private" selected>' in page
    olga.send(place, {"visibility": "public"}, form=place)
    assert " checked" not in olga.get(place)
    with served.database.read() as session:
        last = list_entries(session)[0]
        assert (last.actor, last.action, last.detail) == ("olga", "change", {"visibility": "public"})


def test_a_new_benchmark_from_its_form(served) -> None:
    olga = served.browser("olga")
    assert "no-comparison" in olga.get("/new")
    assert "from-file" not in olga.get("/new")
    files = [
        ("public", ("gold.m2", b"S He go .\nA 1 2|||R:V|||goes|||REQUIRED|||-NONE-|||0\n\nS Fine .\n\n")),
    ]
    fields = {
        "name": "Gold",
        "metrics": "m2",
        "about": "two",
        "visibility": "link",
        "aggregate": "mean",
        "language": " en ",
    }
    place = olga.send("/new", fields, form="/new", files=files).headers["location"]
    told = served.browser().client.get(f"/api/benchmarks/{place.removeprefix('/b/')}").json()
    assert (told["files"], told["hidden"], told["aggregate"], told["about"]) == (
        ["source.txt", "gold.m2"],
        False,
        "mean",
        "two",
    )
    assert [phase["name"] for phase in told["phases"]] == ["open"]
    assert (told["visibility"], told["metrics"]) == ("link", ["m2"])
    hidden = [("source", ("src.txt", b"He go .\nFine .\n")), ("hidden", ("ref.txt", b"He goes .\nFine .\n"))]
    fields = {"name": "Hidden", "metrics": "gleu", "phase": "trial", "missing": "unchanged"}
    place = olga.send("/new", fields, form="/new", files=hidden).headers["location"]
    told = served.browser().client.get(f"/api{place.replace('/b/', '/benchmarks/')}").json()
    assert (told["files"], told["hidden"]) == (["src.txt"], True)
    assert [phase["name"] for phase in told["phases"]] == ["trial"]
    for given, why in (
        ({"per_day": "12345678"}, "a limit is a number"),
        ({"per_day": "٣"}, "a limit is a number"),
        ({"per_day": " 7 ", "in_all": "100001"}, "a limit is a number from 1 to 100000"),
        ({"closes": "soon"}, "the end: write a date"),
        ({"opens": "soon"}, "the start: write a date"),
    ):
        refused = olga.send("/new", {**fields, **given}, form="/new", files=hidden)
        assert (refused.status_code, why in refused.text) == (400, True)


def test_an_error_names_the_field_of_a_form(served) -> None:
    """The script of the page asks for JSON, and shows the error beside the field; files and texts stay."""
    olga = served.browser("olga")
    files = [("source", ("src.txt", b"He go .\nFine .\n")), ("hidden", ("ref.txt", b"He goes .\nFine .\n"))]
    good = {"name": "Small", "metrics": "gleu", "phase": "trial"}
    short = [files[0], ("public", ("short.txt", b"He goes .\n"))]
    day = "2026-01-01T00:00"
    for given, sent, field in (
        ({"name": " "}, files, "name"),
        ({"about": "x" * 4001}, files, "about"),
        ({"metrics": "glue"}, files, "metrics"),
        ({"metrics": ""}, files, "metrics"),
        ({"visibility": "some"}, files, "visibility"),
        ({}, short, "public"),
        ({}, [("source", ("src.txt", b"\xff\n")), files[1]], "source"),
        ({}, [files[0], ("hidden", ("ref.txt", b""))], "hidden"),
        ({"phase": "x" * 81}, files, "phase"),
        ({"per_day": "x"}, files, "per_day"),
        ({"in_all": "0"}, files, "in_all"),
        ({"closes": "soon"}, files, "closes"),
        ({"opens": day, "closes": day}, files, "closes"),
        ({"blind": "true"}, files, "closes"),
        ({"ladder": "x"}, files, "ladder"),
        ({"ladder": "2", "rule": "last"}, files, "ladder"),
        ({"rule": "worst"}, files, "rule"),
    ):
        fields = {"csrf": olga.token("/new"), **good, **given}
        answer = olga.client.post("/new", data=fields, files=sent, headers={"Accept": "application/json"})
        said = answer.json()
        assert (answer.status_code, said.get("field")) == (400, field), (given, said)
        assert "\n" not in said["error"]
    assert "Small" not in olga.get("/")


def test_log_in_leads_back_to_where_one_was(served) -> None:
    address = served.benchmark()
    visitor = served.browser()
    there = visitor.client.get(f"/b/{address}/submit?x=1")
    assert (there.status_code, there.headers["location"]) == (303, "/login?next=%2Fb%2Fsmall%2Fsubmit%3Fx%3D1")
    assert 'name="next" value="/b/small/submit?x=1"' in visitor.get(there.headers["location"])
    login = {"name": "anna", "password": making.PASSWORD}
    wrong = visitor.send("/login", {**login, "password": "no", "next": "/b/small/submit?x=1"}, form="/login")
    assert 'name="next" value="/b/small/submit?x=1"' in wrong.text
    for path, target in (
        ("/b/small/submit?x=1", "/b/small/submit?x=1"),
        ("//evil.org", "/"),
        ("https://evil.org", "/"),
        ("/\\evil.org", "/"),
        ("/\tevil.org", "/"),
        ("", "/"),
    ):
        answer = served.browser().send("/login", {**login, "next": path}, form="/login")
        assert (answer.status_code, answer.headers["location"]) == (303, target)
    assert visitor.client.get("/api/benchmarks/small/submissions/x").status_code == 404
    assert visitor.client.post("/account/teams", data={"name": "x"}).status_code == 403


def test_the_first_page_says_what_is_open_and_who_leads(served, monkeypatch) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: start)
    served.benchmark(name="Open", closes=start + 9.5 * 86400)
    served.benchmark(name="Soon", closes=start + 3 * 3600)
    served.benchmark(name="Blind", closes=start + 99 * 86400, blind=True)
    served.benchmark(name="Later", opens=start + 86400)
    served.benchmark(name="Over", opens=start - 9 * 86400, closes=start + 1.0)
    anna = served.browser("anna")
    anna.submit("open", system="good")
    anna.submit("open", system="wild", text=making.WILD)
    anna.submit("blind", system="secret")
    served.work()
    monkeypatch.setattr("gecval.board.clock.read_clock", lambda: start + 60.0)
    for page in (served.browser().get("/"), anna.get("/")):
        cards = dict(re.findall(r'<li><h3><a href="/b/(\w+)">.*?</h3>(.*?)</li>', page, re.S))
        assert list(cards)[:3] == ["soon", "open", "blind"]  # what closes first, comes first
        assert set(cards) == {"soon", "open", "blind", "over", "later"}
        assert "2 hours left" not in cards["open"]
        assert "9 days left" in cards["open"]
        assert "179 minutes left" not in cards["soon"]
        assert "2 hours left" in cards["soon"]
        text = " ".join(re.sub(r"<[^>]*>", "", cards["open"]).split())
        assert re.search(r"2 systems\. First under gleu: good 0\.\d{4} \(0\.\d{4} to 1\.0000\)", text), text
        assert "Scores are shown when it closes" in cards["blind"]
        assert "secret" not in cards["blind"]
        assert "Opens 2027-01-16 08:00 UTC" in cards["later"]
        assert "Closed 2027-01-15" in cards["over"]
        assert "No system is scored yet" in cards["over"]
    served.browser("olga")
    assert "secret" in served.browser("olga").get("/")


def test_a_description_is_markdown_without_any_danger(served) -> None:
    olga = served.browser("olga")
    about = """The **test set** of [2014](https://example.org/a?b=1&c=2).

# Rules

- one

| a | b |
|---|---|
| 1 | 2 |

<script>alert(1)</script> <img src=x onerror=alert(1)>
[a](javascript:alert(1)) [b](data:text/html,x) [c](/account) ![d](https://example.org/x.png)
<https://example.org/e> &lt;b&gt;"""
    address = served.benchmark()
    place = f"/b/{address}/settings"
    assert olga.send(place, {"visibility": "public", "about": about}, form=place).status_code == 303
    page = served.browser().get(f"/b/{address}")
    shown = page[page.index('<div class="about">') : page.index('<p class="facts">')]
    assert "<strong>test set</strong>" in shown
    assert '<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener">2014</a>' in shown
    assert "<h3>Rules</h3>" in shown
    assert "<td>2</td>" in shown
    assert set(re.findall(r'(?:href|src)="([^"]*)"', shown)) == {
        "https://example.org/a?b=1&amp;c=2",
        "https://example.org/e",
        "https://example.org/x.png",  # the picture is a link
    }
    for tag in ("<script", "<img", "<b>"):
        assert tag not in shown
    home = served.browser().get("/")
    assert "<strong>test set</strong>" in home
    assert "Rules" not in home


def test_a_benchmark_explains_its_metrics(served) -> None:
    address = served.benchmark(data=making.small_data(metrics="gleu,imeasure"))
    page = served.browser().get(f"/b/{address}")
    assert "N-gram precision that punishes source n-grams the reference changed. From 0 to 1. Higher is better." in page
    assert "From −1 to 1. Higher is better." in page


def test_an_upload_is_cut_off_behind_the_first_byte_too_much(on_sqlite, settings) -> None:
    served = Served(on_sqlite, replace(settings, max_upload=100))
    olga = served.browser("olga")

    def made(size: int) -> str:
        text = b"He go .\n" + b"x" * (size - 9) + b"\n"
        files = [("source", ("src.txt", text)), ("public", ("ref.txt", b"He goes .\nFine .\n"))]
        return olga.send("/new", {"name": "N", "metrics": "gleu"}, form="/new", files=files).text

    assert "src.txt has more than 100 bytes" in made(101)
    assert made(100) == ""  # it is there
    anna = served.browser("anna")
    outputs = [b"He go .\n" + b"x" * (size - 9) + b"\n" for size in (101, 100)]
    assert "mine.txt has more than 100 bytes" in anna.submit("n", text=outputs[0].decode()).text
    assert anna.submit("n", text=outputs[1].decode()).status_code == 303
    headers, client = token_of(served, "ben"), served.browser().client
    for output, status in zip(outputs, (400, 201), strict=True):
        files = {"file": ("mine.txt", output)}
        answer = client.post("/api/benchmarks/n/submissions", data={"system": "x"}, files=files, headers=headers)
        assert answer.status_code == status


def test_judges_of_a_campaign(served) -> None:
    address = served.benchmark()
    for name in ("anna", "ben"):
        served.browser(name).submit(address, system=name, text=making.GOOD if name == "anna" else making.WILD)
    served.work()
    olga = served.browser("olga")
    page = olga.get(f"/b/{address}/campaigns")
    systems = re.findall(r'name="systems" value="(\w+)"', page)
    assert len(systems) == 3  # the source is among them
    few = olga.send(f"/b/{address}/campaigns", {"name": "One", "systems": systems[:1]}, form=f"/b/{address}/campaigns")
    assert "choose two systems or more that stand on the leaderboard" in few.text
    unknown = {"name": "One", "systems": [*systems, "none"]}
    assert olga.send(f"/b/{address}/campaigns", unknown, form=f"/b/{address}/campaigns").status_code == 400
    given = {"name": "All", "about": "Look at grammar.", "systems": [*systems, systems[0]]}
    place = olga.send(f"/b/{address}/campaigns", given, form=f"/b/{address}/campaigns").headers["location"]
    assert "There is no ranking yet: nobody has ranked anything yet." in olga.get(place)
    people = dict(re.findall(r'name="judges" value="(\w+)"> (\w+)', olga.get(place)))
    ids = {name: user_id for user_id, name in people.items()}
    for chosen in (["anna", "ben"], ["ben"], ["ben", "ben", "anna"]):
        sent = {"judges": [ids[name] for name in chosen]}
        assert olga.send(f"{place}/judges", sent, form=place).headers["location"] == place
        checked = {people[user_id] for user_id in re.findall(r'value="(\w+)" checked', olga.get(place))}
        assert checked == set(chosen)
    assert olga.send(f"{place}/judges", {"judges": ["none"]}, form=place).status_code == 400
    ben = served.browser("ben")
    assert "Look at grammar." in ben.get(f"{place}/judge")
    ben.send(f"{place}/judge/next", {})
    page = ben.get(f"{place}/judge")
    assert "Look at grammar." in page
    assert "0 sentences ranked" in page
    assert 'class="judging"' in page
    assert 'class="judging marked"' in ben.get(f"{place}/judge?edits=true")
    sent = {"number": re.search(r'name="number" value="(\d+)"', page)[1], "skip": "true", "edits": "true"}
    assert ben.send(f"{place}/judge", sent).headers["location"] == f"{place}/judge?edits=true"
    page = ben.get(f"{place}/judge")
    assert "0 sentences ranked" in page
    ranks = {f"rank{number}": "1" for number in range(page.count("data-output"))}
    sent = {"number": "2", "edits": "false", **ranks}
    assert ben.send(f"{place}/judge", sent).headers["location"] == f"{place}/judge"
    assert "a rank is a number" in ben.send(f"{place}/judge", {"number": "12345678", "skip": "x"}).text
    assert "load the page again" in ben.send(f"{place}/judge", {"number": "1234567", "skip": "x"}).text
    olga.send(f"{place}/close", {}, form=place)
    page = ben.get(f"{place}/judge")
    assert "This campaign is closed." in page
    assert "1 sentence ranked" in page  # the other one was skipped
    assert "Open it again" in olga.get(place)
    olga.send(f"{place}/close", {"closed": "false"}, form=place)
    with served.database.read() as session:
        assert [row.action for row in list_entries(session)][:2] == ["open campaign", "close campaign"]
        assert [row.detail for row in list_entries(session) if row.action == "set judges"] == [
            {"judges": count} for count in (2, 1, 2, 0)
        ]


def test_files_and_what_nobody_else_may_have(served) -> None:
    address = served.benchmark(data=replace(making.small_data(hidden=True), digits=2))
    visitor, olga = served.browser(), served.browser("olga")
    assert visitor.client.get(f"/b/{address}/files/src.txt").text == making.SOURCE
    for name in ("ref0.txt", "nothing.txt"):
        visitor.get(f"/b/{address}/files/{name}", 404)
    assert olga.client.get(f"/b/{address}/files/ref1.txt").text == making.SECOND
    olga.get(f"/b/{address}/files/nothing.txt", 404)
    assert "there is no such version" in visitor.get(f"/b/{address}?version=2", 404)
    assert "there is no such phase" in visitor.get(f"/b/{address}?phase=none", 404)
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    system = re.search(rf"/b/{address}/systems/\w+", anna.get(page))[0]
    # Two digits for who may not see the references, four for organisers: on every page.
    for path in (f"/b/{address}", page, system):
        for browser, digits in ((anna, 2), (olga, 4)):
            values = re.findall(r'<span class="value">(-?\d\.\d+)</span>', browser.get(path))
            assert values
            assert {len(value.partition(".")[2]) for value in values} == {digits}
    with served.database.read() as session:
        source = session.scalars(select(System.id).where(System.name == "(source)")).one()
        decoy = session.scalars(select(Submission.id).where(Submission.system_id == source)).one()
    assert "the source as it is" in visitor.get(f"/b/{address}/submissions/{decoy}")
    for browser, digits in ((anna, 2), (olga, 4)):
        tested = browser.get(f"{system}/against?other={source}")
        assert {len(value) for value in re.findall(r'<td class="number">[+-]\d\.(\d+)<', tested)} == {digits}
        assert ("Paired tests" in tested) is (browser is olga)
    assert "choose another system to test against" in anna.get(f"{system}/against?other={system[-16:]}", 400)


def test_errors_by_type_are_on_the_page_of_a_system(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    anna = served.browser("anna")
    anna.submit(address)
    served.work()
    counts = {"type": "R:VERB", "tp": 3, "fp": 2, "fn": 1, "precision": 0.6, "recall": 0.75, "score": 0.625}
    with served.database.write() as session:
        job = session.scalars(select(Job)).one()
        of = {"job_id": job.id, "submission_id": job.submission_id, "version_id": job.version_id}
        session.add(Detail(**of, kind=TypeScores.kind, body={"metric": "errant", "types": [counts]}))
        system = session.scalars(select(System.id)).one()
    page = served.browser().get(f"/b/{address}/systems/{system}")
    assert re.search(r'R:VERB</th><td class="number">3</td><td class="number">2</td><td class="number">1</td>', page)
    assert "0.6000" in page
    assert "0.7500" in page
    assert "<strong>stands</strong>" in page
    page = anna.submit(address, system="new").headers["location"]
    page = anna.get(re.search(rf"/b/{address}/systems/\w+", anna.get(page))[0])
    assert "By type of error" not in page
    assert "queued" in page


def test_numbers_for_operators(served, monkeypatch) -> None:
    client = served.browser().client
    assert client.get("/healthz").json() == {"status": "ok", "gecval": SOFTWARE}
    assert client.get("/theme.css").headers["cache-control"] == "max-age=3600"
    time = [1_900_000_000.0]
    monkeypatch.setattr(clock, "read_clock", lambda: time[0])
    address = served.benchmark(data=making.small_data(decoys=()))
    anna = served.browser("anna")
    anna.submit(address)
    time[0] += 10
    anna.submit(address, system="second")
    with served.database.write() as session:
        job = session.scalars(select(Job).order_by(Job.created)).first()
        job.state, job.started, job.finished = "done", 100.0, 102.5
    time[0] += 7
    answer = client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert [line for line in answer.text.splitlines() if not line.startswith("#")] == [
        'gecval_jobs{state="queued"} 1',
        'gecval_jobs{state="leased"} 0',
        'gecval_jobs{state="done"} 1',
        'gecval_jobs{state="failed"} 0',
        'gecval_jobs{state="cancelled"} 0',
        "gecval_oldest_waiting_seconds 7.000",
        "gecval_job_seconds 2.500",
        "gecval_benchmarks 1",
        "gecval_submissions 2",
        "gecval_users 3",
    ]
    time[0] -= 1000  # the clock of another machine
    assert "gecval_oldest_waiting_seconds 0.000\n" in client.get("/metrics").text
    with served.database.write() as session:
        for job in session.scalars(select(Job)):
            job.state = "failed"
    assert "gecval_oldest_waiting_seconds 0.000\n" in client.get("/metrics").text
    assert "gecval_job_seconds 0.000\n" in client.get("/metrics").text

    def gone() -> None:
        raise RuntimeError

    monkeypatch.setattr(type(served.database), "read", lambda self: gone())
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"status": "the database does not answer"})


def test_a_mistake_is_told_in_the_log_alone(served, monkeypatch, caplog) -> None:
    from fastapi.testclient import TestClient

    def broken(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("gecval.board.web.pages.accounts.list_benchmarks", broken)
    monkeypatch.setattr("gecval.board.web.api.list_benchmarks", broken)
    client = TestClient(served.app, base_url=ORIGIN, raise_server_exceptions=False)
    for path in ("/", "/api/benchmarks"):
        answer = client.get(path)
        assert answer.status_code == 500
        assert "the board made a mistake; it is in the log" in answer.text
        assert "a secret" not in answer.text
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    records = [record for record in caplog.records if record.name == "gecval.board.web"]
    assert [(record.message, record.path, str(record.exc_info[1])) for record in records] == [
        ("failed", "/", "a secret"),
        ("failed", "/api/benchmarks", "a secret"),
    ]


def test_what_is_wrong_with_a_call_is_told(served) -> None:
    client = served.browser().client
    answer = client.get("/audit?before=x")
    assert (answer.status_code, "query.before: Input should be a valid integer" in answer.text) == (422, True)
    assert client.get("/api/nothing").json() == {"error": "Not Found"}
    assert client.get("/nothing").status_code == 404
    assert client.get("/docs").status_code == 404
    schema = client.get("/api/openapi.json").json()
    assert schema["info"] == {"title": "gecval board", "version": SOFTWARE}
    assert all(path.startswith(("/api/", "/healthz", "/metrics")) for path in schema["paths"])  # pages are none of them
    told = schema["paths"]["/api/benchmarks/{address}/submissions"]["post"]["responses"]
    assert sorted(told) == ["201", "400", "403", "404", "413", "422", "429"]


def test_headers_of_pages_and_of_static_files(on_sqlite, settings) -> None:
    client = Served(on_sqlite, replace(settings, secure=True)).browser().client
    page, static = client.get("/login"), client.get("/static/board.js")
    assert page.headers["cache-control"] == "no-store"
    assert "cache-control" not in static.headers
    for answer in (page, static):
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_bodies_that_are_too_large() -> None:
    """Told by what they declare, or, where they declare nothing or lie, by their bytes."""
    import asyncio

    def asked(chunks: list[bytes], *, declared: bytes | None = None, late: bool = False) -> list[object]:
        sent: list[object] = []
        waiting = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        waiting.append({"type": "http.request", "more_body": False})

        async def receive() -> dict[str, object]:
            return waiting.pop(0)

        async def send(message: dict[str, object]) -> None:
            sent.append(message.get("status") or message.get("body"))

        async def app(scope, receive, send) -> None:
            start = {"type": "http.response.start", "status": 200, "headers": []}
            if late:
                await send(start)
            while (await receive()).get("more_body"):
                pass
            if not late:
                await send(start)
            await send({"type": "http.response.body", "body": b"fine"})

        headers = [] if declared is None else [(b"content-length", declared)]
        scope = {"type": "http", "path": "/", "headers": headers}
        asyncio.run(Guard(app, max_body=10, secure=False)(scope, receive, send))
        return sent

    refused = [413, b"a request may have 10 bytes\n"]
    assert asked([b"12345", b"67890"], declared=b"10") == [200, b"fine"]
    assert asked([b"12345", b"67890"]) == [200, b"fine"]
    assert asked([b"12345", b"678901"]) == refused
    assert asked([], declared=b"11") == refused
    assert asked([], declared=b"-1") == refused
    assert asked([b"12345", b"678901"], late=True) == [200]  # the answer has begun: nothing can be added


def test_what_is_no_request_passes() -> None:
    import asyncio

    seen = []

    async def app(scope, receive, send) -> None:
        seen.append((scope["type"], receive, send))

    asyncio.run(Guard(app, max_body=10, secure=False)({"type": "lifespan"}, "receive", "send"))
    assert seen == [("lifespan", "receive", "send")]


def test_who_submits_is_told_what_looks_wrong(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    client, headers = served.browser().client, token_of(served, "anna")
    path = f"/api/benchmarks/{address}/submissions"
    text = "".join(f"Corrected: {line}\n" for line in making.GOOD.splitlines())
    told = client.post(path, data={"system": "mine"}, files={"file": ("a.txt", text.encode())}, headers=headers).json()
    note = "mine: chat preambles in 4 of 4 lines, first in line 1; 'gecval doctor GOLD OUTPUT --fix preambles' fixes it"
    assert told["notes"] == [note]
    browser = served.browser("anna")
    browser.submit(address, text=text.replace("goes", "went"), system="again")
    with served.database.read() as session:
        latest = session.scalars(select(Submission).order_by(Submission.created.desc())).first()
    page = browser.client.get(f"/b/{address}/submissions/{latest.id}").text
    assert "Please check: again: chat preambles in 4 of 4 lines" in page
    assert "Please check" not in client.get(f"/b/{address}/submissions/{latest.id}").text
