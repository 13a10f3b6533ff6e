"""What the kernels do not know they refuse: a misspelt name or a number out of range is never taken for another."""

import numpy as np
import pytest

from gecval import Corpus, Edit, Reference, _native
from gecval.corpus.encoding import Encoded

CORPUS = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, ("A",)),))]])
ENCODED = Encoded.of(CORPUS)
SOURCE, HYPOTHESIS = np.array([0, 1], dtype=np.int32), np.array([0, 2], dtype=np.int32)
ROWS, OFFSETS, DRAWS = np.ones((1, 7)), np.array([0, 1]), np.array([0])


def search(**changes: object) -> list[tuple[int, int, int, int]]:
    options = {"slot": 0, "max_unchanged": 2, "level": "correction", "folded": [], "max_vertices": 2048}
    options |= {"lattice": "tool", "version": "head"} | changes
    return _native.max_match_edits(SOURCE, HYPOTHESIS, ENCODED.gold_edits, **options)


def match(**changes: object) -> list[list[float]]:
    options = {"max_unchanged": 2, "level": "correction", "bonus": False, "folded": [], "max_vertices": 2048}
    options |= {"lattice": "tool", "version": "head"} | changes
    tokens = ENCODED.source_tokens()
    rows, _ = _native.max_match(*tokens, *tokens, ENCODED.gold_edits, CORPUS.reference_slots, jobs=1, **options)
    return rows.tolist()


def test_names_that_are_known() -> None:
    assert search() == [(1, 2, 1, 2, 1, 2, False)]
    assert match() == [[0.0, 0.0, 1.0]]


@pytest.mark.parametrize("level", ["Correction", "corection", "", "any"])
def test_levels(level: str) -> None:
    expected = "^level must be detection, recognition or correction$"
    with pytest.raises(ValueError, match=expected):
        search(level=level)
    with pytest.raises(ValueError, match=expected):
        match(level=level)


@pytest.mark.parametrize("version", ["HEAD", "3.20", ""])
def test_versions(version: str) -> None:
    expected = "^version must be head or 3.2$"
    with pytest.raises(ValueError, match=expected):
        search(version=version)
    with pytest.raises(ValueError, match=expected):
        match(version=version)


@pytest.mark.parametrize("lattice", ["Tool", "papers", ""])
def test_lattices(lattice: str) -> None:
    expected = "^lattice must be paper or tool$"
    with pytest.raises(ValueError, match=expected):
        search(lattice=lattice)
    with pytest.raises(ValueError, match=expected):
        match(lattice=lattice)


@pytest.mark.parametrize("blanks", ["Unicode", "utf8", ""])
def test_blanks(blanks: str) -> None:
    with pytest.raises(ValueError, match=r"^blanks must be unicode, ascii or space$"):
        _native.Vocabulary().encode(["a b"], blanks=blanks)


@pytest.mark.parametrize("preference", ["M2", ""])
def test_preferences(preference: str) -> None:
    with pytest.raises(ValueError, match=r"^preference must be m2, errant, exact, cleme or cleme2$"):
        _native.running_best(ROWS[:, :3], OFFSETS, beta=0.5, preference=preference)


@pytest.mark.parametrize(
    ("maximise", "refused"),
    [
        ("", "the first letter of maximise must be c or d"),
        ("wacc", "the first letter of maximise must be c or d"),
        ("c", "the rest of maximise must be tp, tn, fp, fn, p, r, f, acc, wacc or i"),
        ("cWAcc", "the rest of maximise must be tp, tn, fp, fn, p, r, f, acc, wacc or i"),
    ],
)
def test_objectives(maximise: str, refused: str) -> None:
    with pytest.raises(ValueError, match=f"^{refused}$"):
        _native.imeasure_choose(ROWS, OFFSETS, DRAWS, maximise=maximise, weight=2.0, beta=1.0, running=False)


@pytest.mark.parametrize("number", [1000.0, 0.001, 1000 / 999, 0.999, 0.1, 1 / 3])
def test_ratios_of_small_integers(number: float) -> None:
    options = {"weight": number, "beta": number, "running": False}
    assert _native.imeasure_choose(ROWS, OFFSETS, DRAWS, maximise="cf", **options).tolist() == [0]


@pytest.mark.parametrize("number", [1001.0, 999.5, 1 / 1001, 3.14159, -1.0, float("nan")])
@pytest.mark.parametrize("name", ["weight", "beta"])
def test_numbers_that_cannot_be_compared_exactly(name: str, number: float) -> None:
    options = {"weight": 2.0, "beta": 1.0, "running": False} | {name: number}
    with pytest.raises(ValueError, match=r"^I-measure: weight and beta must be ratios of integers up to 1000$"):
        _native.imeasure_choose(ROWS, OFFSETS, DRAWS, maximise="cwacc", **options)


def test_numbers_out_of_range() -> None:
    with pytest.raises(ValueError, match=r"^max_unchanged must not be negative$"):
        search(max_unchanged=-1)
    with pytest.raises(ValueError, match=r"^max_unchanged must not be negative$"):
        match(max_unchanged=-1)
    with pytest.raises(ValueError, match=r"^there is no annotator of that number$"):
        search(slot=1)
