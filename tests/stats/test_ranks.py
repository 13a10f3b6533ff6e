"""Ranges of ranks from sorted scores, against those from comparing every system with every other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gecval.stats.ranking import _rank_ranges
from gecval.stats.resampling import sign
from oracles.ranks import rank_ranges

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 9))
ROUNDING = 4e-13  # two of these are within the tolerance of a tie, three are not
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, -1.0, np.nan]),
    st.integers(-6, 6).map(lambda steps: 0.5 + steps * ROUNDING),
    st.floats(-2.0, 2.0),
)
TAILS = st.sampled_from([0.0, 0.025, 0.05, 0.25, 0.5])


@given(arrays(np.float64, SHAPES, elements=SCORES), TAILS)
def test_the_ranges_are_those_of_all_comparisons(resampled: np.ndarray, tail: float) -> None:
    for mine, all_compared in zip(_rank_ranges(resampled, tail), rank_ranges(resampled, tail), strict=True):
        assert mine.tolist() == all_compared.tolist()


def test_many_systems_of_equal_and_nearly_equal_scores() -> None:
    rng = np.random.default_rng(1)
    resampled = rng.integers(0, 40, size=(200, 150)) / 40 + rng.integers(-3, 4, size=(200, 150)) * ROUNDING
    for mine, all_compared in zip(_rank_ranges(resampled, 0.025), rank_ranges(resampled, 0.025), strict=True):
        assert mine.tolist() == all_compared.tolist()


def test_ties_have_both_ranks_and_tails_are_cut() -> None:
    best, worst = _rank_ranges(np.array([[3.0, 1.0, 1.0 + 1e-13, np.nan]]), 0.0)
    assert (best.tolist(), worst.tolist()) == ([1, 2, 2, 1], [1, 3, 3, 4])  # unknown: any rank
    swapped = np.array([[2.0, 1.0]] * 38 + [[1.0, 2.0]] * 2)
    assert [ends.tolist() for ends in _rank_ranges(swapped, 0.05)] == [[1, 2], [1, 2]]
    assert [ends.tolist() for ends in _rank_ranges(swapped, 0.025)] == [[1, 1], [2, 2]]


def test_a_difference_of_1e_12_is_rounding_and_no_larger_one() -> None:
    assert sign(np.array([1e-12, -1e-12, 1.01e-12, -1.01e-12])).tolist() == [0, 0, 1, -1]
    best, worst = _rank_ranges(np.array([[0.0, 1e-12, -1.01e-12]]), 0.0)
    assert (best.tolist(), worst.tolist()) == ([1, 1, 3], [2, 2, 3])
    best, worst = _rank_ranges(np.array([[0.0, 5e-13, 1e-12]]), 0.0)  # the second lies between, and ties with both
    assert (best.tolist(), worst.tolist()) == ([1, 1, 1], [3, 3, 3])
