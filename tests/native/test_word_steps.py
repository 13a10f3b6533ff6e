"""The word alignment kernel against the plain Python oracle."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gecval.edits.alignment import align
from oracles import alignment as oracle

WORDS = st.lists(st.sampled_from(["a", "b", "A", "B", "c", "d"]), max_size=8)


@given(WORDS, WORDS, st.integers(0, 2**32 - 1))
def test_steps_equal_oracle(source: list[str], corrected: list[str], seed: int) -> None:
    costs = np.random.default_rng(seed).choice([0.0, 0.1, 0.499, 0.7, 1.5], (len(source), len(corrected)))
    steps = align(source, corrected, lambda n, m: costs[:n, :m])
    assert [tuple(step) for step in steps] == oracle.steps(source, corrected, costs.tolist())
