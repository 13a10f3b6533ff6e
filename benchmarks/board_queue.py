"""1,000 submissions, four workers, two of them killed at random moments; then with the database restarted, too.

Each submission must be scored exactly once, none may be lost, and the team's quota must be what it used.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import func, select

from benchmarks.boards import Board, Place, place, tiny, worker
from benchmarks.measure import Section, Target, table
from gecval.board import queue, submissions
from gecval.board.database import Database
from gecval.board.database.models import Job, Phase, SystemScore
from gecval.board.database.session import UNREACHABLE

COUNT, WORKERS, KILLS, LEASE = 1000, 4, 2, 5.0
PATIENCE = 1800.0  # seconds after which a queue counts as stuck


@dataclass
class Outcome:
    """What was done to the board, and what the rows say in the end."""

    kind: str
    restarted: bool
    seconds: float = 0.0
    killed: list[int] = field(default_factory=list)  # how many jobs were done at that moment
    stopped: list[int] = field(default_factory=list)
    ended: int = 0  # workers that nobody killed, and that ended all the same
    again: int = 0  # jobs that were tried more than once
    once: int = 0
    twice: int = 0
    lost: int = 0
    quota: str = ""

    @property
    def right(self) -> bool:
        return (self.once, self.twice, self.lost, self.ended, self.quota) == (COUNT, 0, 0, 0, f"{COUNT}, 0 left")


def outcome(kind: str, *, restarted: bool, seed: int = 1) -> Outcome:
    told, rng = Outcome(kind, restarted), random.Random(seed)
    with place(kind) as where:
        board = Board.make(where, tiny(), per_day=COUNT)
        with board.database.write() as session:
            for number in range(COUNT):
                board.submit(session, f"s{number}", f"He goes home .\nShe like it .\nFine .\nI has {number} .\n")
        start = time.monotonic()
        _work(board, where, told, rng)
        told.seconds = time.monotonic() - start
        _count(board, told)
        board.database.close()
    return told


def _work(board: Board, where: Place, told: Outcome, rng: random.Random) -> None:
    workers = [worker(where.url, LEASE) for _ in range(WORKERS)]
    kills = sorted(rng.sample(range(COUNT // 20, COUNT * 3 // 4), KILLS))
    stops = sorted(rng.sample(range(COUNT // 20, COUNT * 3 // 4), 2)) if told.restarted else []
    deadline = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline:
            states = _states(board.database)
            done = states.get("done", 0)
            if states and set(states) <= {"done", "failed"}:
                break
            if kills and done >= kills[0] and states.get("leased"):
                kills.pop(0)
                victim = workers.pop(rng.randrange(len(workers)))
                victim.kill()
                victim.wait()
                told.killed.append(done)
            elif stops and done >= stops[0]:
                stops.pop(0)
                where.server.stop()
                time.sleep(1.0)
                where.server.start()
                told.stopped.append(done)
            time.sleep(0.02)
        told.ended = sum(one.poll() is not None for one in workers)
    finally:
        _end(workers)


def _end(workers: list[subprocess.Popen[bytes]]) -> None:
    for one in workers:
        one.kill()
        one.wait()


def _states(database: Database) -> dict[str, int]:
    try:
        with database.read() as session:
            return queue.count_by_state(session)
    except UNREACHABLE:
        return {}


def _count(board: Board, told: Outcome) -> None:
    with board.database.read() as session:
        scored = Counter(session.scalars(select(SystemScore.submission_id)))
        told.once = sum(count == 1 for count in scored.values())
        told.twice = sum(count > 1 for count in scored.values())
        told.lost = COUNT - len(scored)
        told.again = session.scalar(select(func.count()).select_from(Job).where(Job.tries > 1)) or 0
        quota = submissions.count_quota(session, session.scalars(select(Phase)).one(), board.team_id)
        told.quota = f"{quota.today}, {quota.left} left"


def report() -> Section:
    section, told = Section("1,000 submissions, workers killed, the database restarted"), []
    for kind, restarted in (("SQLite", False), ("PostgreSQL", False), ("PostgreSQL", True)):
        told.append(outcome(kind, restarted=restarted))
        print(told[-1], file=sys.stderr, flush=True)
    section.text += [
        f"{WORKERS} workers, {KILLS} of them killed with SIGKILL and not replaced; a lease of {LEASE:.0f} seconds; a "
        "corpus of four sentences under accuracy. SQLite has no server that could be restarted.",
        table(
            ["database", "killed at", "restarted at", "seconds", "tried again", "once", "twice", "lost", "quota"],
            [
                [
                    one.kind,
                    ", ".join(map(str, one.killed)),
                    ", ".join(map(str, one.stopped)) or "–",
                    f"{one.seconds:.0f}",
                    one.again,
                    one.once,
                    one.twice,
                    one.lost,
                    one.quota,
                ]
                for one in told
            ],
        ),
    ]
    section.targets += [
        Target("each scored exactly once, none lost, no quota wrong", "see below", all(one.right for one in told))
    ]
    return section


if __name__ == "__main__":
    print("\n\n".join(report().text))
