"""Limits of the board, each met exactly: the last that is allowed, and the first that is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from board import making
from board.serving import Served
from gecval.board import clock, queue
from gecval.board.benchmark_data import UploadedFile, VersionData, check_data
from gecval.board.campaigns import add_campaign
from gecval.board.database import Database, open_database
from gecval.board.database.models import Job, Submission, User
from gecval.board.settings import Settings
from gecval.errors import InputError


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return open_database(f"sqlite:///{tmp_path / 'limits.sqlite'}")


def test_accounts_of_one_address(database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten in an hour, where anybody may make one; the eleventh waits until the first is an hour old."""
    served = Served(database, replace(settings, open_signup=True))
    time = 1_800_000_000.0
    monkeypatch.setattr(clock, "read_clock", lambda: time)

    def sign_up(name: str, **more: str):
        return served.browser().send("/signup", {"name": name, "password": making.PASSWORD, **more}, form="/signup")

    for number in range(10):
        assert sign_up(f"new{number}", team=f"team {number}").headers["location"] == "/"
    assert sign_up("late").status_code == 429
    time += 3600 + 1
    assert sign_up("late").status_code == 303
    assert sign_up("late").status_code == 400  # the name is taken
    with database.read() as session:
        assert session.scalar(select(User).where(User.name == "late")).role == "participant"
    assert Served(open_database("sqlite://"), settings).browser().get("/signup", 403)


def test_guesses_from_one_address(database: Database, settings: Settings) -> None:
    """Ten times as many for all names together as for one."""
    served = Served(database, replace(settings, logins=1))
    browser = served.browser()
    token = browser.token("/login")
    answers = [
        browser.client.post("/login", data={"csrf": token, "name": f"nobody{number}", "password": "wrong wrong"})
        for number in range(11)
    ]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]


def test_fifty_sentences_of_a_page(database: Database, settings: Settings) -> None:
    served = Served(database, settings)
    lines = "".join(f"word{number} .\n" for number in range(101))
    data = VersionData(
        source=UploadedFile(name="src.txt", content=lines.encode()),
        references=(UploadedFile(name="ref.txt", content=lines.upper().encode()),),
        metrics="gleu",
    )
    address = served.benchmark(data=data)
    anna = served.browser("anna")
    assert anna.submit(address, text=lines).status_code == 303
    served.work()
    with database.read() as session:
        system = session.scalar(select(Submission)).system_id
    page = f"/b/{address}/systems/{system}/sentences"
    pages = [anna.get(f"{page}?page={number}") for number in (1, 2, 3)]
    shown = [[number for number in range(101) if f"word{number} ." in body] for body in pages]
    assert shown == [list(range(50)), list(range(50, 100)), [100]]
    for wrong in (0, 4):
        assert "there are 3 pages" in anna.get(f"{page}?page={wrong}", 400)


def test_digits(settings: Settings) -> None:
    for digits in (1, 6):
        check_data(settings, making.small_data(digits=digits))
    for digits in (0, 7):
        with pytest.raises(InputError, match=r"^digits is from 1 to 6$"):
            check_data(settings, making.small_data(digits=digits))


def test_a_log_and_the_systems_of_a_campaign(database: Database, settings: Settings) -> None:
    with database.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        anna, team = making.participant(session, settings)
        made = making.benchmark(session, settings, olga, data=making.small_data(decoys=()))
        submitted = making.submission(session, made, team, anna)
        assert len(add_campaign(session, olga, made.versions[-1], [submitted] * 40, name="whole").contestants) == 40
        with pytest.raises(InputError, match=r"^a campaign compares at most 40 systems$"):
            add_campaign(session, olga, made.versions[-1], [submitted] * 41, name="large")
    for log, state in (("x", "queued"), ("y", "failed")):
        held = queue.claim(database, lease=60.0, tries=2)
        assert held is not None
        assert queue.fail(database, held, log * 5000, tries=2)
        with database.read() as session:
            job = session.scalars(select(Job)).one()
            assert (job.state, job.log) == (state, log * 4000)
