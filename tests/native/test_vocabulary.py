"""Tokens and their ids: what Python's split gives, numbered by first appearance, however many threads there are."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from gecval._native import Vocabulary

LINES = st.lists(st.text(st.sampled_from("ab é\t\u00a0\u2028\u0085\x1c\ud800")), min_size=1, max_size=6)
SPLITS = {
    "unicode": str.split,
    "ascii": lambda line: [
        token.decode("utf-8", "surrogatepass") for token in line.encode("utf-8", "surrogatepass").split()
    ],
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
    """Half of a surrogate pair, which UTF-8 lacks, is a letter."""
    characters = list(map(chr, range(0x10000)))
    for blanks in ("unicode", "ascii"):
        _, offsets, _ = Vocabulary().encode([f"a{c}b" for c in characters], blanks=blanks, jobs=2)
        splits = [c for c, size in zip(characters, (offsets[1:] - offsets[:-1]).tolist(), strict=True) if size == 2]
        assert splits == [c for c in characters if len(SPLITS[blanks](f"a{c}b")) == 2]


def test_blanks_at_every_place_of_a_line():
    """Eight bytes are looked at at once where the line has as many."""
    characters = list(map(chr, range(0x3001)))
    for blanks, split in SPLITS.items():
        for place in range(10):
            lines = ["x" * place + c + "y" * (11 - place) for c in characters]
            _, offsets, _ = Vocabulary().encode(lines, blanks=blanks)
            assert (offsets[1:] - offsets[:-1]).tolist() == [len(split(line)) for line in lines]


def test_tokens_that_have_much_in_common():
    """A token's first eight bytes are compared as a number: zeros after a short one are none of its own."""
    starts = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopqrstuvwx"]
    middles = ["", "\0", "\0\0", "é", "z", "1234567", "12345678"]
    different = list(dict.fromkeys(s + m + e for s in starts for m in middles for e in ("", "\0", "stuvwxyz")))
    different.remove("")
    for lines in ([" ".join(different)], different, [f"{token} tokens and tokens" for token in different]):
        vocabulary = Vocabulary()
        ids, _, _ = vocabulary.encode([*lines, *lines])
        words = " ".join([*lines, *lines]).split()
        assert set(different) <= set(words)
        numbers: dict[str, int] = {}
        assert ids.tolist() == [numbers.setdefault(word, len(numbers)) for word in words]
        assert vocabulary.tokens() == list(numbers)


def test_a_text_of_two_megabytes():
    """More than is taken in at once."""
    words = [f"word{i % 70_000}" for i in range(220_000)]
    ids, offsets, same_for_all = (vocabulary := Vocabulary()).encode(["word1 a", " ".join(words), "b word0"])
    numbers = {word: number for number, word in enumerate(dict.fromkeys(["word1", "a", *words, "b"]))}
    assert ids.tolist() == [numbers[word] for word in ["word1", "a", *words, "b", "word0"]]
    assert (offsets.tolist(), same_for_all) == ([0, 2, 220_002, 220_004], True)
    assert vocabulary.tokens() == list(numbers)


def test_whether_every_split_gives_the_same():
    same = {"a b": True, "ab": True, "é bc abcdefghi j": True, "": False, " a": False, "a ": False, "a  b": False}
    same |= {"a\tb": False, "a\u00a0b": False, "abcdefghi\u2003jklmnop": False, "abc\x1cdefghijk": False}
    for blanks in SPLITS:
        assert {line: Vocabulary().encode([line], blanks=blanks)[2] for line in same} == same
        assert not Vocabulary().encode(["a b", "a  b", "a b"], blanks=blanks)[2]
