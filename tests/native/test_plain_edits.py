"""The kernel that finds plain edits, against the rules one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from gecval import _native
from gecval.edits import plain_edits
from gecval.edits.plain import PlainExtractor
from gecval.runtime.run import Run
from oracles import plain as oracle

# Words with common letters, case, joiners and signs; letters that grow or end otherwise in lower case.
ODD = [
    "a",
    "A",
    "b",
    "ab",
    "a-b",
    "B'a",
    "aab",
    "baa",
    ",",
    ".",
    "-",
    "…",
    "ß",
    "SS",
    "İ",
    "ΑΣ",
    "ας",
    "犬",
    "日本犬",
    "😀",
]
LONG = ["a" * 63 + "b", "b" + "a" * 64, "ab" * 40, "ba" * 64 + "犬", "c" * 130]
WORDS = st.lists(st.sampled_from(ODD) | st.sampled_from(LONG), max_size=10)


def spans(source: list[str], corrected: list[str]) -> list[tuple[int, int, str]]:
    return [(edit.start, edit.end, edit.correction) for edit in plain_edits(source, corrected)]


def expected(source: list[str], corrected: list[str]) -> list[tuple[int, int, str]]:
    return [(i, end, " ".join(corrected[j:j_end])) for i, end, j, j_end in oracle.edits(source, corrected)]


@given(WORDS, WORDS)
def test_any_words_equal_the_oracle(source: list[str], corrected: list[str]) -> None:
    assert spans(source, corrected) == expected(source, corrected)


@given(
    WORDS, st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["cut", "join", "case", "swap", "put"])), max_size=5)
)
def test_small_changes_equal_the_oracle(source: list[str], changes: list[tuple[int, str]]) -> None:
    corrected = list(source)
    for place, change in changes:
        pair = corrected[place : place + 2]
        corrected[place : place + 2] = {
            "cut": [part for word in pair for part in (word[:1], word[1:]) if part],
            "join": ["".join(pair)] if pair else [],
            "case": [word.swapcase() for word in pair],
            "swap": pair[::-1],
            "put": [*pair, "."],
        }[change]
    assert spans(source, corrected) == expected(source, corrected)


@given(st.lists(st.lists(st.sampled_from(ODD), max_size=6), max_size=20), st.integers(1, 4))
def test_pairs_do_not_depend_on_each_other(sentences: list[list[str]], jobs: int) -> None:
    pairs = list(zip(map(" ".join, sentences), map(" ".join, sentences[::-1]), strict=True))
    alone = [plain_edits(source.split(), corrected.split()) for source, corrected in pairs]
    assert PlainExtractor().edits(pairs, run=Run(jobs=jobs)) == alone


@given(st.text("ab犬😀", max_size=200), st.text("abc犬", max_size=200))
def test_letters_in_common_decide_what_is_similar(word: str, other: str) -> None:
    """Beside a word that goes, a similar one is an edit of its own. Words of any length, 64 letters at a time."""
    if word == other or not (word and other):
        return
    together = len(plain_edits([word, ";"], [other])) == 1
    similar = 1 - (len(word) + len(other) - 2 * LCSseq.similarity(word, other)) / (len(word) + len(other)) >= 0.6
    assert together == (not similar)


@pytest.mark.parametrize(("words", "edits"), [(["w"] * 200_000, 1), (["-", "-", "a"] * 2_000, 4_000)])
def test_a_long_text_that_is_put_in_or_left_out(words: list[str], edits: int) -> None:
    """Not every part of it is tried: that would take the square of its length, or the cube where it has many edits."""
    assert len(plain_edits([], words)) == len(plain_edits(words, [])) == edits


def arrays(*words: int) -> tuple[np.ndarray, np.ndarray]:
    return np.array(words, dtype=np.int32), np.array([0, len(words)], dtype=np.int64)


@pytest.mark.parametrize(
    ("source", "lower", "why"),
    [
        ([0, 2], [0, 1], "nothing is known of that word"),
        ([-1], [0, 1], "nothing is known of that word"),
        ([0], [0], "as much must be known of every word"),
    ],
)
def test_every_word_must_be_known(source: list[int], lower: list[int], why: str) -> None:
    letters = np.array([97, 98], dtype=np.int32), np.array([0, 1, 2], dtype=np.int64)
    about = (*letters, *letters, np.array(lower, dtype=np.int32), np.zeros(2, dtype=np.uint8))
    with pytest.raises(ValueError, match=why):
        _native.plain_edits(*arrays(*source), *arrays(0), *about, jobs=1)
    with pytest.raises(ValueError, match=why):
        _native.plain_edits(*arrays(0), *arrays(*source), *about, jobs=1)


def test_every_source_has_a_corrected_text() -> None:
    letters = np.array([97], dtype=np.int32), np.array([0, 1], dtype=np.int64)
    about = (*letters, *letters, np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.uint8))
    two = np.zeros(2, dtype=np.int32), np.array([0, 1, 2], dtype=np.int64)
    with pytest.raises(ValueError, match="every source has one corrected text"):
        _native.plain_edits(*arrays(0), *two, *about, jobs=1)
