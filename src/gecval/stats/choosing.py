"""Which outputs to show a judge next: those of systems that the judgments so far tell apart least.

    doubt(i, j) = 4·p·(1 − p) / √(1 + n)        p = (n·share of resamples in which i is above j + 1) / (n + 2)

n is how often the two were ranked beside each other, and resamples are those of Expected Wins over sentences. Two
systems that never met are in full doubt. The root keeps two equally good systems from taking all the judges' time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gecval.stats.ranking import HeadToHead, expected_wins
from gecval.stats.resampling import Array, times_drawn
from gecval.stats.ties import sign


def doubts(
    systems: tuple[str, ...],
    preferences: Array,
    sentences: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    resamples: int = 100,
) -> Array:
    """[system, system]: how far the judgments ``preferences[item, system]`` leave open who is better.

    >>> known = doubts(("a", "b", "c"), np.array([[-1.0, -2.0, np.nan]] * 8), np.arange(8), np.random.default_rng(1))
    >>> known.round(2).tolist()
    [[0.0, 0.12, 1.0], [0.12, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    size = len(systems)
    if not len(preferences):
        return 1 - np.eye(size)
    head = HeadToHead.of(systems, preferences)
    met = head.wins + head.wins.T + head.ties
    scores = expected_wins(HeadToHead.of(systems, preferences, times_drawn(sentences, resamples, rng)))
    outcome = sign(scores[:, :, None] - scores[:, None, :])
    above = ((outcome > 0) + (outcome == 0) / 2).mean(axis=0)
    p = (met * above + 1) / (met + 2)
    doubt: Array = 4 * p * (1 - p) / np.sqrt(1 + met)
    np.fill_diagonal(doubt, 0.0)
    return doubt


def most_doubtful(outputs: Sequence[Sequence[int]], doubt: Array, *, most: int = 5) -> tuple[list[int], float]:
    """Up to ``most`` of the outputs, greedily, and the doubt between them. An output is that of some systems.

    >>> most_doubtful([[0], [1, 2], [3]], np.array([[0, 1, 0, 5], [1, 0, 0, 0], [0, 0, 0, 2], [5, 0, 2, 0.0]]), most=2)
    ([0, 2], 5.0)
    """
    size = len(outputs)
    between = np.zeros((size, size))
    for a, b in combinations(range(size), 2):
        between[a, b] = between[b, a] = doubt[np.ix_(outputs[a], outputs[b])].max()
    chosen = list(map(int, np.unravel_index(between.argmax(), between.shape))) if size > 1 else []
    while len(chosen) < min(most, size) and chosen:
        gain = between[chosen].sum(axis=0)
        gain[chosen] = -1.0
        chosen.append(int(gain.argmax()))
    return sorted(chosen), float(between[np.ix_(chosen, chosen)].sum() / 2)
