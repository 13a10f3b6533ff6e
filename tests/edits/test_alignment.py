"""The alignment against errant's own, cell for cell, on words, lemmas and tags where ties are everywhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gecval.edits import alignment, errant
from gecval.edits.alignment import align
from gecval.edits.errant import (
    ALIGNMENTS,
    CONTENT_WORDS,
    LONGEST_RUN,
    MERGING,
    Way,
    _kind_costs,
    _rules,
    _substitution_costs,
    errant_edits,
    merged_edits,
)
from gecval.models.spacy_parser import ParsedSentence, ParsedToken

pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")

from errant.alignment import Alignment
from spacy import symbols

TAGS = {"NOUN": "NN", "VERB": "VB", "DET": "DT", "PUNCT": "."}


class ForErrant(ParsedToken):
    """A token with the one attribute that only errant's alignment looks at."""

    @property
    def orth(self) -> str:
        return self.text


@st.composite
def parsed(draw: st.DrawFn, max_size: int = 8) -> ParsedSentence:
    sentence = ParsedSentence()
    words = st.sampled_from(["a", "A", "b", "B", "ab", "abc", "c", ".", "ba\x00", "ba"])
    for word in draw(st.lists(words, max_size=max_size)):
        pos = draw(st.sampled_from(sorted(TAGS)))
        lemma = draw(st.sampled_from([word, "a", "b"]))
        sentence.append(ForErrant(sentence, word, lemma, getattr(symbols, pos), pos, TAGS[pos], "dep", 0, word.lower()))
    return sentence


@given(parsed(), parsed())
def test_steps_are_those_of_errant(source: ParsedSentence, corrected: ParsedSentence) -> None:
    mine = align(
        [token.text for token in source],
        [token.text for token in corrected],
        lambda i, j: _substitution_costs(source[i], corrected[j]),
    )
    assert mine == Alignment(source, corrected).align_seq
    by_kinds = align(
        [token.text for token in source],
        [token.text for token in corrected],
        lambda i, j: _kind_costs(source[i], corrected[j], CONTENT_WORDS),
    )
    assert by_kinds == mine


@pytest.mark.parametrize("merging", MERGING)
@pytest.mark.parametrize("alignment", ALIGNMENTS)
@settings(max_examples=30)
@given(parsed(), parsed())
def test_every_way_gives_the_edits_of_errant(
    alignment: str, merging: str, source: ParsedSentence, corrected: ParsedSentence
) -> None:
    library = _rules()
    aligned = Alignment(source, corrected, alignment == "levenshtein")
    theirs, ours = library.merge(aligned, merging), merged_edits(source, corrected, way=Way(alignment, merging))
    assert [(e.o_start, e.o_end, e.c_start, e.c_end) for e in ours] == [
        (e.o_start, e.o_end, e.c_start, e.c_end) for e in theirs
    ]


def test_a_run_without_a_common_word_ends() -> None:
    def sentence(letter: str, length: int) -> ParsedSentence:
        made = ParsedSentence()
        for i in range(length):
            made.append(ParsedToken(made, f"{letter}{i}", letter, symbols.NOUN, "NOUN", "NN", "dep", 0, f"{letter}{i}"))
        return made

    [edit] = errant_edits(sentence("a", 500), sentence("b", 500))
    assert (edit.start, edit.end, len(edit.correction.split())) == (0, 500, 500)
    assert len(errant_edits(sentence("a", LONGEST_RUN // 5), sentence("b", LONGEST_RUN // 5))) == LONGEST_RUN // 5


@pytest.mark.parametrize("reorder", [True, False])
def test_a_long_text_is_aligned_in_stretches(monkeypatch: pytest.MonkeyPatch, reorder: bool) -> None:
    source = [f"w{i}" for i in range(40)]
    corrected = [*source[:5], "x", *source[6:20], "y", "z", *source[20:30], "W30", *source[31:38], source[39]]

    def ones(i: slice, j: slice) -> NDArray[np.float64]:
        return np.ones((i.stop - i.start, j.stop - j.start))

    whole = align(source, corrected, ones, reorder=reorder)
    monkeypatch.setattr(alignment, "MOST_CELLS", 100)
    assert align(source, corrected, ones, reorder=reorder) == whole
    monkeypatch.setattr(alignment, "MOST_CELLS", 3)
    assert align(list("abcd"), list("xyzd"), ones) == [("S", 0, 3, 0, 3), ("M", 3, 4, 3, 4)]


def test_runs_in_a_long_text_end_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    def sentence(letter: str) -> ParsedSentence:
        made = ParsedSentence()
        for i in range(50):
            made.append(ParsedToken(made, f"{letter}{i}", letter, symbols.NOUN, "NOUN", "NN", "dep", 0, f"{letter}{i}"))
        return made

    assert len(errant_edits(sentence("a"), sentence("b"))) == 50
    monkeypatch.setattr(errant, "MOST_CELLS", 2499)
    assert len(errant_edits(sentence("a"), sentence("b"))) == 1
