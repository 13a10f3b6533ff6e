"""Which outputs come next: the doubt of a pair by its formula, and the choice against all choices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.stats.choosing import doubts, most_doubtful


def test_without_judgments_all_pairs_are_in_full_doubt() -> None:
    doubt = doubts(("a", "b"), np.empty((0, 2)), np.empty(0, dtype=np.int64), np.random.default_rng(1))
    assert doubt.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_doubt_by_its_formula() -> None:
    """a is above b in all of 14 judgments, so in every resample; a and c tie in both of theirs, but a beat b."""
    preferences = np.array([[-1.0, -2.0, np.nan]] * 14 + [[-1.0, np.nan, -1.0]] * 2)
    doubt = doubts(("a", "b", "c"), preferences, np.zeros(16, dtype=np.int64), np.random.default_rng(1))
    p = 15 / 16
    assert doubt[0, 1] == pytest.approx(4 * p * (1 - p) / np.sqrt(15))
    assert doubt[1, 2] == 1.0  # they never met
    assert (doubt == doubt.T).all()


@given(st.integers(2, 6), st.integers(0, 2**31))
def test_the_first_two_are_the_most_doubtful_pair(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    doubt = rng.random((size, size))
    doubt = doubt + doubt.T
    outputs = [[system] for system in range(size)]
    best = max(combinations(range(size), 2), key=lambda pair: doubt[pair])
    assert most_doubtful(outputs, doubt, most=2) == (list(best), pytest.approx(doubt[best]))
    chosen, value = most_doubtful(outputs, doubt, most=5)
    assert len(chosen) == min(size, 5)
    assert value == pytest.approx(sum(doubt[pair] for pair in combinations(chosen, 2)))
    assert set(best) <= set(chosen)


def test_an_output_of_several_systems_has_the_greatest_of_their_doubts() -> None:
    doubt = np.array([[0.0, 0.1, 0.9], [0.1, 0.0, 0.2], [0.9, 0.2, 0.0]])
    assert most_doubtful([[0, 1], [2]], doubt) == ([0, 1], 0.9)
    assert most_doubtful([[0, 1, 2]], doubt) == ([], 0.0)
