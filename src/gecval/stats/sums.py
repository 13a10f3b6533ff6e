"""Many figures of one corpus, each a function of sums over sentences, with an interval for each.

Rows add up over sentences: ``rows[sentence, ...]``. A figure is a function of the totals. The resamples are drawn once
for all figures, and only their totals are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from gecval.stats.resampling import Array, Draws, Interval, Resampling, interval_of, percentile_interval

Figures = Callable[[Array], Array]  # totals [..., rows' axes] to figures, with the leading axes kept


@dataclass(frozen=True, eq=False)
class SentenceSums:
    """Rows of every sentence, and the totals of every resample."""

    rows: Array
    resampling: Resampling
    resampled: Array = field(init=False)

    def __post_init__(self) -> None:
        size, flat = len(self.rows), self.rows.reshape(len(self.rows), -1)
        totals = [_weights(draws, size) @ flat for draws in self.resampling.draws(size)]
        object.__setattr__(self, "resampled", np.concatenate(totals).reshape(-1, *self.rows.shape[1:]))

    def figure(self, of: Figures, *, level: float | None = None) -> tuple[float, Interval | None]:
        """A single figure with its interval. It may be undefined; then it is NaN, and its interval is None.

        Resamples in which the figure is undefined are left out, and the interval is then that of percentiles. A single
        sentence has no interval. ``level`` is by default that of the resampling.

        >>> sums = SentenceSums(np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]), Resampling(level=0.5))
        >>> sums.figure(lambda totals: totals[..., 0] / totals[..., 1])
        (0.5714285714285714, Interval(low=0.5, high=0.6666666666666666))
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            value, resampled = float(of(self.rows.sum(axis=0))), of(self.resampled)
        if np.isnan(value) or len(self.rows) < 2:
            return value, None
        how = self.resampling if level is None else replace(self.resampling, level=level)
        if np.isnan(resampled).any():
            interval = percentile_interval(resampled, how.level)
        else:
            interval = interval_of(
                resampled,
                value,
                lambda blocks: self._without(blocks, of, value),
                size=len(self.rows),
                resampling=how,
            )
        return value, None if np.isnan(interval).any() else interval

    def _without(self, blocks: list[slice], of: Figures, value: float) -> Array:
        left_out = np.add.reduceat(self.rows, [block.start for block in blocks])
        with np.errstate(divide="ignore", invalid="ignore"):
            figures = np.asarray(of(self.rows.sum(axis=0) - left_out))
        return np.where(np.isnan(figures), value, figures)  # a block that holds all edits shifts nothing


def _weights(draws: Draws, size: int) -> Array:
    return np.array([np.bincount(draw, minlength=size)[:size] for draw in draws], dtype=np.float64)
