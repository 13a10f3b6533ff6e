"""Which errors does a system correct? ERRANT's score and M²'s recall by type, and a checker's errors by category.

Each sentence is compared with the annotator whom the whole score chose, in resamples too.
"""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric, Statistics
from gecval.metrics.errant import Errant
from gecval.metrics.errant_types import Detail, statistics_by_type, type_score
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.grammaticality import Grammaticality
from gecval.metrics.m2 import M2
from gecval.metrics.m2_types import recall_by_type
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling, bootstrap_interval
from gecval.stats.multiple import Correction
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.pairs import Contender, compared, correction_notes, with_correction
from gecval.studies.scores.results import Comparisons
from gecval.studies.scores.signature import signature
from gecval.studies.scores.type_results import (
    ErrorCategories,
    SystemErrors,
    SystemTypeRecall,
    SystemTypeScore,
    TypeRecalls,
    TypeScores,
)


def score_by_type(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    detail: Detail = "category",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> TypeScores | TypeRecalls | ErrorCategories:
    """The scores of ``errant`` by type of error, the recall of ``m2``, or the errors that ``lt`` finds by category.

    ``resampling`` gives the scores of ``errant`` confidence intervals. ``detail`` says how fine types are.
    """
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), given_jobs(jobs)
    metric = wanted[0] if len(wanted) == 1 else None
    if isinstance(metric, Grammaticality):
        return _categories(metric, corpus, listed, jobs=workers, progress=progress)
    if isinstance(metric, M2):
        [prepared] = prepare(corpus, listed, wanted, extractor=extractor, jobs=workers, progress=progress)
        announce(progress, "scoring by type")
        recalls = _recalls(metric, prepared, listed, detail, jobs=workers)
        return replace(recalls, notes=(*oddities(corpus, listed, wanted), *recalls.notes))
    errant = _errant(metric)
    [prepared] = prepare(corpus, listed, wanted, extractor=extractor, types=True, jobs=workers, progress=progress)
    announce(progress, "scoring by type")
    resampling = resampling if len(corpus) > 1 else None
    types = []
    for system in listed:
        by_type = statistics_by_type(errant, prepared, system, detail, jobs=workers)
        for row in (type_score(errant, kind, statistics) for kind, statistics in by_type.items()):
            of_type = Evaluation(errant, by_type[row.type], jobs=workers, system=system.name)
            types.append(
                SystemTypeScore(
                    system=system.name,
                    type=row.type,
                    tp=row.tp,
                    fp=row.fp,
                    fn=row.fn,
                    precision=row.precision,
                    recall=row.recall,
                    score=row.score,
                    interval=bootstrap_interval(of_type, resampling) if resampling else None,
                )
            )
    return TypeScores(
        metric=repr(errant),
        detail=detail,
        level=resampling.level if resampling else None,
        types=tuple(types),
        signature=signature(errant, prepared, "corpus", systems=listed, resampling=resampling),
        notes=(*oddities(corpus, listed, wanted), *prepared.notes),
    )


def compare_by_type(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    detail: Detail = "category",
    resampling: Resampling | None = None,
    correction: Correction = "none",
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Comparisons:
    """Test each system against the baseline under ``errant``, for every type of error that one of the two has.

    ``correction`` (``holm`` or ``bh``) corrects the p-values for the number of types and systems.
    """
    resampling = resampling or Resampling()
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), given_jobs(jobs)
    errant = _errant(wanted[0] if len(wanted) == 1 else None)
    [prepared] = prepare(
        corpus, [baseline, *listed], wanted, extractor=extractor, types=True, jobs=workers, progress=progress
    )
    announce(progress, "testing differences")
    nothing = Statistics.one_per_sentence(np.zeros((len(corpus), 3)))

    def contender(system: System, statistics: Statistics | None) -> Contender:
        return Contender(Evaluation(errant, statistics or nothing, jobs=workers, system=system.name), resampling)

    before = statistics_by_type(errant, prepared, baseline, detail, jobs=workers)
    of_baseline = {kind: contender(baseline, statistics) for kind, statistics in before.items()}
    comparisons = []
    for system in listed:
        signed = signature(errant, prepared, "corpus", systems=[baseline, system], resampling=resampling)
        after = statistics_by_type(errant, prepared, system, detail, jobs=workers)
        for kind in sorted(set(before) | set(after)):
            first = of_baseline.get(kind) or contender(baseline, None)
            comparisons.append(compared(first, contender(system, after.get(kind)), signature=signed, type=kind))
    notes = (*correction_notes(comparisons, correction, resampling), *oddities(corpus, [baseline, *listed], wanted))
    return Comparisons(comparisons=with_correction(comparisons, correction), notes=notes + prepared.notes)


def _recalls(metric: M2, corpus: Corpus, systems: list[System], detail: Detail, *, jobs: int) -> TypeRecalls:
    if metric.level != "correction" or metric.bonus:
        raise InputError(
            "recall by type has strengths of its own; it takes m2 without level and bonus", parameter="metrics"
        )
    types: list[SystemTypeRecall] = []
    notes: list[str] = []
    for system in systems:
        statistics = Evaluation.of(metric, corpus, system, jobs=jobs).statistics
        by_type = recall_by_type(metric, corpus, system, statistics=statistics, detail=detail, jobs=jobs)
        types += [SystemTypeRecall(system=system.name, type=kind, **asdict(row)) for kind, row in by_type.items()]
        notes += statistics.notes
    return TypeRecalls(
        metric=repr(metric),
        detail=detail,
        types=tuple(types),
        signature=signature(metric, corpus, "corpus"),
        notes=(*dict.fromkeys(notes), *corpus.notes),
    )


def _errant(metric: Metric | None) -> Errant:
    if not isinstance(metric, Errant):
        raise InputError(
            "scores by type of error are those of errant, and of no other metric; m2 has recall by type, and lt and "
            "grammaticality count errors by category, both without a comparison",
            parameter="metrics",
        )
    return metric


def _categories(
    metric: Grammaticality, corpus: Corpus, systems: list[System], *, jobs: int, progress: Progress
) -> ErrorCategories:
    metric.prepare(corpus, systems, jobs=jobs, progress=progress)
    errors = [
        SystemErrors(system=system.name, categories=metric.errors_by_category(system, jobs=jobs)) for system in systems
    ]
    return ErrorCategories(metric=repr(metric), systems=tuple(errors), notes=corpus.notes)
