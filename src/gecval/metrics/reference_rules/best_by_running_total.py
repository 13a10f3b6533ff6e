"""The ``running-best`` rule: the annotator who gives the best F with the totals so far, sentence after sentence.

Ties between references are decided here and in the native core:

    M²               F = (1 + β²)(C + c) / (β²(G + g) + (P + p)); ties: more correct, then fewer proposed and gold edits
    ERRANT           F = (1 + β²)PR / (β²P + R) of tp, fp, fn to four decimals; ties: more tp, fewer fp, fewer fn
    ERRANT, macro    the mean of such F over all types; ties as ERRANT's (``errant.py``)
    weighted ERRANT  F as it is, not rounded; ties as ERRANT's, then the earlier reference
    CLEME            as ERRANT, then more tn; CLEME2.0: its own score, not rounded (``cleme.py``)

The choice depends on the order of the sentences and on β, so every resample must choose again. The native core does:
``native/reference_rules/best_by_running_total.hpp``.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gecval import _native
from gecval.metrics.base import Array, PageFormula, Statistics
from gecval.metrics.reference_rules.reference_rule import Draws, ReferenceRule
from gecval.runtime.run import SERIAL, Run

if TYPE_CHECKING:
    from gecval.metrics.base import Metric

SENTENCES_AT_ONCE = 4_000_000  # sentences in lists that are scored together: 32 MB


class RunningRule(ReferenceRule):
    """A choice that depends on the sentences before it, so it is made again for every list of sentences."""

    @abstractmethod
    def totals_over(self, statistics: Statistics, draws: Draws, *, run: Run) -> Array:
        """Summed statistics over each list of sentences."""

    def sentence_rows(self, metric: Metric, statistics: Statistics) -> Array:
        return self.totals_over(statistics, np.arange(len(statistics), dtype=np.int64)[:, None], run=SERIAL)

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return metric.sentence_score(self.sentence_rows(metric, statistics))

    def totals(self, metric: Metric, statistics: Statistics, *, run: Run = SERIAL) -> Array:
        return self.totals_over(statistics, np.arange(len(statistics), dtype=np.int64)[None], run=SERIAL)

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, run: Run = SERIAL) -> Array:
        return metric.score(self.totals_over(statistics, draws, run=run))

    def scores_without(
        self, metric: Metric, statistics: Statistics, blocks: list[slice], *, run: Run = SERIAL
    ) -> Array:
        return metric.score(self.totals_without(statistics, blocks, run=run))

    def totals_without(self, statistics: Statistics, blocks: list[slice], *, run: Run) -> Array:
        """Summed statistics over all sentences but those of each block."""
        everything = np.arange(len(statistics), dtype=np.int64)
        most = max(1, SENTENCES_AT_ONCE // len(statistics))
        totals = []
        # Lists of equal length go to the native core together.
        for _, equal in groupby(blocks, lambda block: block.stop - block.start):
            while batch := list(islice(equal, most)):
                draws = np.stack([np.delete(everything, block) for block in batch])
                totals.append(self.totals_over(statistics, draws, run=run))
        return np.concatenate(totals)


class NativeRunningRule(RunningRule):
    """A choice among rows of counts that the native core makes: ``preference`` names what it prefers."""

    name: ClassVar[str] = "running-best"
    beta: float
    preference: str
    factors: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)  # those of CLEME2.0

    def totals_over(self, statistics: Statistics, draws: Draws, *, run: Run) -> Array:
        return _native.running_best_totals(
            statistics.rows,
            statistics.offsets,
            draws,
            beta=self.beta,
            preference=self.preference,
            factors=self.factors,
            jobs=run.threads,
        )

    def totals_without(self, statistics: Statistics, blocks: list[slice], *, run: Run) -> Array:
        ends = np.array([(block.start, block.stop) for block in blocks], dtype=np.int64).reshape(-1, 2)
        return _native.running_best_without(
            statistics.rows,
            statistics.offsets,
            ends,
            beta=self.beta,
            preference=self.preference,
            factors=self.factors,
            jobs=run.threads,
        )


@dataclass(frozen=True)
class RunningBest(NativeRunningRule):
    """The choice of M² among rows (correct, proposed, gold), or of ERRANT among rows (tp, fp, fn)."""

    beta: float = 0.5
    preference: Literal["m2", "errant", "exact"] = "m2"
    columns: ClassVar[int | None] = 3

    def choose_rows(self, statistics: Statistics) -> Draws:
        """The row chosen for each sentence."""
        return _native.running_best(statistics.rows, statistics.offsets, beta=self.beta, preference=self.preference)

    def page_rule(self) -> PageFormula | None:
        return {"name": "runningBest", "preference": self.preference, "beta": self.beta}


@dataclass(frozen=True)
class ExactBest(RunningBest):
    """ERRANT's choice for weighted edits. Sums of weights that differ by rounding alone (1e-12) are equal."""

    preference: Literal["m2", "errant", "exact"] = "exact"

    def page_rule(self) -> PageFormula | None:
        return {"name": "runningRows", "preference": "exact", "beta": self.beta}
