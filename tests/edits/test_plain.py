"""Plain edits: they give back the text, are as few as can be, and read well in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from gecval.corpus.edit import Edit, apply_edits
from gecval.edits import plain, plain_edits
from gecval.edits.plain import PlainExtractor
from gecval.runtime.run import Run

WORDS = st.lists(st.sampled_from(["a", "A", "b", "ab", "a-b", ",", ".", "b'a", "é", "犬"]), max_size=9)


def spans(source: str, corrected: str) -> list[tuple[int, int, str, str]]:
    edits = plain_edits(source.split(), corrected.split())
    return [(edit.start, edit.end, edit.correction, edit.type) for edit in edits]


@given(WORDS, WORDS)
def test_edits_lead_to_the_corrected_text(source: list[str], corrected: list[str]) -> None:
    edits = plain_edits(source, corrected)
    assert apply_edits(source, edits) == " ".join(corrected)
    assert bool(edits) == (source != corrected)
    ends = [0, *(edit.end for edit in edits)]
    assert all(end <= edit.start for end, edit in zip(ends, edits, strict=False))
    for edit in edits:
        assert edit.type == ("M" if edit.start == edit.end else "U" if not edit.correction else "R")


@given(WORDS, WORDS)
def test_no_more_words_change_than_must(source: list[str], corrected: list[str]) -> None:
    """A change of order counts once for all its words, so the bound is that of plain Levenshtein."""
    edits = plain_edits(source, corrected)
    assert len(edits) <= Levenshtein.distance(source, corrected)


@pytest.mark.parametrize(
    ("source", "corrected", "expected"),
    [
        # English: what neighbours have to do with each other
        ("He go to home .", "He goes home .", [(1, 2, "goes", "R"), (2, 3, "", "U")]),
        ("I saw acat there", "I saw a cat there", [(2, 3, "a cat", "R")]),
        ("the sub - way", "the subway", [(1, 4, "subway", "R")]),
        ("I saw acat their", "I saw a cat there", [(2, 3, "a cat", "R"), (3, 4, "there", "R")]),
        ("it rains , we stay", "it rains . We stay", [(2, 4, ". We", "R")]),
        ("it rains we stay", "it rains . We stay", [(2, 3, ". We", "R")]),
        ("at one o'clock we stay", "at one . We stay", [(2, 3, ".", "R"), (3, 4, "We", "R")]),  # no punctuation
        ("I look at TV", "I watch TV", [(1, 3, "watch", "R")]),
        ("a small of ink", "a smear ink", [(1, 2, "smear", "R"), (2, 3, "", "U")]),  # similar: 3 of 5
        ("a big house", "a large home", [(1, 2, "large", "R"), (2, 3, "home", "R")]),
        ("what it is", "what is it", [(1, 3, "is it", "R")]),
        ("the the cat", "the cat", [(1, 2, "", "U")]),
        ("cat sat", "The old cat sat", [(0, 0, "The old", "M")]),
        # German, Russian, Arabic (right to left), Japanese (segmented), Hindi
        ("Ich gehe in die Schule zu Fuss", "Ich gehe zu Fuß in die Schule", None),
        ("Er hat das Buch geleßen .", "Er hat das Buch gelesen .", [(4, 5, "gelesen", "R")]),
        ("Я любить читать книга .", "Я люблю читать книги .", [(1, 2, "люблю", "R"), (3, 4, "книги", "R")]),
        ("ذهبت الى المدرسه أمس", "ذهبت إلى المدرسة أمس", [(1, 2, "إلى", "R"), (2, 3, "المدرسة", "R")]),
        ("私 わ 学校 に 行く", "私 は 学校 へ 行く", [(1, 2, "は", "R"), (3, 4, "へ", "R")]),
        ("मैं घर जाता है ।", "मैं घर जाता हूँ ।", [(3, 4, "हूँ", "R")]),
        # not words
        ("nice 😀", "nice 😀 😀 !", None),
        ("", "a b", [(0, 0, "a b", "M")]),
        ("a b", "", [(0, 2, "", "U")]),
        ("", "", []),
    ],
)
def test_examples(source: str, corrected: str, expected: list[tuple[int, int, str, str]] | None) -> None:
    assert apply_edits(source.split(), plain_edits(source.split(), corrected.split())) == corrected
    if expected is not None:
        assert spans(source, corrected) == expected


def test_long_sentences_end() -> None:
    source, corrected = [f"a{i}" for i in range(500)], [f"b{i}" for i in range(480)]
    assert apply_edits(source, plain_edits(source, corrected)) == " ".join(corrected)


@pytest.mark.parametrize(
    ("words", "others", "edits"),
    [
        (200, 200, 200),  # 40,000 cells are aligned, and every word is replaced by another
        (221, 181, 1),  # 40,001 are too many: a rewrite is one edit
    ],
)
def test_a_rewrite_of_hundreds_of_words_is_one_edit(words: int, others: int, edits: int) -> None:
    """The words that both texts begin with do not count."""
    source = ["the", "same", "start", *("a" * 5 for _ in range(words))]
    corrected = ["the", "same", "start", *("b" * 5 for _ in range(others))]
    made = plain_edits(source, corrected)
    assert len(made) == edits
    assert (made[0].start, made[-1].end, {edit.type for edit in made}) == (3, 3 + words, {"R"})
    assert apply_edits(source, made) == " ".join(corrected)


def test_a_long_text_is_aligned_between_words_that_stay() -> None:
    """Its edits are those of its parts."""
    source = [f"w{i}" for i in range(300)]
    corrected = [*source[:50], "W50", *source[51:100], *source[102:200], "new", "words", *source[200:298], *"xyz"]
    made = [(edit.start, edit.end, edit.correction, edit.type) for edit in plain_edits(source, corrected)]
    assert made == [
        (50, 51, "W50", "R"),
        (100, 102, "", "U"),
        (200, 200, "new words", "M"),
        (298, 300, "x y z", "R"),
    ]


def test_extractor_keeps_step_and_tells_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs go through in blocks, each distinct one once."""
    monkeypatch.setattr(plain, "BLOCK", 2)
    pairs = [("a b", "a  b"), ("", ""), ("a", "b"), ("a", ""), ("a", "b"), ("c", "c d")]
    calls: list[tuple[int, int]] = []
    extracted = PlainExtractor().edits(pairs, run=Run(progress=lambda done, total: calls.append((done, total))))
    assert [len(edits) for edits in extracted] == [0, 0, 1, 1, 1, 1]
    assert extracted[5] == (Edit(1, 1, ("d",), "M"),)
    assert calls == [(2, 5), (4, 5), (5, 5)]


def test_half_of_a_surrogate_pair_is_a_letter() -> None:
    source, corrected = "a \ud800b c", "a b\udfff c"
    [edits] = PlainExtractor().edits([(source, corrected)])
    assert edits == (Edit(1, 2, ("b\udfff",), "R"),) == plain_edits(source.split(), corrected.split())
