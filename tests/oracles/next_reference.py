"""Slow and plain: the best choice of references by trying all, and pairs of a reference that is left out."""

from __future__ import annotations

from itertools import product

import numpy as np


def best_ratio(rows: list[list[np.ndarray]], u: np.ndarray, v: np.ndarray) -> float:
    """The largest u·T / v·T over all choices of one row for every sentence."""
    ratios = []
    for choice in product(*rows):
        total = sum(choice)
        ratios.append(float(u @ total) / float(v @ total) if v @ total > 0 else 0.0)
    return max(ratios)


def pairs(values: np.ndarray, wrong: np.ndarray, counts: list[int]) -> list[tuple[float, float]]:
    """(wrong, gain) of every reference left out, for ``values[system, sentence, reference]``."""
    made = []
    for i, count in enumerate(counts):
        for left in range(count) if count > 1 else ():
            others = [r for r in range(count) if r != left]
            of_systems = []
            for s in range(len(values)):
                best = max(others, key=lambda r: (values[s, i, r], -r))
                of_systems.append((wrong[s, i, best], max(values[s, i, :count]) - values[s, i, best]))
            made.append(tuple(np.mean(of_systems, axis=0)))
    return made
