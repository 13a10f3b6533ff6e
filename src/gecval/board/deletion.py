"""Benchmarks that are deleted, brought back, and forgotten when the days for undo are over."""

from __future__ import annotations

from sqlalchemy import delete as delete_from
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.audit import record
from gecval.board.clock import DAY, now
from gecval.board.database.models import (
    Admission,
    Benchmark,
    Campaign,
    Contestant,
    Item,
    Juror,
    Phase,
    ReferenceSet,
    Rung,
    Submission,
    System,
    User,
    Version,
)
from gecval.errors import InputError


def delete(session: Session, benchmark: Benchmark, user: User) -> None:
    """Take a benchmark away with all that belongs to it. What waits is not scored."""
    benchmark.deleted = now()
    for submission_id in _live(session, benchmark):
        queue.cancel(session, submission_id)
    record(session, user.name, "delete", f"benchmark {benchmark.id}", name=benchmark.name)


def undo(session: Session, benchmark: Benchmark, user: User, *, days: int) -> None:
    """Bring a benchmark back; what waited goes back to the queue."""
    if benchmark.deleted is None:
        raise InputError("it is not deleted")
    if benchmark.deleted < now() - days * DAY:
        raise InputError(f"it can be brought back for {days} days, and no longer")
    benchmark.deleted = None
    for submission_id in _live(session, benchmark):
        queue.requeue(session, submission_id, "cancelled")
    record(session, user.name, "undo", f"benchmark {benchmark.id}", name=benchmark.name)


def deleted(session: Session, *, days: int) -> list[Benchmark]:
    """The benchmarks that can be brought back, the last one first."""
    gone = select(Benchmark).where(Benchmark.deleted >= now() - days * DAY).order_by(Benchmark.deleted.desc())
    return list(session.scalars(gone))


def forget_rest(session: Session, benchmark: Benchmark) -> set[str]:
    """Delete the rows of a benchmark whose submissions are gone; the hashes of the files that it had."""
    mine = select(Version.id).where(Version.benchmark_id == benchmark.id)
    campaigns = select(Campaign.id).where(Campaign.benchmark_id == benchmark.id)
    files = {*session.scalars(select(ReferenceSet.blob).where(ReferenceSet.version_id.in_(mine)))}
    files |= {*session.scalars(select(Version.source).where(Version.benchmark_id == benchmark.id))} - {None}
    for table in (Item, Contestant, Juror):
        session.execute(delete_from(table).where(table.campaign_id.in_(campaigns)))
    session.execute(delete_from(Rung).where(Rung.version_id.in_(mine)))
    session.execute(delete_from(ReferenceSet).where(ReferenceSet.version_id.in_(mine)))
    for owned in (Campaign, Version, Phase, Admission, System):
        session.execute(delete_from(owned).where(owned.benchmark_id == benchmark.id))
    session.execute(delete_from(Benchmark).where(Benchmark.id == benchmark.id))
    return {file for file in files if file is not None}


def _live(session: Session, benchmark: Benchmark) -> list[str]:
    """The submissions that nobody withdrew."""
    standing = select(Submission.id).join(System).where(System.benchmark_id == benchmark.id)
    gone = or_(Submission.withdrawn.is_not(None), Submission.deleted.is_not(None))
    return list(session.scalars(standing.where(~gone)))
