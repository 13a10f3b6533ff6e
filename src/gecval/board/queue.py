"""The queue: jobs are rows, written in the submission's own transaction, so none is lost.

    queued ──claim──► leased ──finish──► done          scores are written in the same transaction as ``done``
       ▲                │ ├──fail────► failed         the log is for the owner; failed ones cost no quota
       └──lease expired─┘ └──release─► queued         a worker that stops in good order gives its job back

A worker holds a lease: a secret that it must still hold to finish. If it dies, the lease expires, and the job goes
back, ``tries`` times in all. So a job may be worked on twice, but its scores are written once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Exists, func, select, update
from sqlalchemy.orm import Session

from gecval.board.clock import now
from gecval.board.database.models import Benchmark, Job, Submission, System, Version, live_submissions
from gecval.board.database.session import Database, lock_rows
from gecval.board.settings import SOFTWARE

MAX_LOG = 4000
RECENT = 50  # finished jobs that the expected wait is estimated from
DIED = "The worker stopped without a word {tries} times. Tell the organisers; this does not count against your limit."


@dataclass(frozen=True)
class Claim:
    """A job that this worker may work on."""

    job_id: str
    submission_id: str
    version_id: str
    lease: str
    tries: int


def enqueue(session: Session, submission_id: str, version_id: str, software: str) -> Job:
    """A job in the transaction of whoever asks for it."""
    job = Job(submission_id=submission_id, version_id=version_id, software=software)
    session.add(job)
    return job


def claim(database: Database, *, lease: float, tries: int) -> Claim | None:
    """The oldest job that nobody works on, for ``lease`` seconds."""
    with database.write() as session:
        return_expired(session, tries=tries)
        session.flush()
        rested = Job.rests.is_(None) | (Job.rests <= now())
        waiting = select(Job).where(Job.state == "queued", rested).order_by(Job.created, Job.id).limit(1)
        job = session.scalars(lock_rows(waiting, skip=True)).first()
        if job is None:
            return None
        job.state, job.lease, job.until = "leased", secrets.token_hex(16), now() + lease
        job.tries += 1
        job.started = now()
        return Claim(job.id, job.submission_id, job.version_id, job.lease, job.tries)


def return_expired(session: Session, *, tries: int) -> int:
    """Put jobs whose worker gives no sign of life back, or give them up after so many tries. How many there were."""
    expired = select(Job).where(Job.state == "leased", Job.until < now())
    jobs = session.scalars(lock_rows(expired, skip=True)).all()
    for job in jobs:
        job.lease = job.until = None
        if job.tries >= tries:
            job.state, job.finished, job.log = "failed", now(), DIED.format(tries=job.tries)
        else:
            job.state = "queued"
    return len(jobs)


def heartbeat(database: Database, held: Claim, *, lease: float) -> bool:
    """Hold a job for longer. False where it is no longer ours, and working on makes no sense."""
    with database.write() as session:
        return _update(session, held, until=now() + lease)


def finish(database: Database, held: Claim, write: Callable[[Session], None]) -> bool:
    """Mark a job done and write its scores, both or neither. False where the job is no longer ours."""
    with database.write() as session:
        if not _update(session, held, state="done", lease=None, until=None, finished=now(), log=""):
            return False
        write(session)
        return True


def fail(database: Database, held: Claim, log: str, *, tries: int, pause: float = 0.0, for_good: bool = False) -> bool:
    """Put a job back after an error, or give it up: after so many tries, or at once where trying again cannot help.

    It rests for ``pause`` seconds after the first try, four times as long after the second, and so on.
    """
    with database.write() as session:
        if for_good or held.tries >= tries:
            return _update(session, held, state="failed", lease=None, until=None, finished=now(), log=log[:MAX_LOG])
        rests = now() + pause * 4 ** (held.tries - 1)
        return _update(session, held, state="queued", lease=None, until=None, rests=rests, log=log[:MAX_LOG])


def release(database: Database, held: Claim) -> bool:
    """Give a job back that was not worked on to the end, without counting the try."""
    with database.write() as session:
        return _update(session, held, state="queued", lease=None, until=None, tries=held.tries - 1)


def cancel(session: Session, submission_id: str) -> None:
    """Take a submission's jobs out of the queue; whoever works on one loses it."""
    session.execute(
        update(Job)
        .where(Job.submission_id == submission_id, Job.state.in_(("queued", "leased")))
        .values(state="cancelled", lease=None, until=None)
    )


def requeue(session: Session, submission_id: str, *states: str) -> int:
    """Put a submission's jobs that are in one of these states into the queue again, with all their tries."""
    again = session.execute(
        update(Job)
        .where(Job.submission_id == submission_id, Job.state.in_(states))
        .values(state="queued", tries=0, log="", created=now(), finished=None, rests=None)
    )
    return int(again.rowcount)  # type: ignore[attr-defined]


def find_place(session: Session, job: Job) -> int:
    """The place of a waiting job, from 1: how many are worked on or come before it, and itself."""
    before = select(func.count()).select_from(Job).where(Job.state == "queued", Job.created < job.created)
    leased = select(func.count()).select_from(Job).where(Job.state == "leased")
    return 1 + (session.scalar(before) or 0) + (session.scalar(leased) or 0)


def mean_seconds(session: Session) -> float | None:
    """How long the last jobs took on average; None where there were none."""
    last = (
        select((Job.finished - Job.started).label("took"))
        .where(Job.state == "done", Job.started.is_not(None))
        .order_by(Job.finished.desc())
        .limit(RECENT)
        .subquery()
    )
    return session.scalar(select(func.avg(last.c.took)))


def expect_wait(session: Session, place: int) -> float | None:
    """The seconds until the job at a place is scored: so many mean jobs, and longer where one takes unusually long."""
    mean = mean_seconds(session)
    if mean is None:
        return None
    oldest = session.scalar(select(func.min(Job.started)).where(Job.state == "leased"))
    return place * mean + max(0.0, (now() - oldest if oldest else 0.0) - mean)


def has_queued(session: Session, version_id: str) -> bool:
    """Whether a job of a version is in the queue, with nobody working on it."""
    queued = select(Job.id).where(Job.version_id == version_id, Job.state == "queued").limit(1)
    return session.scalars(queued).first() is not None


def count_by_state(session: Session) -> dict[str, int]:
    """How many jobs are in each state."""
    counts = session.execute(select(Job.state, func.count()).group_by(Job.state))
    return {row[0]: row[1] for row in counts}


def _update(session: Session, held: Claim, **values: object) -> bool:
    mine = update(Job).where(Job.id == held.job_id, Job.lease == held.lease, Job.state == "leased").values(**values)
    return bool(session.execute(mine).rowcount == 1)  # type: ignore[attr-defined]


def counts_against_quota() -> Exists:
    """The condition under which a submission counts against its team's limits: it is waiting, or it was scored."""
    counting = select(Job.id).where(Job.submission_id == Submission.id, Job.state.in_(("queued", "leased", "done")))
    return counting.exists()


def count_waiting(session: Session, benchmark: Benchmark) -> int:
    """How many submissions to a benchmark are not scored yet."""
    unfinished = (
        select(func.count())
        .select_from(Job)
        .join(Submission, Submission.id == Job.submission_id)
        .join(System)
        .where(System.benchmark_id == benchmark.id, Job.state.in_(("queued", "leased")))
    )
    return session.scalar(unfinished) or 0


def queue_rescoring(session: Session) -> int:
    """Queue what stands on a latest version and was scored, or shall be, by another gecval only. How many jobs."""
    queued = 0
    for benchmark in session.scalars(select(Benchmark).where(Benchmark.deleted.is_(None))):
        latest = benchmark.versions[-1]
        for submission in _list_standing(session, benchmark, latest):
            if SOFTWARE not in {job.software for job in submission.jobs if job.version_id == latest.id}:
                enqueue(session, submission.id, latest.id, SOFTWARE)
                queued += 1
    return queued


def _list_standing(session: Session, benchmark: Benchmark, version: Version) -> Sequence[Submission]:
    of_version = (Submission.version_id.is_(None)) | (Submission.version_id == version.id)  # decoys have one
    return session.scalars(live_submissions(benchmark.id).where(of_version)).all()
