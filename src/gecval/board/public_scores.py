"""What a viewer sees of a score. On hidden references it is rounded, and loses all that says something about them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session, undefer

from gecval.board.access import Viewer, sees_submission_scores
from gecval.board.allowed_metrics import board_metric
from gecval.board.database.models import REFERENCE, Job, Rung, Submission, SystemScore, Team, Version
from gecval.board.database.session import lock_rows
from gecval.board.errors import NotFoundError
from gecval.board.scoring import unpack_array
from gecval.results.signature import Signature
from gecval.stats import Interval, Resampling, ladder
from gecval.studies.report.study import commands


@dataclass(frozen=True, kw_only=True)
class PublicScore:
    """A score as it stands on a page or in JSON. ``command`` gives it again on any machine with the files."""

    metric: str
    score: float
    low: float | None
    high: float | None
    level: float | None
    parts: dict[str, Any]
    higher_is_better: bool
    signature: str
    command: str | None
    notes: tuple[str, ...]
    created: float


def reveals(viewer: Viewer, version: Version) -> bool:
    """Whether a viewer may see all about the scores of a version."""
    return viewer.organiser or not version.hidden


def choose_digits(viewer: Viewer, version: Version) -> int:
    """How many digits of a score a viewer sees on pages."""
    return 4 if reveals(viewer, version) else version.digits


def make_public(viewer: Viewer, version: Version, submission: Submission, row: SystemScore) -> PublicScore:
    check_seen(viewer, submission, row)
    return publish_score(version, submission, row, revealed=reveals(viewer, version))


def check_seen(viewer: Viewer, submission: Submission, row: SystemScore) -> None:
    """The last gate: whoever asks for a score that this viewer may not see should have known."""
    if not sees_submission_scores(viewer, submission, row.version_id):
        raise NotFoundError("there is no such score")


def publish_score(version: Version, submission: Submission, row: SystemScore, *, revealed: bool) -> PublicScore:
    """A score for whoever may see it: all about it, or what hidden references leave."""
    score, low, high = row.score, row.low, row.high
    if not revealed:
        score = version.publish(score)
        if low is not None and high is not None:
            margin = version.publish_margin(low, high)
            around = Interval(round(score - margin, version.digits), round(score + margin, version.digits))
            low, high = around.clip(board_metric(row.metric).scale, score)
    return PublicScore(
        metric=row.metric,
        score=score,
        low=low,
        high=high,
        level=row.level,
        parts=dict(row.parts) if revealed else {},
        higher_is_better=row.higher_is_better,
        signature=row.signature if revealed else str(Signature.parse(row.signature).with_hidden_references()),
        command=score_command(version, submission, row.metric) if revealed else None,
        notes=tuple(row.notes) if revealed else (),
        created=row.created,
    )


def score_command(version: Version, submission: Submission, metric: str) -> str | None:
    """The line that gives a score again, with the names under which the files can be downloaded."""
    if submission.system.name == REFERENCE:
        return None  # it is scored on fewer references than there are files of
    [line] = commands(
        " ".join(map(shlex.quote, input_arguments(version, [submission.file_name]))),
        [board_metric(metric)],
        Resampling(),
        aggregate=version.aggregate,  # type: ignore[arg-type]
        judging=scoring_options(version),
        pairs=False,
        references=0,
    )[:1]
    return line


def input_arguments(version: Version, outputs: Sequence[str]) -> list[str]:
    """What names the files on the command line."""
    words = [*outputs, *(["-s", version.source_name] if version.source_name else [])]
    for reference in version.references:
        words += ["-r", reference.name]
    return words


def scoring_options(version: Version) -> str:
    """The options that say how texts are judged."""
    options = [f"--missing-annotator {version.missing}"] if version.missing != "absent" else []
    options += [f"--lang {shlex.quote(version.language)}"] if version.language else []
    options += [f"--tokenize {version.tokenize}"] if version.tokenize else []
    options += [f"--edits {version.edits}"] if version.edits else []
    return " ".join(options)


# The Ladder of a phase (``stats.ladder``): which of a team's submissions have scores that anybody but organisers sees.
#
# The main metric decides, once for each submission and version, in the transaction that writes the scores. A submission
# that climbs gets a row, and all its scores are shown. One that does not has no row, and none is: its team learns that
# it is not better by more than chance, and nothing else. Withdrawing, deleting or scoring again changes no decision.


def decide_ladder(session: Session, job_id: str, submission_id: str, version_id: str) -> None:
    """Let a submission climb, or not, by the scores that a job has just written."""
    submission = session.get_one(Submission, submission_id)
    phase, team_id = submission.phase, submission.system.team_id
    if phase is None or phase.ladder is None or team_id is None:
        return
    session.scalar(lock_rows(select(Team.id).where(Team.id == team_id)))  # two of its jobs may end at the same time
    session.flush()
    version = session.get_one(Version, version_id)
    written = select(SystemScore).where(SystemScore.job_id == job_id, SystemScore.metric == version.metrics[0])
    row = session.scalars(written.options(undefer(SystemScore.resampled))).one()
    if _is_decided(session, job_id, submission_id, version_id):
        mine = update(Rung).where(Rung.submission_id == submission_id, Rung.version_id == version_id)
        session.execute(mine.values(score=row.score, resampled=row.resampled))
        return
    rungs = select(Rung).where(Rung.phase_id == phase.id, Rung.team_id == team_id, Rung.version_id == version_id)
    direction = 1 if row.higher_is_better else -1
    shown = max(
        session.scalars(rungs.options(undefer(Rung.resampled))), key=lambda rung: direction * rung.score, default=None
    )
    if ladder.climbs(
        _read_rung(row),
        _read_rung(shown) if shown else None,
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


def _is_decided(session: Session, job_id: str, submission_id: str, version_id: str) -> bool:
    """Whether another job scored this submission on this version before, as another gecval does."""
    others = select(Job.id).where(Job.submission_id == submission_id, Job.version_id == version_id)
    return session.scalars(others.where(Job.id != job_id, Job.state == "done").limit(1)).first() is not None


def _read_rung(row: SystemScore | Rung) -> ladder.Rung:
    return ladder.Rung(row.score, None if row.resampled is None else unpack_array(row.resampled))
