"""Sums under random signs have the bits of a loop over the groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import _native


@given(st.integers(0, 9), st.integers(0, 5000), st.integers(0, 99))
def test_sums_are_added_group_after_group(groups: int, trials: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables = rng.normal(size=(groups, 256))
    signs = rng.integers(256, size=(groups, trials), dtype=np.uint8)
    expected = np.zeros(trials)
    for table, chosen in zip(tables, signs, strict=True):
        expected += table[chosen]
    assert _native.sign_flip_sums(tables, signs).tolist() == expected.tolist()


def test_what_does_not_fit_is_refused() -> None:
    signs = np.zeros((2, 3), dtype=np.uint8)
    with pytest.raises(ValueError, match="256"):
        _native.sign_flip_sums(np.zeros((2, 8)), signs)
    with pytest.raises(ValueError, match="for each group"):
        _native.sign_flip_sums(np.zeros((1, 256)), signs)
