"""The Ladder of a phase (``stats.ladder``): which of a team's submissions have scores that anybody but organisers sees.

The main metric decides, once for each submission and version, in the transaction that writes the scores. A submission
that climbs gets a row, and all its scores are shown. One that does not has no row, and none is: its team learns that
it is not better by more than chance, and nothing else. Withdrawing, deleting or scoring again changes no decision.
"""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session, undefer

from gecval.board.database.models import Job, Rung, Submission, SystemScore, Team, Version
from gecval.board.database.session import locked
from gecval.board.scoring import unpack_array
from gecval.stats import ladder


def decide(session: Session, job_id: str, submission_id: str, version_id: str) -> None:
    """Let a submission climb, or not, by the scores that a job has just written."""
    submission = session.get_one(Submission, submission_id)
    phase, team_id = submission.phase, submission.system.team_id
    if phase is None or phase.ladder is None or team_id is None:
        return
    session.scalar(locked(select(Team.id).where(Team.id == team_id)))  # two of its jobs may end at the same time
    session.flush()
    version = session.get_one(Version, version_id)
    written = select(SystemScore).where(SystemScore.job_id == job_id, SystemScore.metric == version.metrics[0])
    row = session.scalars(written.options(undefer(SystemScore.resampled))).one()
    if _decided(session, job_id, submission_id, version_id):
        mine = update(Rung).where(Rung.submission_id == submission_id, Rung.version_id == version_id)
        session.execute(mine.values(score=row.score, resampled=row.resampled))
        return
    rungs = select(Rung).where(Rung.phase_id == phase.id, Rung.team_id == team_id, Rung.version_id == version_id)
    direction = 1 if row.higher_is_better else -1
    shown = max(
        session.scalars(rungs.options(undefer(Rung.resampled))), key=lambda rung: direction * rung.score, default=None
    )
    if ladder.climbs(
        _rung(row),
        _rung(shown) if shown else None,
        steps=phase.ladder,
        digits=version.digits,
        higher_is_better=row.higher_is_better,
    ):
        session.add(
            Rung(
                phase_id=phase.id,
                team_id=team_id,
                version_id=version_id,
                submission_id=submission_id,
                score=row.score,
                resampled=row.resampled,
            )
        )


def _decided(session: Session, job_id: str, submission_id: str, version_id: str) -> bool:
    """Whether another job scored this submission on this version before, as another gecval does."""
    others = select(Job.id).where(Job.submission_id == submission_id, Job.version_id == version_id)
    return session.scalars(others.where(Job.id != job_id, Job.state == "done").limit(1)).first() is not None


def _rung(row: SystemScore | Rung) -> ladder.Rung:
    return ladder.Rung(row.score, None if row.resampled is None else unpack_array(row.resampled))
