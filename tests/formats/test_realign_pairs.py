"""What one text has alone becomes whole lines: by hand, and against moving it word by word."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from gecval.formats.realign import BREAK, line_ends, word_pairs

Pairs = list[int | None]
B, LETTERS = BREAK, "|abc"


def made(source: list[int], output: list[int], pairs: Pairs) -> Pairs:
    """The kernel counts places from 1."""
    places = np.array([0 if j is None else j + 1 for j in pairs], dtype=np.int32)
    paired = np.array([j is not None for j in pairs], dtype=np.uint8)
    return word_pairs(np.array(source, dtype=np.int32), np.array(output, dtype=np.int32), places, paired)


@pytest.mark.parametrize(
    ("source", "output", "pairs", "expected"),
    [
        # p | q r | q s: the line "q r" is gone, and not "r | q"
        ([9, B, 1, 2, B, 1, 3], [9, B, 1, 3], [0, 1, 2, None, None, None, 3], [0, None, None, None, 1, 2, 3]),
        # p x q | r x q | s: the line "r x q" is gone, and not "x q | r"
        (
            [9, 1, 2, B, 3, 1, 2, B, 4],
            [9, 1, 2, B, 4],
            [0, None, None, None, None, 1, 2, 3, 4],
            [0, 1, 2, None, None, None, None, 3, 4],
        ),
        # the first line and its break, as they stand
        ([1, 2, B, 1, 2], [1, 2], [None, None, None, 0, 1], [None, None, None, 0, 1]),
        # no line is gone, only words: nothing moves
        ([1, 2, 1], [1], [0, None, None], [0, None, None]),
        # the same for a line that only the output has
        ([9, B, 1, 3], [9, B, 1, 2, B, 1, 3], [0, 1, 2, 6], [0, 4, 5, 6]),
    ],
)
def test_by_hand(source: list[int], output: list[int], pairs: Pairs, expected: Pairs) -> None:
    assert made(source, output, pairs) == expected


def slid(words: list[int], pairs: Pairs) -> Pairs:
    """One stretch after the other: where it stands, moved to the left, moved to the right, a word at a time."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and pairs[end] is None:
            end += 1
        length = end - at
        ways = [(at, pairs), *moves(words, pairs, at, end, left=True), *moves(words, pairs, at, end, left=False)]
        whole = (way for way in ways if BREAK in words[at:end] and is_whole(words, way[0], way[0] + length))
        start, pairs = next(whole, (at, pairs))
        at = max(start + length, at + 1)
    return pairs


def moves(words: list[int], pairs: Pairs, start: int, end: int, *, left: bool) -> list[tuple[int, Pairs]]:
    ways = []
    while True:
        if left:
            start, end = start - 1, end - 1
        loses, gets = (start, end) if left else (end, start)
        if min(loses, gets) < 0 or max(loses, gets) >= len(words) or words[loses] != words[gets]:
            return ways
        if pairs[loses] is None:
            return ways
        pairs = [pairs[loses] if k == gets else None if k == loses else pair for k, pair in enumerate(pairs)]
        if not left:
            start, end = start + 1, end + 1
        ways.append((start, pairs))


def is_whole(words: list[int], start: int, end: int) -> bool:
    text = "".join(LETTERS[word + 1] for word in words)
    before, part, after = text[:start], text[start:end], text[end:]
    return (part[0] == "|" and after[:1] in ("", "|")) or (not before and part[-1] == "|")


def turned(pairs: Pairs, length: int) -> Pairs:
    back: Pairs = [None] * length
    for i, j in enumerate(pairs):
        if j is not None:
            back[j] = i
    return back


def test_against_moving_word_by_word() -> None:
    random, moved = Random(1), 0
    for _ in range(1000):
        source, output = ([random.choice((B, B, 0, 1)) for _ in range(random.randint(1, 9))] for _ in range(2))
        count = random.randint(0, min(len(source), len(output)))
        places = sorted(random.sample(range(len(source)), count)), sorted(random.sample(range(len(output)), count))
        pairs: Pairs = [None] * len(source)
        for i, j in zip(*places, strict=True):
            pairs[i] = j
        back = slid(output, turned(slid(source, pairs), len(output)))
        expected = turned(back, len(source))
        assert made(source, output, pairs) == expected
        moved += expected != pairs
    assert moved > 100


def test_where_lines_end() -> None:
    """a | b | c, of which the output has a x c: what it has alone lies before the first break that it lacks."""
    source = np.array([0, B, 1, B, 2], dtype=np.int32)
    assert line_ends(source, [0, None, None, None, 2], 3) == [2, 2, 3]
    assert line_ends(source, [0, 2, None, None, 3], 4) == [3, 3, 4]
