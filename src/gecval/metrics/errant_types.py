"""ERRANT's score by error type, at three levels of detail: M/R/U, NOUN, M:NOUN.

A sentence is compared with the annotator whom the whole score chose. A match counts for the reference's type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Statistics
from gecval.metrics.errant import Errant, compared
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.parameters import one_of

Detail = Literal["operation", "category", "full"]
DETAILS: tuple[Detail, ...] = get_args(Detail)


@dataclass(frozen=True, kw_only=True)
class TypeScore:
    """How a system fares with errors of one type."""

    type: str
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    score: float


def scores_by_type(
    metric: Errant, corpus: Corpus, system: System, detail: Detail = "full", *, jobs: int = 1
) -> list[TypeScore]:
    """One row for each type that occurs, by name."""
    return [
        type_score(metric, kind, statistics)
        for kind, statistics in statistics_by_type(metric, corpus, system, detail=detail, jobs=jobs).items()
    ]


def statistics_by_type(
    metric: Errant, corpus: Corpus, system: System, detail: Detail = "full", *, jobs: int = 1
) -> dict[str, Statistics]:
    """tp, fp and fn of every sentence for each type that occurs, by name."""
    one_of(metric.name, DETAILS, detail=detail)
    statistics = Evaluation.of(metric, corpus, system, jobs=jobs).statistics
    chosen = metric.rule.chosen(statistics) - corpus.reference_slots[:-1]
    rows: dict[str, Array] = {}
    edits = metric.hypothesis_edits(corpus, system, jobs=jobs)
    for i, ((proposed, golds), reference) in enumerate(zip(metric.matched(corpus, edits), chosen, strict=True)):
        for kind, counts in compared(proposed, golds[reference]).items():
            rows.setdefault(at_detail(kind, detail), np.zeros((len(corpus), 3)))[i] += counts
    return {kind: Statistics.one_per_sentence(rows[kind]) for kind in sorted(rows)}


def at_detail(kind: str, detail: Detail) -> str:
    """The part of a type that a level of detail shows. Types that do not start with an operation stay whole.

    >>> [at_detail("R:VERB:SVA", detail) for detail in DETAILS]
    ['R', 'VERB:SVA', 'R:VERB:SVA']
    """
    operation, _, category = kind.partition(":")
    if detail == "full" or operation not in ("M", "R", "U"):
        return kind
    return operation if detail == "operation" else category or kind


def type_score(metric: Errant, kind: str, statistics: Statistics) -> TypeScore:
    """The score of one type."""
    total = statistics.rows.sum(axis=0)
    parts = metric.parts(total)
    return TypeScore(
        type=kind,
        tp=int(parts["tp"]),
        fp=int(parts["fp"]),
        fn=int(parts["fn"]),
        precision=parts["precision"],
        recall=parts["recall"],
        score=float(metric.score(total)),
    )
