"""The ``running-best`` rule: the annotator who gives the best F with the totals so far, sentence after sentence.

    M²      F = (1 + β²)(C + c) / (β²(G + g) + (P + p)); ties: more correct, then fewer proposed and gold edits
    ERRANT  F = (1 + β²)PR / (β²P + R) of tp, fp, fn to four decimals; ties: more tp, fewer fp, fewer fn
    macro   the mean of such F over all types; ties as ERRANT's
    CLEME   as ERRANT, then more tn; CLEME2.0: its own score, not rounded
    weighted errant   F as it is, not rounded: ``exact_best.py``

The choice depends on the order of the sentences and on β, so every resample must choose again. The native core does.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gecval import _native
from gecval.metrics.base import Array, Statistics
from gecval.metrics.rules import ReferenceRule
from gecval.metrics.times_drawn import Draws

if TYPE_CHECKING:
    from gecval.metrics.base import Metric


AT_ONCE = 4_000_000  # sentences in lists that are scored together: 32 MB


class RunningRule(ReferenceRule):
    """A choice that depends on the sentences before it, so it is made again for every list of sentences."""

    @abstractmethod
    def totals_over(self, statistics: Statistics, draws: Draws, *, jobs: int) -> Array:
        """Summed statistics over each list of sentences."""

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        alone = np.arange(len(statistics), dtype=np.int64)[:, None]
        return metric.sentence_score(self.totals_over(statistics, alone, jobs=1))

    def totals(self, metric: Metric, statistics: Statistics, *, jobs: int = 1) -> Array:
        return self.totals_over(statistics, np.arange(len(statistics), dtype=np.int64)[None], jobs=1)

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, jobs: int = 1) -> Array:
        return metric.score(self.totals_over(statistics, draws, jobs=jobs))

    def scores_without(self, metric: Metric, statistics: Statistics, blocks: list[slice], *, jobs: int = 1) -> Array:
        return metric.score(self.totals_without(statistics, blocks, jobs=jobs))

    def totals_without(self, statistics: Statistics, blocks: list[slice], *, jobs: int) -> Array:
        """Summed statistics over all sentences but those of each block."""
        everything = np.arange(len(statistics), dtype=np.int64)
        most = max(1, AT_ONCE // len(statistics))
        totals = []
        # Lists of equal length go to the native core together.
        for _, equal in groupby(blocks, lambda block: block.stop - block.start):
            while batch := list(islice(equal, most)):
                draws = np.stack([np.delete(everything, block) for block in batch])
                totals.append(self.totals_over(statistics, draws, jobs=jobs))
        return np.concatenate(totals)


@dataclass(frozen=True)
class RunningBest(RunningRule):
    beta: float = 0.5
    preference: Literal["m2", "errant", "exact"] = "m2"
    name: ClassVar[str] = "running-best"
    columns: ClassVar[int | None] = 3

    def chosen(self, statistics: Statistics) -> Draws:
        """The row chosen for each sentence."""
        return _native.running_best(statistics.rows, statistics.offsets, beta=self.beta, preference=self.preference)

    def totals_over(self, statistics: Statistics, draws: Draws, *, jobs: int) -> Array:
        return _native.running_best_totals(
            statistics.rows, statistics.offsets, draws, beta=self.beta, preference=self.preference, jobs=jobs
        )

    def totals_without(self, statistics: Statistics, blocks: list[slice], *, jobs: int) -> Array:
        return _native.running_best_without(
            statistics.rows, statistics.offsets, _ends(blocks), beta=self.beta, preference=self.preference, jobs=jobs
        )


@dataclass(frozen=True)
class BestChunks(RunningRule):
    """CLEME's choice, among rows of five. A row depends on the other references too: they cut the chunks."""

    beta: float = 0.5
    preference: Literal["cleme", "cleme2"] = "cleme"
    factors: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    name: ClassVar[str] = "running-best"
    columns: ClassVar[int | None] = 5
    rows_stand_alone: ClassVar[bool] = False

    def totals_over(self, statistics: Statistics, draws: Draws, *, jobs: int) -> Array:
        return _native.running_best_totals(
            statistics.rows,
            statistics.offsets,
            draws,
            beta=self.beta,
            preference=self.preference,
            factors=self.factors,
            jobs=jobs,
        )

    def totals_without(self, statistics: Statistics, blocks: list[slice], *, jobs: int) -> Array:
        return _native.running_best_without(
            statistics.rows,
            statistics.offsets,
            _ends(blocks),
            beta=self.beta,
            preference=self.preference,
            factors=self.factors,
            jobs=jobs,
        )


@dataclass(frozen=True)
class MacroBest(RunningRule):
    """The choice among rows that hold tp, fp and fn of each type."""

    beta: float = 0.5
    name: ClassVar[str] = "running-best"

    def chosen(self, statistics: Statistics) -> Draws:
        """The row chosen for each sentence."""
        return _native.macro_best(statistics.rows, statistics.offsets, beta=self.beta)

    def totals_over(self, statistics: Statistics, draws: Draws, *, jobs: int) -> Array:
        return _native.macro_best_totals(statistics.rows, statistics.offsets, draws, beta=self.beta, jobs=jobs)


def _ends(blocks: list[slice]) -> Draws:
    """Where each block starts and stops."""
    return np.array([(block.start, block.stop) for block in blocks], dtype=np.int64).reshape(-1, 2)
