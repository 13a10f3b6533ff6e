"""Totals over lists of sentences, where every repetition draws one reference of each sentence.

    total[b, j] = Σᵢ weight[b, i] · row[i, choice[i, j]]

The native core adds up how rows differ from the first row of their sentence, in the smallest numbers that hold all
sums. So whole numbers add up without rounding. Fractions do not: 0.1 + 0.2 − 0.1 − 0.2 leaves 3e-17, and a ratio of two
such sums is any number. So rows with fractions are compared with a row of zeros: their sums take nothing away again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.metrics.base import Array, Statistics

Choices = NDArray[np.uint16]  # [sentence, repetition] → which of its rows


@dataclass(frozen=True)
class DrawnSums:
    """Lists, of which each has sentence *i* so many times: ``weights[list, i]``."""

    base: Array  # [list, k]: the totals with the first row of every sentence
    differences: NDArray[np.generic]
    offsets: NDArray[np.int64]
    weights: NDArray[np.generic]
    rows_before: int = 0  # in each sentence, before those to choose from

    @classmethod
    def of(cls, statistics: Statistics, weights: Array) -> DrawnSums:
        if not whole_numbers(statistics):
            return cls._of_fractions(statistics, weights)
        starts, counts = statistics.offsets[:-1], np.diff(statistics.offsets)
        first = statistics.rows[starts]
        differences = statistics.rows - np.repeat(first, counts, axis=0)
        largest = np.maximum.reduceat(np.abs(differences), starts)
        base, sums = np.split(weights @ np.hstack([first, largest]), 2, axis=1)  # one product is faster than two
        numbers = _smallest(sums)
        return cls(np.ascontiguousarray(base), differences.astype(numbers), statistics.offsets, weights.astype(numbers))

    @classmethod
    def _of_fractions(cls, statistics: Statistics, weights: Array) -> DrawnSums:
        rows = np.insert(statistics.rows, statistics.offsets[:-1], 0.0, axis=0)
        offsets = statistics.offsets + np.arange(len(statistics.offsets))
        return cls(np.zeros((len(weights), rows.shape[1])), np.ascontiguousarray(rows), offsets, weights, rows_before=1)

    def totals(self, choices: Choices, lists: slice) -> Array:
        """[list, repetition, k]. The numbers of a column lie side by side in memory, as scores read them fastest."""
        if self.rows_before:
            choices = choices + np.uint16(self.rows_before)
        sums = _native.drawn_sums(
            self.base[lists], self.differences, self.offsets, weights=self.weights[lists], choices=choices
        )
        return np.moveaxis(sums.reshape(len(sums), -1, choices.shape[1]), 0, -1)


def whole_numbers(statistics: Statistics) -> bool:
    return bool((statistics.rows == np.rint(statistics.rows)).all())


def _smallest(sums: Array) -> type[np.generic]:
    """The smallest type that holds sums of that size without rounding."""
    largest = sums.max(initial=0.0)
    return next((number for number in (np.int16, np.int32) if largest <= np.iinfo(number).max), np.float64)
