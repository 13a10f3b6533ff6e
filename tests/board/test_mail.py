"""Mail of a board, through an SMTP server on this machine: news, invitations, confirmed addresses, new passwords."""

from __future__ import annotations

import asyncio
import email
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from board import making
from board.serving import Browser, Served
from gecval.board import accounts, clock, mail, retention
from gecval.board.clock import DAY, now
from gecval.board.database.models import Address, Benchmark, Identity, Invitation, Mail, MailLink, Phase, User
from gecval.board.settings import Settings
from gecval.errors import InputError

HOME = "http://localhost"
LINK = re.compile(rf"{HOME}/(?:mail|join)/\S+")


@dataclass
class Mailbox:
    """A server that takes mails, answers with ``answers`` first, and calls ``meanwhile`` while a mail comes in."""

    mails: list[EmailMessage] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None
    port: int = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.meanwhile()
        if self.answers:
            return self.answers.pop(0)
        self.mails.append(email.message_from_bytes(envelope.content, policy=default))
        return "250 OK"

    def last(self) -> tuple[str, str, str]:
        """Whom the last mail is to, what it is about, and what it says."""
        return self.mails[-1]["To"], self.mails[-1]["Subject"], self.mails[-1].get_content()

    def link(self) -> str:
        found = LINK.search(self.last()[2])
        assert found, self.last()
        return found[0].removeprefix(HOME)


@pytest.fixture(scope="module")
def server() -> Iterator[Mailbox]:
    smtp = pytest.importorskip("aiosmtpd.smtp", reason="aiosmtpd is not installed")
    box, loop, ready = Mailbox(), asyncio.new_event_loop(), threading.Event()

    async def start() -> None:
        listening = await loop.create_server(lambda: smtp.SMTP(box, loop=loop), "127.0.0.1", 0)
        box.port = listening.sockets[0].getsockname()[1]
        ready.set()

    def run() -> None:
        loop.create_task(start())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(60)
    yield box
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)


@pytest.fixture
def box(server: Mailbox) -> Mailbox:
    server.mails, server.answers, server.meanwhile = [], [], lambda: None
    return server


@pytest.fixture
def mailing(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, smtp=f"smtp://127.0.0.1:{box.port}", sender="board@example.org", address=HOME)


@pytest.fixture
def served(database, mailing) -> Served:
    return Served(database, mailing)


@pytest.fixture
def quick(on_sqlite, mailing) -> Served:
    return Served(on_sqlite, mailing)


def deliver(served: Served) -> int:
    """Send all that is due."""
    mail.post_news(served.database)
    count = 0
    while mail.deliver(served.database, served.settings):
        count += 1
    return count


def give_address(served: Served, name: str, address: str = "") -> None:
    with served.database.write() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        mail.set_address(session, user, address or f"{name}@example.org")


def ask(browser: Browser, name: str) -> tuple[int, str]:
    answer = browser.send("/forgot", {"name": name}, form="/forgot")
    return answer.status_code, re.sub(r'value="\w{64}"', "", answer.text)


def wait(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    moment = now() + seconds
    monkeypatch.setattr(clock, "read_clock", lambda: moment)


def rows(served: Served, table: type) -> list[Any]:
    with served.database.read() as session:
        return list(session.scalars(select(table)))


def test_an_address_is_stored_once_its_owner_says_so(served, box) -> None:
    anna = served.browser("anna")
    wrong = anna.send("/account/mail", {"address": "Anna@Example.org", "password": "not mine, surely"})
    assert (wrong.status_code, "the password is wrong" in wrong.text) == (403, True)
    asked = anna.send("/account/mail", {"address": "Anna@Example.org", "password": making.PASSWORD})
    assert "on its way to anna@example.org" in asked.text
    assert rows(served, Address) == []
    assert deliver(served) == 1
    to, subject, text = box.last()
    assert (to, subject, "the address of anna" in text) == ("anna@example.org", "Is this your address?", True)
    link, stranger = box.link(), served.browser()
    assert "anna@example.org" in stranger.get(link)  # a program that looks at mails opens links
    assert rows(served, Address) == []
    assert "is your address now" in stranger.send(link, {}, form=link).text
    assert [(row.address, row.news) for row in rows(served, Address)] == [("anna@example.org", True)]
    stranger.get(link, 404)
    assert "Your address is anna@example.org" in anna.get("/account")
    anna.send("/account/mail", {"address": "", "password": making.PASSWORD})
    assert rows(served, Address) == []
    assert (deliver(served), box.last()[0]) == (1, "anna@example.org")  # the old address is told


def test_the_old_address_is_told_of_a_new_one(quick, box) -> None:
    give_address(quick, "anna")
    give_address(quick, "anna", "new@example.org")
    assert deliver(quick) == 1
    to, _, text = box.last()
    assert (to, "anna sends its mail to another address" in text) == ("anna@example.org", True)


def test_an_address_belongs_to_one_account(quick, box) -> None:
    give_address(quick, "anna")
    ben = quick.browser("ben")
    assert ben.send("/account/mail", {"address": "anna@example.org", "password": making.PASSWORD}).status_code == 200
    deliver(quick)
    refused = ben.send(box.link(), {}, form=box.link())
    assert (refused.status_code, "another account has this address" in refused.text) == (400, True)
    bad = ben.send("/account/mail", {"address": "a@b, c@d", "password": making.PASSWORD})
    assert (bad.status_code, "write an address of mail" in bad.text) == (400, True)


def test_whoever_submitted_hears_once_and_without_a_score(served, box) -> None:
    give_address(served, "anna")
    place, anna, ben = served.benchmark(), served.browser("anna"), served.browser("ben")
    there = anna.submit(place).headers["location"]
    ben.submit(place)  # he has no address
    served.work()
    assert (deliver(served), deliver(served)) == (1, 0)
    to, subject, text = box.last()
    assert (to, subject, HOME + there in text) == ("anna@example.org", "mine was scored", True)
    assert not re.search(r"\d\.\d", text.replace("127.0.0.1", ""))
    anna.send("/account/news", {})
    anna.submit(place, text=making.WILD, system="other")
    served.work()
    assert deliver(served) == 0


def test_a_submission_that_fails_is_news_too(quick, box, monkeypatch) -> None:
    give_address(quick, "anna")
    quick.browser("anna").submit(quick.benchmark())

    def refuses(*_: object, **__: object) -> None:
        raise InputError("it cannot be scored")

    with monkeypatch.context() as patched:
        patched.setattr("gecval.board.worker.score_system", refuses)
        quick.work()
    deliver(quick)
    assert "mine could not be scored" in [sent["Subject"] for sent in box.mails]


def test_the_day_before_a_phase_ends_its_teams_hear(served, box, monkeypatch) -> None:
    for name in ("anna", "ben", "olga"):
        give_address(served, name)
    place = served.benchmark(closes=now() + 3 * DAY)
    served.browser("anna").submit(place)
    assert deliver(served) == 0
    wait(monkeypatch, 2.5 * DAY)
    assert (deliver(served), deliver(served)) == (1, 0)  # of anna's team alone something is submitted
    to, subject, text = box.last()
    assert (to, "Small: open ends on" in subject, f"{HOME}/b/{place}" in text) == ("anna@example.org", True, True)
    with served.database.write() as session:
        session.scalars(select(Phase)).one().closes = now() + 0.9 * DAY
    assert deliver(served) == 1  # it ends at another moment
    wait(monkeypatch, DAY)
    assert deliver(served) == 0


def test_an_invitation_by_mail_is_one_link(served, box, monkeypatch) -> None:
    olga = served.browser("olga")
    assert "on its way to new@example.org" in olga.send("/people", {"role": "judge", "address": "new@example.org"}).text
    box.answers = ["451 come back later"]
    assert (deliver(served), box.mails) == (1, [])
    assert deliver(served) == 0
    wait(monkeypatch, 61)
    assert (deliver(served), box.last()[0]) == (1, "new@example.org")
    assert [row.used is None for row in sorted(rows(served, Invitation), key=lambda row: row.created)] == [False, True]
    link = box.link()
    made = served.browser().send(link, {"name": "judy", "password": making.PASSWORD}, form=link)
    assert made.status_code == 303
    assert [row.role for row in rows(served, User) if row.name == "judy"] == ["judge"]
    assert served.browser("anna").send("/people", {"address": "x@example.org"}).status_code == 403


def test_a_forgotten_password(served, box) -> None:
    give_address(served, "anna")
    old, stranger = served.browser("anna"), served.browser()
    ask(stranger, " ANNA ")
    deliver(served)
    first = box.link()
    ask(stranger, "anna@example.org")
    deliver(served)
    link = box.link()
    stranger.get(first, 404)  # the last one holds
    short = stranger.send(link, {"password": "short"}, form=link)
    assert (short.status_code, "at least 10 letters" in short.text) == (400, True)
    assert "You have a new password" in stranger.send(link, {"password": "a new one, long"}, form=link).text
    stranger.get(link, 404)
    old.get("/account", 303)  # to the log-in
    logged = stranger.send("/login", {"name": "anna", "password": "a new one, long"}, form="/login")
    assert logged.status_code == 303
    assert (deliver(served), box.last()[1]) == (1, "Your account was changed")


def test_a_reset_tells_nobody_who_is_there(quick, box) -> None:
    for name in ("anna", "ben"):
        give_address(quick, name)
    with quick.database.write() as session:
        ben, olga = (session.scalars(select(User).where(User.name == name)).one() for name in ("ben", "olga"))
        accounts.disable(session, ben, by=olga, disabled=True)
    stranger = quick.browser()
    names = ("anna", "ben", "olga", "nobody", "nobody@example.org")
    answers = {ask(stranger, name) for name in names}
    assert {status for status, _ in answers} == {200}
    assert len(answers) == 1
    assert len(rows(quick, Mail)) == len(names)  # the same was done for each
    assert (deliver(quick), [sent["To"] for sent in box.mails]) == (5, ["anna@example.org"])
    for name in ("anna", "nobody"):  # and as often
        assert [ask(stranger, name)[0] for _ in range(3)] == [200, 200, 429]


def test_a_name_that_is_anothers_address_gets_nothing_of_theirs(quick, box) -> None:
    give_address(quick, "anna")
    with quick.database.write() as session:
        eve = making.user(session, quick.settings, "anna@example.org")
        mail.set_address(session, eve, "eve@example.org")
    ask(quick.browser(), "anna@example.org")
    deliver(quick)
    assert box.last()[0] == "anna@example.org"
    assert "Hello anna," in box.last()[2]


def test_links_end(quick, box, monkeypatch) -> None:
    give_address(quick, "anna")
    anna = quick.browser("anna")
    ask(anna, "anna")
    deliver(quick)
    link = box.link()
    anna.send("/account/password", {"old": making.PASSWORD, "new": "another password"})
    anna.get(link, 404)
    ask(anna, "anna")
    deliver(quick)
    wait(monkeypatch, 3601)
    quick.browser().get(box.link(), 404)
    with quick.database.write() as session:
        retention.forget(session, quick.settings)
    assert rows(quick, MailLink) == []


def test_the_database_holds_no_secret_of_a_mail(quick, box) -> None:
    give_address(quick, "anna")
    ask(quick.browser(), "anna")
    quick.browser("olga").send("/people", {"address": "new@example.org"})
    deliver(quick)
    for sent in box.mails:
        found = LINK.search(sent.get_content())
        assert found
        secret = found[0].rpartition("/")[2]
        raw = Path(str(quick.database.engine.url.database))
        held = b"".join(path.read_bytes() for path in raw.parent.glob(f"{raw.name}*"))
        assert secret.encode() not in held


def test_a_mail_is_tried_again_with_pauses_and_then_given_up(quick, box, monkeypatch) -> None:
    give_address(quick, "anna")
    ask(quick.browser(), "anna")
    box.answers, start, waited = ["451 busy"] * 99, now(), []
    monkeypatch.setattr(clock, "read_clock", lambda: start + sum(waited))
    while True:
        deliver(quick)
        [row] = rows(quick, Mail)
        if row.due is None:
            break
        waited.append(row.due - now())
    assert [round(pause / 60) for pause in waited] == [1, 4, 16, 64, 256]
    assert (row.tries, box.mails) == (6, [])


def test_a_server_that_says_no_is_asked_once(quick, box) -> None:
    give_address(quick, "anna")
    ask(quick.browser(), "anna")
    box.answers = ["550 no such user"]
    deliver(quick)
    assert [(row.tries, row.due) for row in rows(quick, Mail)] == [(1, None)]


def test_a_server_that_is_away_costs_a_try(quick, box) -> None:
    give_address(quick, "anna")
    ask(quick.browser(), "anna")
    away = Served.__new__(Served)
    away.database, away.settings = quick.database, replace(quick.settings, smtp="smtp://127.0.0.1:9")
    assert deliver(away) == 1
    [row] = rows(quick, Mail)
    assert (row.tries, row.due > now()) == (1, True)


def test_nothing_waits_for_the_server(served, box) -> None:
    """While a mail goes out no transaction is open: others write."""
    give_address(served, "anna")
    ask(served.browser(), "anna")
    box.meanwhile = lambda: give_address(served, "ben")
    deliver(served)
    assert len(box.mails) == 1
    assert len(rows(served, Address)) == 2


def test_no_password_goes_out_unencrypted(quick, box, monkeypatch) -> None:
    monkeypatch.setattr(mail, "LOOPBACK", ())
    settings = replace(quick.settings, smtp=f"smtp://board:secret@127.0.0.1:{box.port}")
    with pytest.raises(OSError, match="no TLS"):
        mail.send(settings, mail.Letter("anna@example.org", "Test", "Test"))
    assert box.mails == []


def test_without_a_server_nobody_is_asked_for_an_address(on_sqlite, settings) -> None:
    served = Served(on_sqlite, settings)
    anna = served.browser("anna")
    assert "Forgot" not in served.browser().get("/login")
    assert not {"Mail", "address"} & set(re.findall(r"\w+", re.sub("<[^>]*>", " ", anna.get("/account"))))
    anna.get("/forgot", 404)
    anna.submit(served.benchmark())
    assert served.work() > 0
    assert rows(served, Mail) == []
    assert "Make a link" in served.browser("olga").get("/people")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"address": ""}, "smtp needs address"),
        ({"sender": ""}, "smtp needs sender"),
        ({"smtp": "mail.example.org"}, "smtp must be like"),
        ({"sso": "http://login.example.org"}, "sso must be the https address"),
    ],
)
def test_settings_that_do_not_fit(mailing, wrong: dict[str, str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        replace(mailing, **wrong).check()
    mailing.check()


def test_passwords_of_services_come_from_the_environment(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "board.toml").write_text('address = "https://board.example.org/"\nsmtp = "smtp://a:b@c"\n')
    monkeypatch.setenv("GECVAL_SMTP", "smtps://user:secret@mail.example.org")
    monkeypatch.setenv("GECVAL_SSO_SECRET", "hush")
    read = Settings(data=tmp_path).with_file()
    assert (read.smtp, read.sso_secret) == ("smtps://user:secret@mail.example.org", "hush")
    assert Settings(data=tmp_path / "none").with_file().sso_secret == "hush"


def test_a_deleted_benchmark_is_no_news(quick, box) -> None:
    give_address(quick, "anna")
    place = quick.benchmark(closes=now() + 0.5 * DAY)
    quick.browser("anna").submit(place)
    with quick.database.write() as session:
        session.scalars(select(Benchmark)).one().deleted = now()
    assert deliver(quick) == 0


@pytest.mark.slow
def test_a_worker_that_was_started_as_a_program_sends(quick, box) -> None:
    """What it needs stands in ``board.toml``, and the password of the server in the environment."""
    give_address(quick, "anna")
    ask(quick.browser(), "anna")
    folder = quick.settings.data / "worker"
    folder.mkdir()
    (folder / "board.toml").write_text(f'address = "{HOME}"\nsender = "board@example.org"\n')
    command = [sys.executable, "-m", "gecval", "board", "worker", "--data", str(folder)]
    named = {"GECVAL_DATABASE": str(quick.database.engine.url), "GECVAL_SMTP": quick.settings.smtp}
    worker = subprocess.Popen(command, env={**os.environ, **named}, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not box.mails and worker.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    worker.terminate()
    _, said = worker.communicate(timeout=120)
    assert [sent["To"] for sent in box.mails] == ["anna@example.org"], said
    assert box.link().rpartition("/")[2] not in said
    assert "anna@example.org" not in said


def test_a_link_to_the_old_address_is_void(quick, box) -> None:
    """Whoever still reads the mails there could choose a password."""
    give_address(quick, "anna", "old@example.org")
    anna = quick.browser("anna")
    anna.send("/account/mail", {"address": "new@example.org", "password": making.PASSWORD})
    deliver(quick)
    confirm = box.link()
    ask(anna, "anna")
    deliver(quick)
    reset = box.link()
    assert box.last()[0] == "old@example.org"
    anna.send(confirm, {}, form=confirm)
    assert [row.address for row in rows(quick, Address)] == ["new@example.org"]
    quick.browser().get(reset, 404)


@pytest.mark.parametrize("how", ["another password", "no address"])
def test_a_confirmation_that_waits_is_void(quick, box, how: str) -> None:
    give_address(quick, "anna")
    anna = quick.browser("anna")
    anna.send("/account/mail", {"address": "thief@example.org", "password": making.PASSWORD})
    if how == "no address":
        anna.send("/account/mail", {"address": "", "password": making.PASSWORD})
    else:
        anna.send("/account/password", {"old": making.PASSWORD, "new": "another password"})
    deliver(quick)
    assert "thief@example.org" not in [sent["To"] for sent in box.mails]


def test_a_mail_that_became_void_while_it_was_sent_is_not_tried_again(quick, box) -> None:
    give_address(quick, "anna")
    anna = quick.browser("anna")
    anna.send("/account/mail", {"address": "thief@example.org", "password": making.PASSWORD})
    box.answers = ["451 come back later"]
    box.meanwhile = lambda: anna.send("/account/password", {"old": making.PASSWORD, "new": "another password"})
    assert deliver(quick) == 1
    assert rows(quick, Mail) == rows(quick, MailLink) == []


def test_a_reset_disconnects_single_sign_on_and_says_so(quick, box) -> None:
    give_address(quick, "anna")
    with quick.database.write() as session:
        anna = session.scalars(select(User).where(User.name == "anna")).one()
        session.add(Identity(issuer="https://login.example.org", subject="thief", user_id=anna.id))
    for disconnected in (True, False):
        stranger = quick.browser()
        ask(stranger, "anna")
        deliver(quick)
        link = box.link()
        said = stranger.send(link, {"password": "a new one, long"}, form=link).text
        assert ("Single sign-on is disconnected." in said) is disconnected
        assert rows(quick, Identity) == []
        deliver(quick)
        assert ("Single sign-on is disconnected." in box.last()[2]) is disconnected


@pytest.mark.parametrize("word", ["=?utf-8?q?a=40x.org=2cb=40y.org=2cc?=@z.org", "=?utf-8?q?victim?=@z.org"])
def test_an_encoded_word_is_no_address(quick, box, word: str) -> None:
    """It would be decoded into several recipients."""
    refused = quick.browser("anna").send("/account/mail", {"address": word, "password": making.PASSWORD})
    assert (refused.status_code, "write an address of mail" in refused.text) == (400, True)
    refused = quick.browser("olga").send("/people", {"role": "judge", "address": word})
    assert refused.status_code == 400
    assert deliver(quick) == 0


def test_an_encoded_word_in_a_name_is_not_decoded(quick, box) -> None:
    give_address(quick, "anna")
    quick.browser("anna").submit(quick.benchmark(), system="=?utf-8?q?You_won?=")
    quick.work()
    deliver(quick)
    assert box.last()[1] == "= ?utf-8?q?You_won?= was scored"


def test_no_news_of_what_somebody_may_not_see_any_more(quick, box) -> None:
    give_address(quick, "anna")
    quick.browser("anna").submit(quick.benchmark(closes=now() + 0.5 * DAY))
    quick.work()
    with quick.database.write() as session:
        session.scalars(select(Benchmark)).one().visibility = "private"
    deliver(quick)
    assert box.mails == []


def test_mails_that_nobody_sent_are_deleted(quick, box, monkeypatch) -> None:
    give_address(quick, "anna")
    ask(quick.browser(), "anna")
    wait(monkeypatch, (mail.KEPT_DAYS + 1) * DAY)
    with quick.database.write() as session:
        retention.forget(session, quick.settings)
    assert (rows(quick, Mail), deliver(quick)) == ([], 0)
