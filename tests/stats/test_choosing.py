"""Which outputs come next: what a pair is worth by its formula, and the choice against all choices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.stats.ranking import HeadToHead

pytest.importorskip("sqlalchemy", reason="the board needs gecval[board]")
from gecval.board.campaigns import choose_outputs, compute_need


def test_without_judgments_all_pairs_are_worth_the_same() -> None:
    assert compute_need(HeadToHead.of(("a", "b"), np.empty((0, 2)))).tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_worth_by_its_formula() -> None:
    """a beat b twice and lost once, and tied with c: wins, defeats and ties all count as meetings."""
    preferences = np.array([[-1.0, -2.0, np.nan]] * 2 + [[-2.0, -1.0, np.nan], [-1.0, np.nan, -1.0]])
    worth = compute_need(HeadToHead.of(("a", "b", "c"), preferences))
    assert worth.tolist() == [[0.0, 1 / 4, 1 / 2], [1 / 4, 0.0, 1.0], [1 / 2, 1.0, 0.0]]


@given(st.integers(2, 6), st.integers(0, 2**31))
def test_the_first_two_are_the_most_needed_pair_and_the_third_adds_most(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    worth = rng.random((size, size))
    worth = worth + worth.T
    outputs = [[system] for system in range(size)]
    best = max(combinations(range(size), 2), key=lambda pair: worth[pair])
    assert choose_outputs(outputs, worth, limit=2) == list(best)
    assert set(best) <= set(choose_outputs(outputs, worth))
    assert len(choose_outputs(outputs, worth)) == min(size, 5)
    if size > 2:
        third = max(set(range(size)) - set(best), key=lambda system: worth[system, list(best)].sum())
        assert choose_outputs(outputs, worth, limit=3) == sorted([*best, third])


def test_an_output_of_several_systems_has_the_sum_of_their_worth() -> None:
    worth = np.array([[0.0, 0.1, 0.5, 0.6], [0.1, 0.0, 0.3, 0.1], [0.5, 0.3, 0.0, 0.2], [0.6, 0.1, 0.2, 0.0]])
    # The output of 0 and 1 against that of 2: 0.8; against that of 3: 0.7; 2 against 3: 0.2.
    assert choose_outputs([[0, 1], [2], [3]], worth, limit=2) == [0, 1]
    assert choose_outputs([[0], [2], [3]], worth, limit=2) == [0, 2]


@pytest.mark.parametrize("outputs", [[], [[0, 1]]])
def test_fewer_than_two_outputs_cannot_be_compared(outputs: list[list[int]]) -> None:
    assert choose_outputs(outputs, np.ones((2, 2))) == []


def test_no_output_stands_beside_itself() -> None:
    assert choose_outputs([[0], [1], [2]], np.zeros((3, 3)), limit=2) == [0, 1]
    assert choose_outputs([[0], [1], [2]], np.zeros((3, 3))) == [0, 1, 2]
