"""Scores over time: what changed when gecval, a model or the data did, and what is waiting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.access import Viewer, sees_scores_of
from gecval.board.database.models import Benchmark, Job, Submission, System, SystemScore, Version
from gecval.board.shown import shown
from gecval.board.software import SOFTWARE


@dataclass(frozen=True, kw_only=True)
class Change:
    """A score that is not what it was. ``why`` lists the fields of the signature that differ."""

    system: str
    system_id: str
    metric: str
    before: float
    after: float
    versions: tuple[int, int]
    when: float
    why: tuple[str, ...]


def changes(session: Session, viewer: Viewer, benchmark: Benchmark) -> list[Change]:
    """The scores of submissions that changed from one scoring to the next, the latest first."""
    versions = {version.id: version for version in benchmark.versions}
    rows = session.execute(
        select(SystemScore, Submission)
        .join(Submission, Submission.id == SystemScore.submission_id)
        .join(System)
        .join(Version, Version.id == SystemScore.version_id)
        .where(System.benchmark_id == benchmark.id, System.decoy.is_(None))
        .where(Submission.withdrawn.is_(None), Submission.deleted.is_(None))
        .order_by(Version.number, SystemScore.created)
    )
    last: dict[tuple[str, str], SystemScore] = {}
    listed = []
    for row, submission in rows:
        if not sees_scores_of(viewer, submission, row.version_id):
            continue
        before = last.get((submission.id, row.metric))
        last[submission.id, row.metric] = row
        if before is None:
            continue
        old = shown(viewer, versions[before.version_id], submission, before)
        new = shown(viewer, versions[row.version_id], submission, row)
        if old.score != new.score:
            listed.append(
                Change(
                    system=submission.system.name,
                    system_id=submission.system_id,
                    metric=row.metric,
                    before=old.score,
                    after=new.score,
                    versions=(versions[before.version_id].number, versions[row.version_id].number),
                    when=row.created,
                    why=differing(old.signature, new.signature),
                )
            )
    return sorted(listed, key=lambda change: -change.when)


def differing(before: str, after: str) -> tuple[str, ...]:
    """The fields of two signatures that differ.

    >>> differing("gleu|n:4|source:aa|gecval:0.1", "gleu|n:4|source:bb|gecval:0.2")
    ('source:aa → source:bb', 'gecval:0.1 → gecval:0.2')
    """
    old, new = (_fields(signature) for signature in (before, after))
    return tuple(
        f"{old.get(name, 'nothing')} → {new.get(name, 'nothing')}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    )


def _fields(signature: str) -> dict[str, str]:
    return {field.partition(":")[0]: field for field in signature.split("|")}


def waiting(session: Session, benchmark: Benchmark) -> int:
    """How many submissions to a benchmark are not scored yet."""
    unfinished = (
        select(func.count())
        .select_from(Job)
        .join(Submission, Submission.id == Job.submission_id)
        .join(System)
        .where(System.benchmark_id == benchmark.id, Job.state.in_(("queued", "leased")))
    )
    return session.scalar(unfinished) or 0


def score_again(session: Session) -> int:
    """Queue what stands on a latest version and was scored, or shall be, by another gecval only. How many jobs."""
    queued = 0
    for benchmark in session.scalars(select(Benchmark).where(Benchmark.deleted.is_(None))):
        latest = benchmark.versions[-1]
        for submission in _standing(session, benchmark, latest):
            known = {job.software for job in submission.jobs if job.version_id == latest.id}
            if SOFTWARE not in known:
                queue.enqueue(session, submission.id, latest.id, SOFTWARE)
                queued += 1
    return queued


def _standing(session: Session, benchmark: Benchmark, version: Version) -> Sequence[Submission]:
    live = (
        select(Submission)
        .join(System)
        .where(System.benchmark_id == benchmark.id)
        .where(Submission.withdrawn.is_(None), Submission.deleted.is_(None))
        .where((Submission.version_id.is_(None)) | (Submission.version_id == version.id))
    )
    return session.scalars(live).all()
