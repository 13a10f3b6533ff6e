"""The alignment against errant's own, cell for cell, on words, lemmas and tags where ties are everywhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from gecval.models.spacy_parser import Sentence, Token

pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")

from errant.alignment import Alignment
from spacy import symbols

TAGS = {"NOUN": "NN", "VERB": "VB", "DET": "DT", "PUNCT": "."}


class ForErrant(Token):
    """A token with the one attribute that only errant's alignment looks at."""

    @property
    def orth(self) -> str:
        return self.text


@st.composite
def parsed(draw: st.DrawFn, max_size: int = 8) -> Sentence:
    sentence = Sentence()
    words = st.sampled_from(["a", "A", "b", "B", "ab", "abc", "c", ".", "ba\x00", "ba"])
    for word in draw(st.lists(words, max_size=max_size)):
        pos = draw(st.sampled_from(sorted(TAGS)))
        lemma = draw(st.sampled_from([word, "a", "b"]))
        sentence.append(ForErrant(sentence, word, lemma, getattr(symbols, pos), pos, TAGS[pos], "dep", 0, word.lower()))
    return sentence


@given(parsed(), parsed())
def test_steps_are_those_of_errant(source: Sentence, corrected: Sentence) -> None:
    mine = align(
        [token.text for token in source],
        [token.text for token in corrected],
        lambda n, m: _substitution_costs(source[:n], corrected[:m]),
    )
    assert mine == Alignment(source, corrected).align_seq
    by_kinds = align(
        [token.text for token in source],
        [token.text for token in corrected],
        lambda n, m: _kind_costs(source[:n], corrected[:m], CONTENT_WORDS),
    )
    assert by_kinds == mine


@pytest.mark.parametrize("merging", MERGING)
@pytest.mark.parametrize("alignment", ALIGNMENTS)
@settings(max_examples=30)
@given(parsed(), parsed())
def test_every_way_gives_the_edits_of_errant(
    alignment: str, merging: str, source: Sentence, corrected: Sentence
) -> None:
    library = _rules()
    aligned = Alignment(source, corrected, alignment == "levenshtein")
    theirs, ours = library.merge(aligned, merging), merged_edits(source, corrected, way=Way(alignment, merging))
    assert [(e.o_start, e.o_end, e.c_start, e.c_end) for e in ours] == [
        (e.o_start, e.o_end, e.c_start, e.c_end) for e in theirs
    ]


def test_a_run_without_a_common_word_ends() -> None:
    def sentence(letter: str, length: int) -> Sentence:
        made = Sentence()
        for i in range(length):
            made.append(Token(made, f"{letter}{i}", letter, symbols.NOUN, "NOUN", "NN", "dep", 0, f"{letter}{i}"))
        return made

    [edit] = errant_edits(sentence("a", 500), sentence("b", 500))
    assert (edit.start, edit.end, len(edit.correction.split())) == (0, 500, 500)
    assert len(errant_edits(sentence("a", LONGEST_RUN // 5), sentence("b", LONGEST_RUN // 5))) == LONGEST_RUN // 5
