"""What a system's page tells: the submission that stands for it, tests against others, errors by type, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import blobs, decoys
from gecval.board.access import Viewer, sees_output, sees_scores, sees_scores_of, sees_submission
from gecval.board.data import Files, output, without_references
from gecval.board.database.models import Detail, Submission, System, SystemScore, Version
from gecval.board.entries import Scored, current_scores, scored_submissions, standing
from gecval.board.errors import NotFoundError
from gecval.board.scoring import KeptContender, contender
from gecval.board.secret import digest
from gecval.board.shown import reveals
from gecval.corpus import Corpus
from gecval.stats import Interval, Resampling
from gecval.studies.scores.pairs import compared
from gecval.studies.scores.results import Comparison
from gecval.studies.scores.type_results import TypeScores


def standing_submission(
    session: Session, viewer: Viewer, system: System, version: Version, scores: Scored
) -> Submission | None:
    """The submission that stands for a system, of those whose scores this viewer may see."""
    mine = [
        row for row in system.submissions if row.live and row.id in scores and sees_scores_of(viewer, row, version.id)
    ]
    if system.decoy:
        return next((row for row in mine if row.version_id == version.id), None)
    phases = [row.phase for row in mine if row.phase]
    if not phases:
        return None
    return next(iter(standing(mine, max(phases, key=lambda phase: phase.opens), version, scores)), None)


def others(session: Session, viewer: Viewer, system: System, version: Version, scores: Scored) -> list[System]:
    """The systems that a system can be tested against, by name."""
    rows = [row for row in scored_submissions(session, version, scores) if sees_scores(viewer, row.phase)]
    rows = [row for row in rows if row.climbed(version.id)]
    found = {row.system.id: row.system for row in rows if row.version_id in (None, version.id)}
    found.pop(system.id, None)
    return sorted(found.values(), key=lambda row: (row.decoy is not None, row.name.casefold()))


def types(session: Session, viewer: Viewer, version: Version, submission: Submission) -> dict[str, Any] | None:
    """Scores by type of error as a study's JSON; counts by type tell of references, so hidden ones have none."""
    if not reveals(viewer, version):
        return None
    found = select(Detail.body).where(Detail.submission_id == submission.id, Detail.version_id == version.id)
    found = found.where(Detail.kind == TypeScores.kind).order_by(Detail.created.desc())
    return session.scalars(found.limit(1)).first()


def compare(session: Session, viewer: Viewer, version: Version, baseline: System, system: System) -> list[Comparison]:
    """Both systems under every metric. On hidden references, differences and p-values are rounded."""
    scores = current_scores(session, version)
    pair = [standing_submission(session, viewer, one, version, scores) for one in (baseline, system)]
    if pair[0] is None or pair[1] is None:
        raise NotFoundError("one of the systems has no scores here")
    comparisons = []
    for metric in version.metrics:
        rows = [scores[row.id].get(metric) for row in pair if row]
        if rows[0] is None or rows[1] is None or rows[0].resampled is None or rows[1].resampled is None:
            continue
        first, second = _contender(rows[0], version, baseline.name), _contender(rows[1], version, system.name)
        comparison = compared(first, second, signature=rows[1].signature)
        comparisons.append(comparison if reveals(viewer, version) else _rounded(comparison, version.digits))
    return comparisons


def _contender(row: SystemScore, version: Version, name: str) -> KeptContender:
    return contender(
        row.metric,
        row.statistics,
        row.resampled or b"",
        aggregate=version.aggregate,
        system=name,
        resampling=Resampling(),
    )


def _rounded(comparison: Comparison, digits: int) -> Comparison:
    low, high = (round(end, digits) for end in comparison.interval)
    return replace(
        comparison,
        baseline_score=round(comparison.baseline_score, digits),
        score=round(comparison.score, digits),
        difference=round(comparison.difference, digits),
        interval=Interval(low, high),
        **{name: round(getattr(comparison, name), 2) for name in ("p", "p_bootstrap", "p_randomisation")},
    )


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """A sentence as the explorer shows it; references and scores where these may be seen."""

    number: int
    source: str
    output: str
    references: tuple[str, ...]
    scores: dict[str, float]


def sentences(session: Session, viewer: Viewer, version: Version, system: System) -> list[Sentence]:
    """Every sentence of the submission that stands for a system."""
    scores = current_scores(session, version)
    submission = standing_submission(session, viewer, system, version, scores)
    if submission is None or not sees_submission(viewer, submission) or not sees_output(viewer, submission):
        raise NotFoundError("there are no sentences to show")
    seen = visible_corpus(session, viewer, version)
    written = output(seen, system.name, submission.file_name, blobs.content(session, submission.blob))
    of_sentences: dict[str, Sequence[float]] = {}
    if reveals(viewer, version) and system.name != decoys.REFERENCE:
        of_sentences = {
            row.metric: _contender(row, version, system.name).evaluation.sentence_scores().tolist()
            for row in scores[submission.id].values()
        }
    return [
        Sentence(
            number=number + 1,
            source=seen.sources[number],
            output=written.hypotheses[number],
            references=tuple(seen.texts_of(number)),
            scores={metric: listed[number] for metric, listed in of_sentences.items()},
        )
        for number in range(len(seen))
    ]


def reported(session: Session, viewer: Viewer, version: Version, listed: Sequence[System]) -> list[Submission]:
    """The submissions of the report page about some systems. It shows references and all scores.

    The reference itself has no such page: it is scored on other references than the rest.
    """
    if not reveals(viewer, version):
        raise NotFoundError("the references are hidden, so there is no report")
    scores = current_scores(session, version)
    rows = []
    for system in listed:
        submission = standing_submission(session, viewer, system, version, scores)
        if submission is None or not sees_submission(viewer, submission) or system.name == decoys.REFERENCE:
            raise NotFoundError("there is no report on this system")
        rows.append(submission)
    return rows


def scoring_of(session: Session, version: Version, rows: Sequence[Submission]) -> str:
    """What tells the scores of submissions from those before: another gecval scores them again."""
    ids = select(SystemScore.id).where(SystemScore.submission_id.in_([row.id for row in rows]))
    return digest("\n".join(session.scalars(ids.where(SystemScore.version_id == version.id).order_by(SystemScore.id))))


def visible_corpus(session: Session, viewer: Viewer, version: Version) -> Corpus:
    """The sources, with the references that a viewer may see."""
    if reveals(viewer, version):
        return Files.of(session, version).corpus()
    public = Files.of(session, version, public_only=True)
    if public.source is None and not public.references:  # the source came with references, all of them hidden
        return without_references(Files.of(session, version).corpus())
    return public.corpus()
