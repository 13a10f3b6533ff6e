"""How often lists of sentences, such as resamples, have each sentence: then totals are a matrix product."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gecval.metrics.base import Array

Draws = NDArray[np.int64]  # [list, position] → sentence


def times_drawn(draws: Draws, size: int) -> Array:
    """How often each list has each sentence. Lists that nobody may write to serve many systems: they are counted once.

    >>> times_drawn(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist()
    [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    """
    return _counted(draws, size) if draws.flags.writeable else _kept_counts(_Same(draws), size)


def draws_sentence(draws: Draws, sentence: int) -> bool:
    """Whether any list has a sentence. This too is looked for once in lists that serve many systems.

    >>> draws_sentence(np.array([[0, 2, 2], [1, 1, 1]]), 3)
    False
    """
    return _draws(draws, sentence) if draws.flags.writeable else _kept_draws(_Same(draws), sentence)


class _Same:
    """An array that is known by its identity."""

    def __init__(self, array: Draws) -> None:
        self.array = array

    def __hash__(self) -> int:
        return id(self.array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.array is self.array


@lru_cache(maxsize=2)  # of the two systems of a paired test
def _kept_counts(lists: _Same, size: int) -> Array:
    counts = _counted(lists.array, size)
    counts.setflags(write=False)
    return counts


@lru_cache(maxsize=2)
def _kept_draws(lists: _Same, sentence: int) -> bool:
    return _draws(lists.array, sentence)


def _draws(draws: Draws, sentence: int) -> bool:
    return bool((draws == sentence).any())


def _counted(draws: Draws, size: int) -> Array:
    if draws.size and not 0 <= draws.min() <= draws.max() < size:
        raise ValueError("there is no sentence of that number")
    places = draws + np.arange(len(draws))[:, None] * size
    return np.bincount(places.reshape(-1), minlength=len(draws) * size).reshape(-1, size).astype(np.float64)
