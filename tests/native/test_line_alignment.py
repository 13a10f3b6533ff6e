"""The kernel that finds lines in a text that breaks them elsewhere, against plain dynamic programming."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import _native
from oracles import line_alignment as oracle

WORDS = st.lists(st.integers(-1, 5), max_size=25)


def arrays(*lists: list[int]) -> list[np.ndarray]:
    return [np.array(listed, dtype=np.int32) for listed in lists]


def stems(words: list[int]) -> list[int]:
    """Two words share a stem."""
    return [word // 2 if word >= 0 else word for word in words]


@given(WORDS, WORDS)
def test_as_plain_dynamic_programming(source: list[int], output: list[int]) -> None:
    places, paired = _native.align_lines(*arrays(source, stems(source), output, stems(output)))
    assert (places.tolist(), paired.tolist()) == oracle.align_lines(source, stems(source), output, stems(output))


@pytest.mark.parametrize("n", [1, 3, 4, 9, 16, 17, 100])
def test_blocks_of_any_length_meet(n: int) -> None:
    """The way back finds its steps in blocks of about √n rows."""
    random = np.random.default_rng(n)
    source, output = (random.integers(-1, 9, size).tolist() for size in (n, n + 3))
    places, paired = _native.align_lines(*arrays(source, stems(source), output, stems(output)))
    assert (places.tolist(), paired.tolist()) == oracle.align_lines(source, stems(source), output, stems(output))


def test_insertions_go_before_a_break_that_the_output_lacks() -> None:
    places, paired = _native.align_lines(*arrays([1, -1, 2], [1, -1, 2], [1, 9, 2], [1, 9, 2]))
    assert (places.tolist(), paired.tolist()) == ([1, 2, 3], [1, 0, 1])


def test_every_word_needs_a_stem() -> None:
    with pytest.raises(ValueError, match="every word has one stem"):
        _native.align_lines(*arrays([1, 2], [1], [1], [1]))
