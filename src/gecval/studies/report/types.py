"""Types of errors: what a system gets right, wrong, misses, and changes without need.

The counts are those of ``score_by_type``. A false positive is wrong where it touches an edit of the reference, and
unneeded elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from gecval.corpus import Corpus, System
from gecval.metrics.error_types import Detail, ScoresByType
from gecval.runtime.run import SERIAL, Run
from gecval.stats import Resampling
from gecval.studies.report.result import TypeOutcome
from gecval.studies.scores.by_type import score_by_type
from gecval.studies.scores.preparation import Edits, prepare
from gecval.studies.scores.result import TypeScores


def type_outcomes(
    corpus: Corpus,
    systems: Sequence[System],
    metric: ScoresByType,
    *,
    detail: Detail = "full",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    run: Run = SERIAL,
) -> tuple[list[TypeOutcome], tuple[str, ...]]:
    """A row for each system and type that occurs, and notes."""
    scored = score_by_type(
        corpus, systems, [metric], detail=detail, resampling=resampling, extractor=extractor, run=run
    )
    assert isinstance(scored, TypeScores)
    [prepared] = prepare(corpus, systems, [metric], extractor=extractor, types=True, run=run.quiet())
    wrong = {system.name: metric.wrong_by_type(prepared, system, detail, run=run.quiet()) for system in systems}
    outcomes = [
        TypeOutcome(
            system=row.system,
            type=row.type,
            right=row.tp,
            wrong=wrong[row.system][row.type],
            missed=row.fn,
            unneeded=row.fp - wrong[row.system][row.type],
            precision=row.precision,
            recall=row.recall,
            score=row.score,
            interval=row.interval,
        )
        for row in scored.types
    ]
    return outcomes, scored.notes
