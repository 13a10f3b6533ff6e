"""Metrics whose corpus score is the mean of the sentence scores: a row is the sentence's value and a 1."""

import numpy as np

from gecval.metrics.base import Array, Metric, Ratio


def with_count(values: Array) -> Array:
    """Rows (value, 1)."""
    return np.stack([values, np.ones_like(values)], axis=-1)


class AveragedMetric(Metric):
    """score = Σ value / Σ 1."""

    def score(self, totals: Array) -> Array:
        mean: Array = totals[..., 0] / totals[..., 1]
        return mean

    def as_ratio(self) -> Ratio | None:
        return (1, 0), (0, 1)
