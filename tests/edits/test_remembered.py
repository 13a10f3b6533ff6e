"""An extractor that is asked about a pair once."""

from __future__ import annotations

from copy import copy

import pytest

from gecval.edit import Edit
from gecval.edits.extractors import extractor
from gecval.edits.remembered import Remembered

PAIRS = [("a b", "a c"), ("a b", "a b"), ("a b", "a c"), ("x", "y z")]


class Asked:
    """Plain edits; it notes what it was asked."""

    signature = "asked:1"
    language = "en"
    types = ("R",)

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def edits(self, pairs, *, jobs=1, progress=None):
        self.pairs += pairs
        return extractor("plain").edits(pairs)


@pytest.mark.parametrize(("limit", "again"), [(100, []), (4, [PAIRS[3]]), (2, [PAIRS[1], PAIRS[3]]), (0, "all")])
def test_each_pair_once(limit: int, again) -> None:
    asked = Asked()
    remembered = Remembered(asked, limit=limit)
    right = extractor("plain").edits(PAIRS)
    assert right[0] == (Edit(1, 2, ("c",), type="R"),)
    assert remembered.edits(PAIRS) == right
    assert asked.pairs == [PAIRS[0], PAIRS[1], PAIRS[3]]
    asked.pairs.clear()
    assert remembered.edits(PAIRS) == right
    assert asked.pairs == ([PAIRS[0], PAIRS[1], PAIRS[3]] if again == "all" else again)


def test_it_is_the_extractor_otherwise() -> None:
    remembered = Remembered(Asked())
    assert (remembered.signature, remembered.language, remembered.types) == ("asked:1", "en", ("R",))
    with pytest.raises(AttributeError, match="tokens"):
        remembered.tokens("a")


def test_a_copy_has_the_same_extractor() -> None:
    remembered = copy(Remembered(Asked()))
    assert (remembered.signature, remembered.types) == ("asked:1", ("R",))
    assert remembered.edits(PAIRS) == extractor("plain").edits(PAIRS)
