"""ERRANT's score by error type, at three levels of detail: M/R/U, NOUN, M:NOUN.

Each sentence is compared with the annotator whom the whole score chose; a match counts for the reference's type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.errant import Errant, compared
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.parameters import one_of

Detail = Literal["operation", "category", "full"]
DETAILS: tuple[Detail, ...] = get_args(Detail)


@dataclass(frozen=True)
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
    one_of(metric.name, "detail", detail, DETAILS)
    statistics = Evaluation.of(metric, corpus, system, jobs=jobs).statistics
    chosen = metric.rule.chosen(statistics) - corpus.reference_slots[:-1]
    counts: dict[str, list[int]] = {}
    edits = metric.found(corpus, system, jobs=jobs)
    for (mine, golds), reference in zip(metric.matched(corpus, edits), chosen, strict=True):
        for kind, found in compared(mine, golds[reference]).items():
            total = counts.setdefault(at_detail(kind, detail), [0, 0, 0])
            for k in range(3):
                total[k] += found[k]
    return [_type_score(metric, kind, total) for kind, total in sorted(counts.items())]


def at_detail(kind: str, detail: Detail) -> str:
    """The part of a type that a level of detail shows; types that do not start with an operation stay whole.

    >>> [at_detail("R:VERB:SVA", detail) for detail in DETAILS]
    ['R', 'VERB:SVA', 'R:VERB:SVA']
    """
    operation, _, category = kind.partition(":")
    if detail == "full" or operation not in ("M", "R", "U"):
        return kind
    return operation if detail == "operation" else category or kind


def _type_score(metric: Errant, kind: str, total: list[int]) -> TypeScore:
    tp, fp, fn = total
    row = np.array(total, dtype=np.float64)
    parts = metric.parts(row)
    return TypeScore(kind, tp, fp, fn, parts["precision"], parts["recall"], float(metric.score(row)))
