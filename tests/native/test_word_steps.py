"""The word alignment kernel against the plain Python oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import _native
from gecval.edits.alignment import align
from oracles import alignment as oracle

WORDS = st.lists(st.sampled_from(["a", "b", "A", "B", "c", "d"]), max_size=8)


@given(WORDS, WORDS, st.integers(0, 2**32 - 1))
def test_steps_equal_oracle(source: list[str], corrected: list[str], seed: int) -> None:
    costs = np.random.default_rng(seed).choice([0.0, 0.1, 0.499, 0.7, 1.5], (len(source), len(corrected)))
    steps = align(source, corrected, lambda i, j: costs[i, j])
    assert [tuple(step) for step in steps] == oracle.steps(source, corrected, costs.tolist())


@pytest.mark.parametrize("seed", range(12))
def test_long_texts_equal_the_oracle(seed: int) -> None:
    """Dozens of words, many of them in another order: the search for these is cut short, and must not miss any."""
    random = np.random.default_rng(seed)
    source = random.choice(["a", "b", "A", "c", "d", "e", "f"], 45).tolist()
    corrected = [word for word in source if random.random() < 0.9]
    for start in random.integers(0, 30, 6).tolist():
        corrected[start : start + 6] = random.permutation(corrected[start : start + 6]).tolist()
    corrected[20:20] = random.choice(["x", "b", "e"], seed).tolist()
    costs = random.choice([0.0, 0.1, 0.499, 0.7, 1.5, 1.999], (len(source), len(corrected)))
    steps = align(source, corrected, lambda i, j: costs[i, j])
    assert [tuple(step) for step in steps] == oracle.steps(source, corrected, costs.tolist())


@pytest.mark.parametrize(
    ("kinds", "why"), [([0], "every word has one kind"), ([0, 2], "no cost for that kind"), ([-1, 0], "no cost")]
)
def test_every_word_needs_a_kind_that_has_a_cost(kinds: list[int], why: str) -> None:
    two, given_kinds = np.array([0, 1], dtype=np.int32), np.array(kinds, dtype=np.int32)
    with pytest.raises(ValueError, match=why):
        _native.word_steps(two, two, two, two, given_kinds, two, np.ones((2, 2)))
    with pytest.raises(ValueError, match=why):
        _native.word_steps(two, two, two, two, two, given_kinds, np.ones((2, 2)))
