"""Types of errors: what a system gets right, wrong, misses, and changes without need.

The counts are those of ``score_by_type``. A false positive is wrong where it touches an edit of the reference, and
unneeded elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from gecval.corpus import Corpus, System
from gecval.metrics.errant import Errant, TypesByKey
from gecval.metrics.errant_types import Detail, at_detail
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, silent
from gecval.stats import Resampling
from gecval.studies.inputs import Edits
from gecval.studies.overview.results import TypeOutcome
from gecval.studies.preparation import prepare
from gecval.studies.scores.by_type import score_by_type
from gecval.studies.scores.type_results import TypeScores


def type_outcomes(
    corpus: Corpus,
    systems: Sequence[System],
    metric: Errant,
    *,
    detail: Detail = "full",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[list[TypeOutcome], tuple[str, ...]]:
    """A row for each system and type that occurs, and notes."""
    scored = score_by_type(
        corpus,
        systems,
        [metric],
        detail=detail,
        resampling=resampling,
        extractor=extractor,
        jobs=jobs,
        progress=progress,
    )
    assert isinstance(scored, TypeScores)
    [prepared] = prepare(corpus, systems, [metric], extractor=extractor, types=True, jobs=jobs)
    wrong = {system.name: _wrong(metric, prepared, system, detail, jobs=jobs) for system in systems}
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


def _wrong(metric: Errant, corpus: Corpus, system: System, detail: Detail, *, jobs: int) -> Counter[str]:
    """By type, the false positives that touch an edit of the reference that the whole score chose."""
    statistics = Evaluation.of(metric, corpus, system, jobs=jobs).statistics
    chosen = metric.rule.chosen(statistics) - corpus.reference_slots[:-1]
    edits = metric.hypothesis_edits(corpus, system, jobs=jobs)
    counts: Counter[str] = Counter()
    for (proposed, golds), reference in zip(metric.matched(corpus, edits), chosen.tolist(), strict=True):
        gold = golds[reference]
        for key, types in proposed.items():
            if key not in gold and _touches(key, gold):
                counts.update(at_detail(kind, detail) for kind in types)
    return counts


def _touches(key: Hashable, gold: TypesByKey) -> bool:
    start, end = _span(key)
    return any((start, end) == other or (start < other[1] and other[0] < end) for other in map(_span, gold))


def _span(key: Hashable) -> tuple[int, int]:
    """The source words of a key: a word, or a span and what it becomes."""
    if isinstance(key, tuple):
        return key[0], key[1]
    assert isinstance(key, int)
    return key, key + 1
