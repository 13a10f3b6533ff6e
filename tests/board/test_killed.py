"""Workers that are killed at random moments: every submission is scored exactly once, and no quota is wrong."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter

from sqlalchemy import select

from board import making
from gecval.board import queue, submissions
from gecval.board.database.models import Phase, SystemScore

COUNT, KILLS, LEASE = 20, 4, 1.0
LONG = 120.0  # seconds: only a queue that is stuck takes so long
WORKER = f"""
import sys, threading
from gecval.board.database import open_database
from gecval.board.settings import Settings
from gecval.board.worker import Worker
settings = Settings(lease={LEASE}, tries=100, poll=0.05)
Worker(open_database(sys.argv[1]), settings).run()
"""


def started(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WORKER, url], stderr=subprocess.DEVNULL)


def test_killed_workers_lose_nothing_and_score_nothing_twice(database, settings) -> None:
    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(decoys=()), per_day=COUNT)
        for number in range(COUNT):
            making.submission(session, made, team, user, system=f"s{number}")
    url = database.engine.url.render_as_string(hide_password=False)
    rng = random.Random(1)
    workers = [started(url) for _ in range(2)]
    deadline = time.monotonic() + LONG
    kills = 0
    try:
        while time.monotonic() < deadline:
            with database.read() as session:
                states = queue.waiting(session)
            if states == {"done": COUNT}:
                break
            if kills < KILLS and states.get("leased") and rng.random() < 0.5:
                number = rng.randrange(2)
                workers[number].kill()
                workers[number].wait()
                workers[number] = started(url)
                kills += 1
            time.sleep(0.05)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    assert kills > 0
    with database.read() as session:
        scored = Counter(session.scalars(select(SystemScore.submission_id)))
        counted = submissions.quota(session, session.scalar(select(Phase)), team.id)
    assert states == {"done": COUNT}
    assert set(scored.values()) == {2}  # one row for each of two metrics
    assert len(scored) == COUNT
    assert (counted.today, counted.left) == (COUNT, 0)
