"""Outputs with other line breaks than the source: the breaks are moved to where the source has them.

    source      a b . | c d .          output      a b . c e . | Sure !
    realigned   a b . | c e . Sure !

The words of both texts are aligned in order, with line breaks as cheap words (``native/text/line_alignment.hpp``). Each
word of the output goes to the source line in which it lies, so that the lines are those of the source and systems can
be compared. Words that only the output has go to the line before them. Nothing is dropped, but for documents that the
source has not.

Documents and long texts are aligned part by part: a document mark (``# 0002``, ``### essay_id = 7``) that both have
starts a part, wherever it stands, and long parts are cut at lines that occur once in both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gecval._native import align_lines
from gecval.errors import InputError, list_first

STEM = 4  # letters that spellings of a word share at its start
MOST = 4_000_000_000  # words times words that are aligned in one piece: half a minute
SHOWN = 5  # lines that a note names


@dataclass
class Moved:
    """What was moved: numbers of lines, counted from 1."""

    kept: int = 0  # source lines that are a line of the output
    split: list[int] = field(default_factory=list)  # source lines that lie in several output lines
    joined: list[int] = field(default_factory=list)  # output lines that lie in several source lines
    dropped: list[int] = field(default_factory=list)  # source lines of which the output has nothing
    repeated: list[int] = field(default_factory=list)  # output lines that are nowhere in the source, but stood before
    added: list[int] = field(default_factory=list)  # other output lines that are nowhere in the source
    left_out: list[int] = field(default_factory=list)  # output lines of documents that the source has not
    empty: list[int] = field(default_factory=list)  # empty output lines, where nothing else was moved

    def __bool__(self) -> bool:
        return any((self.split, self.joined, self.dropped, self.repeated, self.added, self.left_out, self.empty))

    def note(self, path: Path | str, origin: Path | str) -> str:
        """One line that says what was moved."""
        kinds = [
            ("source lines were split", self.split),
            ("output lines were joined from several", self.joined),
            ("source lines have no output", self.dropped),
            ("output lines repeat others, and stand with the line before", self.repeated),
            ("output lines are new, and stand with the line before", self.added),
            ("output lines are of documents that the source has not, and are left out", self.left_out),
            ("output lines are empty, and are left out", self.empty),
        ]
        parts = [f"{len(lines):,} {what} ({list_first(lines, SHOWN)})" for what, lines in kinds if lines]
        return f"{path} is re-aligned to {origin}: {self.kept:,} lines fit; " + "; ".join(parts)


def realign_lines(output: Sequence[str], sources: Sequence[str]) -> tuple[list[str], Moved]:
    """The output with a line for each source line, and what was moved.

    >>> lines, moved = realign_lines(["a b . c e .", "Sure !"], ["a b .", "c d ."])
    >>> lines, moved.joined, moved.added
    (['a b .', 'c e . Sure !'], [1], [2])
    """
    ours, theirs = [line.split() for line in sources], [line.split() for line in output]
    moved = Moved()
    cut: list[list[str]] = [[] for _ in sources]
    lies_in: dict[int, set[int]] = defaultdict(set)  # source line → output lines
    known: set[int] = set()  # output lines that share a word with the source
    moved.left_out = strange_lines(ours, theirs)
    for number in moved.left_out:
        theirs[number - 1] = []  # so that all numbers stay
    for source, part in text_parts(ours, theirs):
        _align(ours, theirs, source, part, cut=cut, lies_in=lies_in, known=known)
    _tell(moved, cut, theirs, lies_in=lies_in, known=known)
    if not moved and len(theirs) > len(ours):
        moved.empty = [number for number, words in enumerate(theirs, start=1) if not words]
    return [" ".join(words) for words in cut], moved


def _align(
    ours: Tokens,
    theirs: Tokens,
    source: Span,
    output: Span,
    *,
    cut: list[list[str]],
    lies_in: dict[int, set[int]],
    known: set[int],
) -> None:
    """Put the words of these output lines into the cuts of these source lines."""
    numbers: dict[str, int] = {}
    stems: dict[str, int] = {}
    words = [(line, word) for line in range(*output) for word in theirs[line]]
    of_source = _encoded(ours[slice(*source)], numbers, stems)
    filled = [line for line in range(*output) if theirs[line]]
    of_output = _encoded([theirs[line] for line in filled], numbers, stems)
    if len(of_source[0]) * len(of_output[0]) > MOST:
        raise InputError(
            f"the lines from {output[0] + 1} on are too many to re-align in one piece: no document mark and no line "
            "that occurs once in both texts parts them"
        )
    pairs = word_pairs(of_source[0], of_output[0], *align_lines(*of_source, *of_output))
    breaks = np.concatenate([[0], np.cumsum(of_output[0] == BREAK)])  # before each word or break of the output
    begin = 0
    for line, stop in zip(range(*source), line_ends(of_source[0], pairs, len(of_output[0])), strict=True):
        chosen = words[begin - int(breaks[begin]) : stop - int(breaks[stop])]
        cut[line] = [word for _, word in chosen]
        lies_in[line] |= {number for number, _ in chosen}
        begin = stop
    for i, j in enumerate(pairs):
        if j is not None and of_source[1][i] == of_output[1][j] != BREAK:
            known.add(words[j - int(breaks[j])][0])


def _encoded(
    lines: Tokens, numbers: dict[str, int], stems: dict[str, int]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Words and stems as integers, with a break between lines."""
    words: list[int] = []
    of_words: list[int] = []
    for number, line in enumerate(lines):
        if number:
            words.append(BREAK)
            of_words.append(BREAK)
        words += [numbers.setdefault(word, len(numbers)) for word in line]
        of_words += [stems.setdefault(word.lower()[:STEM], len(stems)) for word in line]
    return np.array(words, dtype=np.int32), np.array(of_words, dtype=np.int32)


def _tell(moved: Moved, cut: Tokens, theirs: Tokens, *, lies_in: dict[int, set[int]], known: set[int]) -> None:
    """Say what was moved."""
    before: set[tuple[str, ...]] = set()
    for line, words in enumerate(theirs):
        if words and line not in known:
            (moved.repeated if tuple(words) in before else moved.added).append(line + 1)
        before.add(tuple(words))
    new = {line - 1 for line in (*moved.repeated, *moved.added)}
    over: Counter[int] = Counter()
    for line in range(len(cut)):
        parts = lies_in[line] - new
        over.update(parts)
        if len(parts) > 1:
            moved.split.append(line + 1)
        if not cut[line]:
            moved.dropped.append(line + 1)
    moved.joined = sorted(line + 1 for line, count in over.items() if count > 1)
    moved.kept = sum(
        [list(theirs[number]) for number in lies_in[line]] == [list(words)] for line, words in enumerate(cut)
    )


# The parts of a source and an output that belong together: documents, and pieces of long ones.
#
# A document mark (``# 0002``, ``### essay_id = 7``) that both texts have starts a document. Long ones are cut at lines
# that occur once in both.


MARK = re.compile(r"#+ ?(?:\w+ ?= ?)?[\w.:-]*\d[\w.:-]*")
LONG = 25_000_000  # words times words, from which a part is cut at lines that both texts have
ANCHOR = 4  # words of a line that is sure to be the same in both

Span = tuple[int, int]  # lines, from and to
Tokens = Sequence[Sequence[str]]


def strange_lines(ours: Tokens, theirs: Tokens) -> list[int]:
    """The output lines of documents that the source has not, mark and all, counted from 1."""
    marks = {tuple(line) for line in ours if is_mark(line)}
    shapes = set(map(_shape, marks))
    strange = False
    lines = []
    for number, line in enumerate(theirs, start=1):
        if is_mark(line) and _shape(line) in shapes:
            strange = tuple(line) not in marks
        if strange:
            lines.append(number)
    return lines


def text_parts(ours: Tokens, theirs: Tokens) -> list[tuple[Span, Span]]:
    """The parts of both texts that belong together: documents, in whatever order, and pieces of long ones.

    A document whose mark the output lacks is one with the document before it.
    """
    shared = _pairs([tuple(line) if is_mark(line) else None for line in ours], theirs)
    ends = dict(pairwise(sorted([*(b for _, b in shared), len(theirs)])))  # of the output's documents
    first = min((b for _, b in shared), default=len(theirs))
    starts = [*(a for a, _ in shared), len(ours)]
    parts: list[tuple[Span, Span]] = []
    if starts[0] > 0:
        parts.append(((0, starts[0]), (0, first)))
    for (a, b), end in zip(shared, starts[1:], strict=True):
        # What stands before all documents of the output goes with its first, where the source has nothing there.
        begin = 0 if b == first and starts[0] == 0 else b
        parts.append(((a, end), (begin, ends[b])))
    return [piece for part in parts for piece in _pieces(ours, theirs, *part)]


def _pieces(ours: Tokens, theirs: Tokens, source: Span, output: Span) -> Iterator[tuple[Span, Span]]:
    """A long part in pieces, between lines that occur once in both."""
    of_source, of_output = ours[slice(*source)], theirs[slice(*output)]
    if sum(map(len, of_source)) * sum(map(len, of_output)) <= LONG:
        yield source, output
        return
    keys = [tuple(line) if len(line) >= ANCHOR else None for line in of_source]
    shared = [(a + source[0], b + output[0]) for a, b in _increasing(_pairs(keys, of_output))]
    yield from _between(shared, source, output)


def _pairs(keys: Sequence[tuple[str, ...] | None], lines: Tokens) -> list[Span]:
    """Places of keys and lines that are equal and occur once on both sides."""
    counts = Counter(key for key in keys if key is not None)
    others = Counter(tuple(line) for line in lines)
    places = {tuple(line): place for place, line in enumerate(lines)}
    return [
        (i, places[key])
        for i, key in enumerate(keys)
        if key is not None and counts[key] == 1 and others.get(key, 0) == 1
    ]


def _increasing(pairs: Sequence[Span]) -> list[Span]:
    """The longest run of pairs whose second places increase, by patience sorting.

    >>> _increasing([(0, 4), (1, 1), (2, 2), (3, 0), (4, 3)])
    [(1, 1), (2, 2), (4, 3)]
    """
    tops: list[int] = []
    chains: list[tuple[Span, int]] = []  # a pair, and which came before it in its chain
    last: list[int] = []
    for pair in pairs:
        pile = bisect_left(tops, pair[1])
        chains.append((pair, last[pile - 1] if pile else -1))
        tops[pile : pile + 1] = [pair[1]]
        last[pile : pile + 1] = [len(chains) - 1]
    chain = last[-1] if last else -1
    found = []
    while chain >= 0:
        pair, chain = chains[chain]
        found.append(pair)
    return found[::-1]


def _between(shared: Sequence[Span], source: Span, output: Span) -> Iterator[tuple[Span, Span]]:
    """Parts that start at a shared line each; the first starts where the texts do."""
    start, first = source[0], output[0]
    for a, b in shared:
        if a > start:
            yield (start, a), (first, b)
        elif b > first:
            continue  # what stands before the first line of the source goes with it
        start, first = a, b
    yield (start, source[1]), (first, output[1])


def is_mark(line: Sequence[str]) -> bool:
    return bool(MARK.fullmatch(" ".join(line)))


def _shape(line: Sequence[str]) -> str:
    """A mark without its number."""
    return re.sub(r"\d+", "0", " ".join(line))


# Which word of an output each word of its source became, and where source lines then end in the output.


BREAK = -1  # between lines


def word_pairs(
    source: NDArray[np.int32], output: NDArray[np.int32], places: NDArray[np.int32], paired: NDArray[np.uint8]
) -> list[int | None]:
    """For each word or break of the source, the one of the output that it became.

    Of equally cheap alignments the kernel knows nothing of: "a . | b . | c" and "a . | c" share either full stop. Here
    what one text has alone is moved along equal words until it is whole lines, with the break before them.
    """
    pairs = [int(place) - 1 if pair else None for place, pair in zip(places, paired, strict=True)]
    back: list[int | None] = [None] * len(output)
    for i, j in enumerate(pairs):
        if j is not None:
            back[j] = i
    _slide(source.tolist(), pairs, back)
    _slide(output.tolist(), back, pairs)
    return pairs


def _slide(words: Sequence[int], pairs: list[int | None], back: list[int | None]) -> None:
    """Move stretches of words without a pair until they are whole lines, where equal words let them."""
    end = 0
    while end < len(words):
        start = end
        while end < len(words) and pairs[end] is None:
            end += 1
        if start == end or BREAK not in words[start:end]:
            end = max(end, start + 1)
            continue
        for shift in _shifts(words, pairs, start, end):
            if _whole_lines(words, start + shift, end + shift):
                _shift(pairs, back, start, end, shift)
                end += max(shift, 0)
                break


def _shifts(words: Sequence[int], pairs: Sequence[int | None], start: int, end: int) -> Iterator[int]:
    """How far a stretch may move: none, then to the left, then to the right."""
    yield 0
    for step, shift in ((-1, -1), (1, 0)):
        far = 0
        while True:
            gone, new = start + far + shift, end + far + shift  # the word that loses its pair, or gets one
            if gone < 0 or new >= len(words) or words[gone] != words[new]:
                break
            if pairs[gone if step < 0 else new] is None:
                break
            far += step
            yield far


def _whole_lines(words: Sequence[int], start: int, end: int) -> bool:
    """Whether a stretch is a break and the lines after it, or lines from the very start."""
    if words[start] == BREAK:
        return end == len(words) or words[end] == BREAK
    return start == 0 and words[end - 1] == BREAK


def _shift(pairs: list[int | None], back: list[int | None], start: int, end: int, shift: int) -> None:
    """Give the pairs of the words on one side of a stretch to those on the other."""
    for k in range(abs(shift)):
        loses, gets = (end + k, start + k) if shift > 0 else (start - 1 - k, end - 1 - k)
        other = pairs[loses]
        assert other is not None
        pairs[gets], pairs[loses], back[other] = other, None, gets


def line_ends(source: NDArray[np.int32], pairs: Sequence[int | None], length: int) -> list[int]:
    """Where each source line ends in the output. Words that only the output has lie before a break that it lacks."""
    ends = [length]
    following = length
    for word, pair in zip(source[::-1].tolist(), reversed(pairs), strict=True):
        if word == BREAK:
            ends.append(following if pair is None else pair + 1)
        if pair is not None:
            following = pair
    return ends[::-1]
