"""Ranges of ranks, by comparing every system with every other in every resample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gecval.stats.resampling import sign


def rank_ranges(resampled: NDArray[np.float64], tail: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The best and the worst rank of each system, without a share ``tail`` of all resamples at either end."""
    best, worst = np.empty(resampled.shape, dtype=np.int64), np.empty(resampled.shape, dtype=np.int64)
    for i in range(resampled.shape[1]):
        others = sign(resampled - resampled[:, i, None])
        best[:, i] = 1 + (others > 0).sum(axis=1)
        worst[:, i] = np.where(np.isnan(resampled[:, i]), resampled.shape[1], (others >= 0).sum(axis=1))
    size = len(resampled)
    cut = min(round(size * tail), (size - 1) // 2)
    return np.sort(best, axis=0)[cut], np.sort(worst, axis=0)[size - 1 - cut]
