"""Which errors does a system correct? ERRANT's score for every type of error, and a checker's errors by category."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gecval.cores import cores
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.errant import Errant
from gecval.metrics.errant_types import Detail, scores_by_type
from gecval.metrics.grammaticality import Grammaticality
from gecval.progress import Progress, silent
from gecval.result import Result
from gecval.studies.inputs import Metrics, Systems, given_metrics, given_systems
from gecval.studies.preparation import prepare
from gecval.studies.scores.signature import signature


@dataclass(frozen=True, kw_only=True)
class SystemTypeScore:
    """How a system fares with errors of one type."""

    system: str
    type: str
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    score: float


@dataclass(frozen=True, kw_only=True, repr=False)
class TypeScores(Result):
    """Scores of systems under ERRANT, a row for each type of error."""

    kind: ClassVar[str] = "type-scores"
    main: ClassVar[str] = "types"

    metric: str
    detail: Detail
    types: tuple[SystemTypeScore, ...]
    signature: str


@dataclass(frozen=True, kw_only=True)
class SystemErrors:
    """How many errors of each category a grammar checker finds in one output."""

    system: str
    categories: Mapping[str, int]


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorCategories(Result):
    """The errors that a grammar checker finds in outputs, by its categories."""

    kind: ClassVar[str] = "error-categories"
    main: ClassVar[str] = "systems"

    metric: str
    systems: tuple[SystemErrors, ...]


def score_by_type(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    detail: Detail = "category",
    jobs: int | None = None,
    progress: Progress = silent,
) -> TypeScores | ErrorCategories:
    """The scores of ``errant`` by type of error, or the errors that ``lt`` finds by category."""
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), jobs or cores()
    metric = wanted[0]
    if len(wanted) == 1 and isinstance(metric, Grammaticality):
        metric.prepare(corpus, listed, jobs=workers, progress=progress)
        errors = [
            SystemErrors(system=system.name, categories=metric.errors_by_category(system, jobs=workers))
            for system in listed
        ]
        return ErrorCategories(metric=repr(metric), systems=tuple(errors), notes=corpus.notes)
    if len(wanted) != 1 or not isinstance(metric, Errant):
        raise InputError("scores by type are those of one metric: errant, lt or grammaticality")
    [prepared] = prepare(corpus, listed, wanted, jobs=workers, progress=progress)
    types = [
        SystemTypeScore(
            system=system.name,
            type=row.type,
            tp=row.tp,
            fp=row.fp,
            fn=row.fn,
            precision=row.precision,
            recall=row.recall,
            score=row.score,
        )
        for system in listed
        for row in scores_by_type(metric, prepared, system, detail, jobs=workers)
    ]
    signed = signature(metric, prepared, "corpus")
    return TypeScores(metric=repr(metric), detail=detail, types=tuple(types), signature=signed, notes=corpus.notes)
