"""The kernels of the reference rules read nothing beyond the arrays that they are given."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gecval import Corpus, Edit, Reference, _native
from gecval.corpus.encoding import Encoded

ROWS = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 2.0], [0.0, 1.0, 1.0]])
OFFSETS = np.array([0, 2, 3])
DRAWS = np.array([[0, 1]])
BLOCKS = np.array([[0, 1], [2, 2], [0, 2]])
M2 = {"beta": 0.5, "preference": "m2"}
IMEASURE = {"maximise": "cwacc", "weight": 2.0, "beta": 1.0, "running": False}


def test_within_bounds() -> None:
    assert _native.running_best(ROWS, OFFSETS, **M2).tolist() == [1, 2]
    assert _native.running_best_totals(ROWS, OFFSETS, DRAWS, jobs=1, **M2).tolist() == [[1.0, 2.0, 3.0]]
    assert _native.running_best_without(ROWS, OFFSETS, BLOCKS, jobs=1, **M2).tolist() == [
        [0, 1, 1],
        [1, 2, 3],
        [0, 0, 0],
    ]
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
        _native.running_best_without(ROWS, wrong, BLOCKS, jobs=1, **M2)
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


@pytest.mark.parametrize("blocks", [[[0, 3]], [[-1, 1]], [[0, -1]], [[1, 0]], [[0, 1], [3, 3]]])
def test_blocks_that_do_not_exist(blocks: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="no such block"):
        _native.running_best_without(ROWS, OFFSETS, np.array(blocks), jobs=1, **M2)


def test_blocks_have_two_ends() -> None:
    with pytest.raises(ValueError, match="a first sentence and an end"):
        _native.running_best_without(ROWS, OFFSETS, np.array([[0, 1, 2]]), jobs=1, **M2)


def test_chunks_have_five_columns_and_types_three_each() -> None:
    cleme = {"beta": 0.5, "preference": "cleme"}
    rows = np.array([[1.0, 0.0, 1.0, 0.0, 2.0], [1.0, 1.0, 0.0, 0.0, 3.0], [0.0, 0.0, 0.0, 1.0, 1.0]])
    assert _native.running_best(rows, OFFSETS, **cleme).tolist() == [1, 2]  # a tie, but for what was kept
    assert _native.macro_best(ROWS, OFFSETS, beta=0.5).tolist() == [1, 2]
    with pytest.raises(ValueError, match="columns"):
        _native.running_best(ROWS, OFFSETS, **cleme)
    with pytest.raises(ValueError, match="preference must be m2, errant, exact, cleme or cleme2"):
        _native.running_best(ROWS, OFFSETS, beta=0.5, preference="any")
    with pytest.raises(ValueError, match="columns"):
        _native.macro_best(np.ones((3, 4)), OFFSETS, beta=0.5)
    with pytest.raises(ValueError, match="offsets"):
        _native.macro_best_totals(ROWS, np.array([0, 2, 4]), DRAWS, beta=0.5, jobs=1)
    with pytest.raises(ValueError, match="no sentence"):
        _native.macro_best_totals(ROWS, OFFSETS, np.array([[2]]), beta=0.5, jobs=1)


@pytest.mark.parametrize("preference", ["cleme", "cleme2"])
@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ([0.5, 0, 0, 0, 1], [1, 0, 0, 0, 0]),  # more hits
        ([0, 0.75, 0, 1, 1], [0, 0, 0.25, 1, 0]),  # fewer false positives
        ([0, 1, 0, 0.75, 1], [0, 1, 0, 0.25, 0]),  # fewer missed
        ([1, 0, 0, 0, 1], [1 + 1e-10, 0, 0, 0, 2]),  # more kept; rounding is no hit
    ],
)
def test_of_equal_scores_parts_of_a_chunk_decide(preference: str, worse: list[float], better: list[float]) -> None:
    for rows, best in (([worse, better], 1), ([better, worse], 0)):
        table, offsets = np.array(rows, dtype=np.float64), np.array([0, 2])
        assert _native.running_best(table, offsets, beta=0.5, preference=preference).tolist() == [best]


@pytest.mark.parametrize("whole", [32, 20_000])
def test_f_has_four_decimals_as_python_rounds(whole: int) -> None:
    """Halves go to the even one: 1/32 is exactly 0.03125. Halves that are none go where they are nearer: 3/20000 is not
    exactly 0.00015. A row of the F below has more true positives, and so it wins if both are rounded to the same."""
    for tp in range(1, 32, 2):
        precision = tp / whole
        f = 2 * precision * precision / (precision + precision)
        below = tp * 10_000 // whole
        rows = np.array([[tp, whole - tp, whole - tp], [1000 * below, 10**7 - 1000 * below, 10**7 - 1000 * below]])
        [chosen] = _native.running_best(rows.astype(float), np.array([0, 2]), beta=1.0, preference="errant")
        assert chosen == (1 if below and round(f, 4) == below / 10_000 else 0), tp


def test_passes_over_sentences_that_exist() -> None:
    settings = {"sigma": 0.5, "beta": 0.25, "margin": 0.1, "jobs": 1}
    assert _native.trueskill_passes(np.ones((2, 2)), DRAWS, **settings).tolist() == [[0.0, 0.0]]
    for order in ([[0, 2]], [[-1, 0]]):
        with pytest.raises(ValueError, match="no sentence"):
            _native.trueskill_passes(np.ones((2, 2)), np.array(order), **settings)


def test_layouts_of_one_corpus() -> None:
    corpus, other = Corpus(["a b"], [[Reference(edits=())]]), Corpus(["a", "b"], [[Reference(edits=())]] * 2)
    encoded, foreign = Encoded.of(corpus), Encoded.of(other)
    options = {"independent": False, "weights": [[1.0, 1.0, 1.0]] * 3, "jobs": 1}
    kept = np.ones(1, dtype=bool)
    sources, slots = encoded.source_tokens(), corpus.reference_slots
    edits = encoded.edits([[Edit(-5, 99, ("c",))]])  # whoever found it: nothing beyond the sentence is read
    rows, length = _native.cleme(*sources, edits, encoded.gold_edits, slots, kept, **options)
    assert rows.tolist() == [[0.0, 0.0, 1.0, 0.0, 0.0]]
    assert np.isnan(length)
    for wrong in ((foreign.gold_edits, encoded.gold_edits, kept), (edits, encoded.gold_edits, np.ones(2, dtype=bool))):
        with pytest.raises(ValueError, match="different corpora"):
            _native.cleme(*sources, wrong[0], wrong[1], slots, wrong[2], **options)


@pytest.mark.parametrize("number", [1.0, -0.5, float("nan")])
def test_numbers_that_draw_no_row(number: float) -> None:
    with pytest.raises(ValueError, match="numbers to draw with"):
        _native.drawn_totals(ROWS, OFFSETS, np.array([[0.5, number]]), jobs=1)
    with pytest.raises(ValueError, match="no numbers"):
        _native.drawn_totals(ROWS, OFFSETS, np.empty((1, 0)), jobs=1)


BASE, WEIGHTS, CHOICES = np.zeros((1, 3)), np.ones((1, 2)), np.array([[1], [0]], dtype=np.uint16)


@pytest.mark.parametrize("number", [np.int16, np.int32, np.float64])
def test_drawn_sums(number: type) -> None:
    sums = _native.drawn_sums(BASE + 0.5, ROWS.astype(number), OFFSETS, WEIGHTS.astype(number), CHOICES)
    assert sums.tolist() == [[1.5], [1.5], [2.5]]  # differences of first rows are 0, and not looked at


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("offsets", {"offsets": np.array([0, 2, 4])}),
        ("offsets", {"offsets": np.array([-2, 2, 3])}),
        ("different sizes", {"base": np.zeros((2, 3))}),
        ("different sizes", {"base": np.zeros((1, 2))}),
        ("different sizes", {"weights": np.ones((1, 3))}),
        ("choices are those of other sentences", {"choices": CHOICES[:0]}),
        ("choices are those of other sentences", {"choices": np.zeros((3, 1), dtype=np.uint16)}),
        ("different numbers of references", {"choices": CHOICES[:1]}),
        ("no reference of that number", {"choices": np.array([[2], [0]], dtype=np.uint16)}),
        ("no reference of that number", {"choices": np.array([[0], [1]], dtype=np.uint16)}),
    ],
)
def test_drawn_sums_of_what_there_is(message: str, changes: dict[str, NDArray[np.generic]]) -> None:
    given = {"base": BASE, "differences": ROWS, "offsets": OFFSETS, "weights": WEIGHTS, "choices": CHOICES}
    with pytest.raises(ValueError, match=message):
        _native.drawn_sums(**(given | changes))


@pytest.mark.parametrize("offsets", [[], [0, 4], [2, 1], [-1, 2]])
def test_texts_by_hand_that_lie_elsewhere(offsets: list[int]) -> None:
    ids, places = np.array([1, 2, 3], np.int32), np.array(offsets, np.int64)
    with pytest.raises(ValueError, match=r"there are no offsets|the offsets do not fit the ids"):
        _native.imeasure_rows(ids, places, ids, places, ids, places, places, jobs=1)
