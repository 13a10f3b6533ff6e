"""The mean of one value a sentence, ready to be resampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gecval.stats.resampling import Array, Draws


@dataclass(frozen=True, eq=False)
class SentenceMean:
    """
    >>> from gecval.stats import Resampling, bootstrap_interval
    >>> bootstrap_interval(SentenceMean(np.array([0.0, 1.0, 1.0, 1.0])), Resampling(level=0.5))
    Interval(low=0.5, high=1.0)
    """

    values: Array

    def __len__(self) -> int:
        return len(self.values)

    def score(self) -> float:
        return float(self.values.mean())

    def scores_over(self, draws: Draws) -> Array:
        """Of each list; ``len(self)`` stands for no sentence."""
        kept = draws < len(self)
        if not kept.all():
            return np.asarray(np.append(self.values, 0.0)[draws].sum(axis=1) / kept.sum(axis=1))
        means: Array = self.values[draws].mean(axis=1)
        return means

    def scores_without(self, blocks: list[slice]) -> Array:
        return np.array([np.delete(self.values, block).mean() for block in blocks])
