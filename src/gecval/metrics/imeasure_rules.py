"""How I-measure chooses among annotators' references, where they are not mixed.

The reference with the greatest objective wins; by default this is the WAcc of the correction aspect. Ties go by I, WAcc
and Acc of that aspect, then of the other aspect. Either the sentence counts alone, or with the totals before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypedDict

import numpy as np

from gecval import _native
from gecval.metrics.base import Array, Statistics
from gecval.metrics.rules import AdditiveRule, Pooled
from gecval.metrics.running_best import RunningRule
from gecval.metrics.times_drawn import Draws

if TYPE_CHECKING:
    from gecval.metrics.base import Metric


class Arguments(TypedDict):
    maximise: str
    weight: float
    beta: float


@dataclass(frozen=True)
class Objective:
    """What the chosen reference maximises, as the original's ``-max``: c or d, and a measure."""

    maximise: str
    weight: float
    beta: float

    def arguments(self) -> Arguments:
        return {"maximise": self.maximise, "weight": self.weight, "beta": self.beta}

    def chosen(self, statistics: Statistics, draws: Draws, *, running: bool) -> Draws:
        """The row chosen for each sentence of a list."""
        return _native.imeasure_choose(statistics.rows, statistics.offsets, draws, **self.arguments(), running=running)


@dataclass(frozen=True)
class BestCounts(AdditiveRule):
    objective: Objective
    name: ClassVar[str] = "best"
    columns: ClassVar[int | None] = 7

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        yield self._best(statistics)

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return metric.sentence_score(self._best(statistics))

    def _best(self, statistics: Statistics) -> Array:
        everything = np.arange(len(statistics), dtype=np.int64)
        best: Array = statistics.rows[self.objective.chosen(statistics, everything, running=False)]
        return best


@dataclass(frozen=True)
class Mixed(Pooled):
    """The search has already seen every combination of the annotators' corrections: a sentence has one row."""

    name: ClassVar[str] = "mixed"


@dataclass(frozen=True)
class RunningBestCounts(RunningRule):
    objective: Objective
    name: ClassVar[str] = "running-best"
    columns: ClassVar[int | None] = 7

    def totals_over(self, statistics: Statistics, draws: Draws, *, jobs: int) -> Array:
        return np.array(
            [statistics.rows[self.objective.chosen(statistics, draw, running=True)].sum(axis=0) for draw in draws]
        )
