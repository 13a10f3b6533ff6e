"""Which references take part in CLEME's cut, and which edits are chunks of a text."""

from __future__ import annotations

import pytest

from gecval import Corpus, Edit
from gecval.edits.chunks import references_that_count
from gecval.edits.text_chunks import plain_chunks, text_chunks


def test_of_references_that_are_all_left_out_the_first_that_counted_stays() -> None:
    corpus = Corpus.from_texts(["a b", "c"], [["a b", ""], ["c", "d"]])
    assert references_that_count(corpus).tolist() == [True, False, True, True]
    assert references_that_count(corpus, drop_unchanged=True).tolist() == [False, True, False, True]
    alone = Corpus.from_texts(["x", "a b"], [["y"], ["a b"]])
    assert references_that_count(alone, drop_unchanged=True).tolist() == [True, True]


@pytest.mark.parametrize("kind", ["noop", "UNK", "Um"])
def test_what_is_no_correction_is_no_chunk(kind: str) -> None:
    source = ["a", "b"]
    assert text_chunks(source, [Edit(0, 1, ("a",), kind)]) == plain_chunks(source)
    assert sum(chunk.is_edit for chunk in text_chunks(source, [Edit(0, 1, ("a",), kind), Edit(1, 2, ("c",), "R")])) == 1
