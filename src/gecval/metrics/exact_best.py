"""The ``running-best`` rule for weighted edits: ERRANT's choice, by F as it is and not by F to four decimals.

    F = (1 + β²)PR / (β²P + R) of the totals so far and the row; P = 1 without fp, R = 1 without fn
    ties: more tp, fewer fp, fewer fn, then the earlier reference

Sums of weights that differ by rounding alone are equal. All lists of sentences choose side by side, a sentence each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gecval.metrics.base import Array, Statistics
from gecval.metrics.ratios import f_score, precision_recall
from gecval.metrics.rules import Draws
from gecval.metrics.running_best import RunningBest

NOISE = 1e-12


@dataclass(frozen=True)
class ExactBest(RunningBest):
    preference: Literal["m2", "errant"] = "errant"

    def chosen(self, statistics: Statistics) -> Draws:
        """The row chosen for each sentence."""
        everything = np.arange(len(statistics), dtype=np.int64)[None]
        _, chosen = self._choose(statistics, everything)
        return chosen.reshape(-1)

    def totals_over(self, statistics: Statistics, draws: Draws, *, jobs: int) -> Array:
        return self._choose(statistics, draws)[0]

    def _choose(self, statistics: Statistics, draws: Draws) -> tuple[Array, Draws]:
        """The totals of each list, and the row chosen for each of its sentences."""
        candidates = _padded(statistics.offsets)
        totals = np.zeros((len(draws), statistics.rows.shape[1]))
        chosen = np.empty(draws.shape, dtype=np.int64)
        lists = np.arange(len(draws))
        for k, sentences in enumerate(draws.T):
            rows = candidates[sentences]
            sums = totals[:, None] + statistics.rows[rows]
            best = self._first_best(sums)
            totals, chosen[:, k] = sums[lists, best], rows[lists, best]
        return totals, chosen

    def _first_best(self, sums: Array) -> NDArray[np.int64]:
        tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
        f = f_score(*precision_recall(sums), self.beta)
        left = np.ones(f.shape, dtype=bool)
        for key in (f, tp, -fp, -fn):
            best = np.where(left, key, -np.inf).max(axis=1, keepdims=True)
            left &= key >= best - NOISE
        first: NDArray[np.int64] = left.argmax(axis=1)
        return first


def _padded(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of each sentence, [sentence, reference]; where it has fewer than others, its first row again.

    >>> _padded(np.array([0, 2, 3])).tolist()
    [[0, 1], [2, 2]]
    """
    counts = np.diff(offsets)
    places = np.arange(counts.max(initial=1))
    return offsets[:-1, None] + np.where(places < counts[:, None], places, 0)
