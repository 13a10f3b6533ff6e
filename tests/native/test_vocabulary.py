"""Tokens and their ids: what Python's split gives, numbered by first appearance, however many threads there are."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from gecval._native import Vocabulary

LINES = st.lists(st.text(st.sampled_from("ab é\t\u00a0\u2028\u0085\x1c")), min_size=1, max_size=6)
SPLITS = {
    "unicode": str.split,
    "ascii": lambda line: [token.decode() for token in line.encode().split()],
    "space": lambda line: line.split(" "),
}


@given(LINES, st.sampled_from(sorted(SPLITS)), st.integers(1, 3))
def test_ids(lines, blanks, jobs):
    many = lines * 3000  # enough for several parts
    many.append("new")
    ids, offsets, _ = (vocabulary := Vocabulary()).encode(many, blanks=blanks, jobs=jobs)
    split = [SPLITS[blanks](line) for line in many]
    numbers: dict[str, int] = {}
    assert ids.tolist() == [numbers.setdefault(token, len(numbers)) for tokens in split for token in tokens]
    assert vocabulary.tokens() == list(numbers)
    assert (offsets[1:] - offsets[:-1]).tolist() == [len(tokens) for tokens in split]


@given(LINES, st.sampled_from(sorted(SPLITS)))
@example(["a b", "a"], "space")
@example([""], "unicode")
def test_whether_all_splits_are_the_same(lines, blanks):
    splits = [[split(line) for line in lines] for split in SPLITS.values()]
    assert Vocabulary().encode(lines, blanks=blanks)[2] is (splits[0] == splits[1] == splits[2])


def test_every_character_that_python_splits_at():
    characters = [c for c in map(chr, range(0x10000)) if not "\ud800" <= c <= "\udfff"]
    for blanks in ("unicode", "ascii"):
        _, offsets, _ = Vocabulary().encode([f"a{c}b" for c in characters], blanks=blanks, jobs=2)
        splits = [c for c, size in zip(characters, (offsets[1:] - offsets[:-1]).tolist(), strict=True) if size == 2]
        assert splits == [c for c in characters if len(SPLITS[blanks](f"a{c}b")) == 2]
