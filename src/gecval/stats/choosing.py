"""Which outputs to show a judge next: those of systems that were compared least so far.

    need(i, j) = 1 / (1 + n)        n is how often i and j were ranked beside each other

What a judge sees is worth the sum over all pairs of systems in different outputs. An output may be that of several
systems, and then one judgment is one of them all. On the judgments of GJG15 rules that also ask how sure the order of
two systems is did no better (``benchmarks/judgments.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gecval.stats.ranking import HeadToHead
from gecval.stats.resampling import Array


def need(head: HeadToHead) -> Array:
    """[system, system]: how much a comparison of two systems is worth after those so far.

    >>> need(HeadToHead.of(("a", "b", "c"), np.array([[-1.0, -2.0, np.nan], [-1.0, -1.0, np.nan]]))).round(2).tolist()
    [[0.0, 0.33, 1.0], [0.33, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    worth: Array = 1 / (1 + head.wins + head.wins.T + head.ties)
    np.fill_diagonal(worth, 0.0)
    return worth


def most_needed(outputs: Sequence[Sequence[int]], worth: Array, *, most: int = 5) -> list[int]:
    """Up to ``most`` of the outputs, greedily: the best two, then whatever adds most. An output is that of systems.

    >>> most_needed([[0], [1, 2], [3]], np.array([[0, 2, 2, 3], [2, 0, 0, 1], [2, 0, 0, 1], [3, 1, 1, 0.0]]), most=2)
    [0, 1]
    """
    size = len(outputs)
    between = np.full((size, size), -1.0)  # no output beside itself, though no other pair be worth anything
    for a, b in combinations(range(size), 2):
        between[a, b] = between[b, a] = worth[np.ix_(outputs[a], outputs[b])].sum()
    chosen = list(map(int, np.unravel_index(between.argmax(), between.shape))) if size > 1 else []
    while len(chosen) < min(most, size) and chosen:
        gain = between[chosen].sum(axis=0)
        gain[chosen] = -1.0
        chosen.append(int(gain.argmax()))
    return sorted(chosen)
