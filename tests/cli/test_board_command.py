"""serve, worker, submit and board, as typed: a board that runs, from the first link to the scores of ``score``."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

httpx = pytest.importorskip("httpx", reason="the board needs gecval[board]")
pytest.importorskip("fastapi", reason="the board needs gecval[board]")
PASSWORD = "correct horse battery"
LONG = 120.0  # seconds: only a board that hangs takes so long


class Running:
    """A board in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "gecval", "serve", "--data", str(folder), "--port", "0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.link = self.process.stdout.readline().split()[-1]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LONG)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    board = Running(tmp_path / "board", "--host", "127.0.0.1", "--workers", "1", "--max-upload", "1")
    yield board
    if board.process.poll() is None:
        board.process.kill()
        board.process.wait()


def csrf(text: str) -> str:
    return re.search(r'name="csrf" value="(\w+)"', text)[1]


def join(browser, link: str, name: str, team: str) -> None:
    page = browser.get(link)
    given = {"csrf": csrf(page.text), "name": name, "password": PASSWORD, "team": team}
    assert browser.post(link, data=given).status_code == 303


def token(browser) -> str:
    page = browser.get("/account")
    answer = browser.post("/account/tokens", data={"csrf": csrf(page.text), "name": "test", "scope": "submit"})
    return re.search(r"gecval_[\w-]+", answer.text)[0]


def test_from_nothing_to_scores_that_equal_those_of_score(gecval, folder: Path, running: Running, monkeypatch) -> None:
    data = str(folder / "board")
    with httpx.Client(base_url=running.address, timeout=LONG) as browser:
        join(browser, running.link, "olga", "lab")
        assert browser.get(running.link).status_code == 404
        options = "--visibility link --about tiny --aggregate corpus --per-day 3"
        made = gecval(f"board create Small -s src.txt -r ref0.txt -r ref1.txt -m m2 -m gleu {options} --data {data}")
        assert made.status == 0, made.err
        assert f"next: `gecval board serve --data {data}` shows it" in made.err
        address = made.out.strip().removeprefix("/b/")
        monkeypatch.setenv("GECVAL_TOKEN", token(browser))
        sheet = "--training-data W&I --size 7B --paper https://example.org --code none --seen no"
        there = f"--board {running.address} --benchmark {address}"
        sent = gecval(f"board submit good.txt {there} --system good {sheet} --wait --format json")
        assert sent.status == 0, sent.err
        # To the last digit: scores, intervals, parts and signatures.
        again = gecval("score good.txt -s src.txt -r ref0.txt -r ref1.txt -m m2 -m gleu --ci --format json")
        fields = ("system", "metric", "score", "parts", "interval", "level", "signature")
        theirs, ours = (
            [[row[field] for field in fields] for row in json.loads(result.out)["scores"]] for result in (sent, again)
        )
        assert theirs == ours
        assert "next: look there for its scores" in gecval(f"board submit good.txt {there} --system again").err
        refused = gecval(f"board submit gold.m2 {there} --team nobody")
        assert refused.status == 2
        page = browser.get(f"/b/{address}")
        assert "good" in page.text
        assert "gecval score good.txt -s src.txt -r ref0.txt -r ref1.txt -m m2 --ci" in page.text
        lost = gecval(f"board submit good.txt --board {running.address} --benchmark nothing").err
        assert "The board" not in lost
        assert "there is no such benchmark; there is none yet" in lost  # one with a link alone is not listed
        hidden = gecval(f"board create Hidden --hidden gold.m2 -m m2 --data {data}")
        assert "only when it beats the team's last by 2.5 standard errors (--ladder 0: always)" in hidden.err
        address = hidden.out.strip().removeprefix("/b/")
        (folder / "short.txt").write_text("He goes .\n")
        short = gecval(f"board submit short.txt --board {running.address} --benchmark {address}").err
        assert "1 lines, the source 4" in short
        assert "gold.m2" not in short
        again = gecval(f"board submit good.txt --board {running.address} --benchmark nothing").err
        assert f"there is no such benchmark; there is {address}" in again
    assert running.stop() == 0


def test_a_worker_elsewhere_scores_and_stops_in_good_order(gecval, folder: Path) -> None:
    from gecval.board import demo
    from gecval.board.database import open_database
    from gecval.board.queue import count_by_state
    from gecval.board.settings import Settings

    settings = Settings(data=folder / "board", password_cost=1)
    settings.check()
    database = open_database(settings.url)
    with database.write() as session:
        assert demo.fill(session, settings)
        assert demo.fill(session, settings) is None
    environment = {**os.environ, "GECVAL_DATABASE": settings.url}
    command = [sys.executable, "-m", "gecval", "board", "worker", "--jobs", "1", "--data", str(folder / "elsewhere")]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + LONG
    done = 0
    while not done and time.monotonic() < deadline:
        time.sleep(0.2)
        with database.read() as session:
            done = count_by_state(session).get("done", 0)
    worker.send_signal(signal.SIGTERM)
    _, said = worker.communicate(timeout=LONG)
    with database.read() as session:
        states = count_by_state(session)
    database.close()
    assert worker.returncode == 0
    assert set(states) <= {"done", "queued"}  # what was being worked on has gone back
    assert sum(states.values()) == 8
    assert [line for line in said.splitlines() if not line.startswith("{")] == []
    assert [json.loads(line)["message"] for line in said.splitlines()][-1] == "stopped"


def test_invite_and_what_is_refused(gecval, refused, folder: Path) -> None:
    invited = gecval("board invite --role judge --url https://board.example.org/ --data there")
    assert re.fullmatch(r"https://board\.example\.org/join/[\w-]{40,}\n", invited.out)
    local = gecval("board invite --data there")
    assert local.out.startswith("http://127.0.0.1:8017/join/")
    assert "the link is for port 8017 here; for another address: --url URL" in local.err
    (folder / "there/board.toml").write_text('address = "https://lab.example.org"\n')
    assert gecval("board invite --data there").out.startswith("https://lab.example.org/join/")
    assert gecval("board create Mine -r gold.m2 -m m2 --data there").err == (
        "gecval: the board has no organiser yet: `gecval serve --data there` makes the first one; open the link "
        "that it prints, then run this command again\n"
    )
    assert "leave yours out" in refused("board create Mine -r gold.m2 --preset no-comparison")
    assert "no such file" in refused("board create Mine --hidden nothing.m2 -m m2").lower()
    assert "sqlite:///PATH or postgresql" in refused("serve --database mysql://there --secure --open-signup --demo")
    assert "(option --token)" in refused("board submit good.txt --benchmark small --quiet")
    assert "starts with http" in refused("board submit good.txt --benchmark small --token x --board ftp://there")
    assert "does not answer" in refused("board submit good.txt --benchmark small --token x --board http://127.0.0.1:9")
    assert "not in the range" in refused("serve --port 70000")


def test_a_benchmark_with_a_ladder(gecval, folder: Path) -> None:
    from gecval.board import accounts
    from gecval.board.database import open_database
    from gecval.board.database.models import Phase
    from gecval.board.settings import Settings

    data = folder / "board"
    settings = Settings(data=data, password_cost=1)
    settings.check()
    database = open_database(settings.url)
    with database.write() as session:
        hashed = accounts.hash_password("correct horse battery", cost=1)
        accounts.make_user(session, name="olga", hashed=hashed, role="organiser")
    make = f"board create Secret -s src.txt --hidden ref0.txt -m gleu --data {data}"
    assert gecval(f"{make} --ladder 2.5").status == 0
    refused = gecval(f"{make} --ladder 0.5")
    assert (refused.status, "has 1 to 10 standard errors, or 0 for none (option --ladder)" in refused.err) == (2, True)
    public = gecval(f"board create Open -s src.txt -r ref0.txt -m gleu --data {data} --ladder 2")
    assert (public.status, "for hidden references" in public.err) == (2, True)
    with database.read() as session:
        assert [(phase.ladder, phase.entry) for phase in session.query(Phase)] == [(2.5, "team")]
    database.close()
