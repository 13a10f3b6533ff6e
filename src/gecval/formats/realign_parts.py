"""The parts of a source and an output that belong together: documents, and pieces of long ones.

A document mark (``# 0002``, ``### essay_id = 7``) that both texts have starts a document. Long ones are cut at lines
that occur once in both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

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
    """The longest run of pairs whose second places increase: patience sorting.

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
