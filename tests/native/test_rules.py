"""The kernels of the reference rules read nothing beyond the arrays that they are given."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gecval import _native

ROWS = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 2.0], [0.0, 1.0, 1.0]])
OFFSETS = np.array([0, 2, 3])
DRAWS = np.array([[0, 1]])
M2 = {"beta": 0.5, "preference": "m2"}
IMEASURE = {"maximise": "cwacc", "weight": 2.0, "beta": 1.0, "running": False}


def test_within_bounds() -> None:
    assert _native.running_best(ROWS, OFFSETS, **M2).tolist() == [1, 2]
    assert _native.running_best_totals(ROWS, OFFSETS, DRAWS, jobs=1, **M2).tolist() == [[1.0, 2.0, 3.0]]
    assert _native.drawn_totals(ROWS, OFFSETS, np.array([[0.9, 0.9]]), jobs=1).tolist() == [[1.0, 2.0, 3.0]]


BAD_OFFSETS = [[], [0, 2, 4], [0, 2, 2], [0, 2, 1], [-2, 2, 3], [0, 2, -1]]


@pytest.mark.parametrize("offsets", BAD_OFFSETS, ids=str)
def test_offsets_beyond_the_rows(offsets: list[int]) -> None:
    wrong = np.array(offsets, dtype=np.int64)
    with pytest.raises(ValueError, match="offsets"):
        _native.running_best(ROWS, wrong, **M2)
    with pytest.raises(ValueError, match="offsets"):
        _native.running_best_totals(ROWS, wrong, DRAWS, jobs=1, **M2)
    with pytest.raises(ValueError, match="offsets"):
        _native.drawn_totals(ROWS, wrong, np.zeros((1, 2)), jobs=1)
    with pytest.raises(ValueError, match="offsets"):
        _native.imeasure_choose(np.ones((3, 7)), wrong, DRAWS[0], **IMEASURE)


@pytest.mark.parametrize("columns", [0, 2, 4])
def test_too_few_or_too_many_columns(columns: int) -> None:
    rows = np.ones((3, columns))
    with pytest.raises(ValueError, match="columns"):
        _native.running_best(rows, OFFSETS, **M2)
    with pytest.raises(ValueError, match="columns"):
        _native.running_best_totals(rows, OFFSETS, DRAWS, jobs=1, **M2)
    with pytest.raises(ValueError, match="columns"):
        _native.imeasure_choose(rows, OFFSETS, DRAWS[0], **IMEASURE)


@pytest.mark.parametrize("draws", [[[0, 2]], [[-1, 0]]])
def test_sentences_that_do_not_exist(draws: list[list[int]]) -> None:
    wrong: NDArray[np.int64] = np.array(draws)
    with pytest.raises(ValueError, match="no sentence"):
        _native.running_best_totals(ROWS, OFFSETS, wrong, jobs=1, **M2)
    with pytest.raises(ValueError, match="no sentence"):
        _native.imeasure_choose(np.ones((3, 7)), OFFSETS, wrong[0], **IMEASURE)


@pytest.mark.parametrize("number", [1.0, -0.5, float("nan")])
def test_numbers_that_draw_no_row(number: float) -> None:
    with pytest.raises(ValueError, match="numbers to draw with"):
        _native.drawn_totals(ROWS, OFFSETS, np.array([[0.5, number]]), jobs=1)
    with pytest.raises(ValueError, match="no numbers"):
        _native.drawn_totals(ROWS, OFFSETS, np.empty((1, 0)), jobs=1)
