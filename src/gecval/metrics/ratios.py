"""Precision, recall and F, and what they are where the denominator is 0. All edit metrics use this page."""

import numpy as np

from gecval.metrics.base import Array


def ratio(numerator: Array, denominator: Array, *, empty: float) -> Array:
    """``numerator / denominator``, and ``empty`` where the denominator is 0.

    >>> import numpy as np
    >>> ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0]), empty=1.0).tolist()
    [0.25, 1.0]
    """
    result = np.full(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)), empty)
    np.divide(numerator, denominator, out=result, where=np.asarray(denominator) != 0)
    return result


def precision_recall(counts: Array) -> tuple[Array, Array]:
    """tp / (tp + fp) and tp / (tp + fn), 1 where the denominator is 0; tp, fp and fn are the last axis."""
    tp, fp, fn = counts[..., 0], counts[..., 1], counts[..., 2]
    return ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)


def f_score(precision: Array, recall: Array, beta: float) -> Array:
    """(1 + β²)·P·R / (β²·P + R), 0 where both are 0."""
    squared = beta * beta
    return ratio((1 + squared) * precision * recall, squared * precision + recall, empty=0.0)
