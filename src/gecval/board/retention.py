"""What is deleted for good: rows when the time for undo is over, sessions that ended, attempts that no limit counts."""

from __future__ import annotations

import logging

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from gecval.board.accounts import forget_attempts
from gecval.board.clock import DAY, now
from gecval.board.database.models import (
    Admission,
    Benchmark,
    Blob,
    Campaign,
    Contestant,
    Detail,
    Item,
    Job,
    Juror,
    Phase,
    ReferenceSet,
    Rung,
    Submission,
    System,
    SystemScore,
    Version,
    WebSession,
)
from gecval.board.database.session import Database
from gecval.board.database.storage import record
from gecval.board.mail import forget_mails
from gecval.board.settings import Settings

log = logging.getLogger("gecval.board")
EVERY = 3600.0
_last: dict[int, float] = {}


def forget_hourly(database: Database, settings: Settings) -> None:
    """``forget``, at most once an hour in this process."""
    if now() - _last.get(id(database), 0.0) < EVERY:
        return
    _last[id(database)] = now()
    with database.write() as session:
        forget(session, settings)


def forget(session: Session, settings: Settings) -> None:
    forget_attempts(session)
    forget_mails(session)
    session.execute(delete(WebSession).where(WebSession.expires < now()))
    over = now() - settings.undo_days * DAY
    for submission in session.scalars(select(Submission).where(Submission.deleted < over)).all():
        _forget_submission(session, submission)
    for benchmark in session.scalars(select(Benchmark).where(Benchmark.deleted < over)).all():
        _forget_benchmark(session, benchmark)


def forget_version(session: Session, version: Version) -> None:
    """Delete a version with all that was computed on it, its decoys, and the files that nothing else needs."""
    for decoy in session.scalars(select(Submission).where(Submission.version_id == version.id)).all():
        _forget_submission(session, decoy)
    files = {version.source, *session.scalars(select(ReferenceSet.blob).where(ReferenceSet.version_id == version.id))}
    for table in (Detail, SystemScore, Job, Rung, ReferenceSet):
        session.execute(delete(table).where(table.version_id == version.id))
    session.execute(delete(Version).where(Version.id == version.id))
    session.expire_all()
    for file in files - {None}:
        _forget_file(session, str(file))


def _forget_submission(session: Session, submission: Submission) -> None:
    session.execute(delete(Detail).where(Detail.submission_id == submission.id))
    session.execute(delete(SystemScore).where(SystemScore.submission_id == submission.id))
    session.execute(delete(Job).where(Job.submission_id == submission.id))
    judged = update(Contestant).where(Contestant.submission_id == submission.id)
    session.execute(judged.values(submission_id=None))
    session.execute(update(Rung).where(Rung.submission_id == submission.id).values(submission_id=None))
    session.expire(submission)
    digest = submission.blob
    session.delete(submission)
    session.flush()
    _forget_file(session, digest)
    record(session, "the board", "forget", f"submission {submission.id}")


def _forget_benchmark(session: Session, benchmark: Benchmark) -> None:
    entries = select(Submission).join(System).where(System.benchmark_id == benchmark.id)
    for submission in session.scalars(entries).all():
        _forget_submission(session, submission)
    for digest in _forget_benchmark_rows(session, benchmark):
        _forget_file(session, digest)
    record(session, "the board", "forget", f"benchmark {benchmark.id}")


def _forget_benchmark_rows(session: Session, benchmark: Benchmark) -> set[str]:
    """Delete the rows of a benchmark whose submissions are gone; the hashes of the files that it had."""
    mine = select(Version.id).where(Version.benchmark_id == benchmark.id)
    campaigns = select(Campaign.id).where(Campaign.benchmark_id == benchmark.id)
    files = {*session.scalars(select(ReferenceSet.blob).where(ReferenceSet.version_id.in_(mine)))}
    files |= {*session.scalars(select(Version.source).where(Version.benchmark_id == benchmark.id))} - {None}
    for table in (Item, Contestant, Juror):
        session.execute(delete(table).where(table.campaign_id.in_(campaigns)))
    session.execute(delete(Rung).where(Rung.version_id.in_(mine)))
    session.execute(delete(ReferenceSet).where(ReferenceSet.version_id.in_(mine)))
    for owned in (Campaign, Version, Phase, Admission, System):
        session.execute(delete(owned).where(owned.benchmark_id == benchmark.id))
    session.execute(delete(Benchmark).where(Benchmark.id == benchmark.id))
    return {file for file in files if file is not None}


def _forget_file(session: Session, digest: str) -> None:
    if not _is_used(session, digest):
        session.execute(delete(Blob).where(Blob.hash == digest))


def _is_used(session: Session, digest: str) -> bool:
    """Whether another row still needs a file."""
    needing = (
        select(Submission.id).where(Submission.blob == digest),
        select(ReferenceSet.id).where(ReferenceSet.blob == digest),
        select(Version.id).where(Version.source == digest),
    )
    return any(session.scalars(statement.limit(1)).first() for statement in needing)
