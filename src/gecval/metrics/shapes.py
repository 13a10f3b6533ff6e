"""Whether a metric's statistics fit. After this check nothing looks at shapes again, not even the native core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gecval.errors import InputError
from gecval.metrics.rules import Pooled

if TYPE_CHECKING:
    from gecval.metrics.base import Metric, Statistics


def check_fit(statistics: Statistics, metric: Metric, sentences: int) -> None:
    """Refuse statistics of another number of sentences, and those that the metric's rule cannot read."""
    wrong = _misfit(statistics, metric, sentences)
    if wrong:
        raise InputError(f"{metric!r}: its statistics {wrong}")


def _misfit(statistics: Statistics, metric: Metric, sentences: int) -> str | None:
    rows, offsets = statistics.rows, statistics.offsets
    for name, array, dimensions, kind in (("rows", rows, 2, np.float64), ("offsets", offsets, 1, np.int64)):
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.ndim != dimensions:
            return f"need {name} in a numpy array with {dimensions} axes and numbers of type {kind.__name__}"
    if len(offsets) != sentences + 1:
        return f"are of {len(offsets) - 1} sentences, and the corpus has {sentences}"
    if offsets[0] != 0 or offsets[-1] != len(rows) or (np.diff(offsets) < 1).any():
        return f"need offsets that rise from 0 to the number of rows, {len(rows)}, with a row or more for each sentence"
    if isinstance(metric.rule, Pooled) and len(rows) != sentences:
        return f"have {len(rows)} rows, and the rule {metric.rule.name} takes one for each of {sentences} sentences"
    if metric.rule.columns not in (None, rows.shape[1]):
        return f"have {rows.shape[1]} columns, and the rule {metric.rule.name} takes {metric.rule.columns}"
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        sentence = int(np.searchsorted(offsets, row, side="right"))
        return f"hold {rows[row][~np.isfinite(rows[row])][0]} for sentence {sentence}"
    return None
