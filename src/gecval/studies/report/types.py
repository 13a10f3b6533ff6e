"""Types of errors: what a system gets right, wrong, misses, and changes without need.

The counts are those of ``score_by_type``. A false positive is wrong where it touches an edit of the reference, and
unneeded elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from gecval.corpus import Corpus, System
from gecval.metrics.error_types import ScoresByType
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import SERIAL, Run
from gecval.stats import Resampling
from gecval.studies.report.result import TypeOutcome
from gecval.studies.scores.by_type import score_types


def type_outcomes(
    corpus: Corpus,
    systems: Sequence[System],
    metric: ScoresByType,
    evaluations: Sequence[Evaluation] | None,
    resampling: Resampling,
    *,
    run: Run = SERIAL,
) -> tuple[TypeOutcome, ...]:
    """A row for each system and type that occurs. ``evaluations`` are those of the systems, where they are known."""
    if evaluations is None:
        evaluations = [Evaluation.of(metric, corpus, system, run=run.quiet()) for system in systems]
    drawn = resampling if len(corpus) > 1 else None
    return tuple(
        TypeOutcome(
            system=row.system,
            type=row.type,
            right=row.tp,
            wrong=wrong,
            missed=row.fn,
            unneeded=row.fp - wrong,
            precision=row.precision,
            recall=row.recall,
            score=row.score,
            interval=row.interval,
        )
        for system, evaluation in zip(systems, evaluations, strict=True)
        for row, wrong in score_types(
            metric, corpus, system, evaluation.statistics, detail="full", resampling=drawn, run=run
        )
    )
