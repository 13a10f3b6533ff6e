"""Plain edits, rule by rule: what native/edits/plain_edits.cpp is checked against."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from rapidfuzz.distance import Indel

from oracles import alignment
from oracles.alignment import Step

SIMILAR = 0.6
JOINERS = str.maketrans("", "", "-'’‐‑")

Span = tuple[int, int, int, int]  # source words from … to, corrected words from … to


def edits(source: Sequence[str], corrected: Sequence[str]) -> list[Span]:
    """The edits between two sentences that are short enough to be aligned in one piece."""
    common = 0
    while common < min(len(source), len(corrected)) and source[common] == corrected[common]:
        common += 1
    spans = _edits(source[common:], corrected[common:])
    return [(i + common, i_end + common, j + common, j_end + common) for i, i_end, j, j_end in spans]


def _edits(source: Sequence[str], corrected: Sequence[str]) -> Iterator[Span]:
    n, m = len(source), len(corrected)
    while n and m and source[n - 1] == corrected[m - 1]:
        n, m = n - 1, m - 1
    source, corrected = source[:n], corrected[:m]
    costs = [[1 + Indel.normalized_distance(a, b) / (2 * (n + m)) for b in corrected] for a in source]
    steps = alignment.steps(source, corrected, costs)
    for apart, group in groupby(steps, key=lambda step: step[0][0] in "MT"):
        run = list(group)
        alone = ([step] for step in run if step[0] != "M")
        for part in alone if apart else _parts(run, source, corrected):
            yield part[0][1], part[-1][2], part[0][3], part[-1][4]


def _parts(run: list[Step], source: Sequence[str], corrected: Sequence[str]) -> Iterator[list[Step]]:
    """A run of changes in parts, each of which is one edit."""
    first, end = _respaced(run, source, corrected) or _recased(run, source, corrected) or (0, 0)
    if end:
        yield from _parts(run[:first], source, corrected)
        yield run[first:end]
        yield from _parts(run[end:], source, corrected)
        return
    for similar, group in groupby(run, key=lambda step: _similar(step, source, corrected)):
        part = list(group)
        if similar or {step[0] for step in part} == {"S"}:
            yield from ([step] for step in part)
        else:
            yield part


def _respaced(run: list[Step], source: Sequence[str], corrected: Sequence[str]) -> tuple[int, int] | None:
    """The longest part of a run, of several the first, that has the same letters on both sides."""
    for length in range(len(run), 1, -1):
        for first in range(len(run) - length + 1):
            part = run[first : first + length]
            before = "".join(_letters(source[step[1] : step[2]]) for step in part)
            after = "".join(_letters(corrected[step[3] : step[4]]) for step in part)
            if before == after:
                return first, first + length
    return None


def _recased(run: list[Step], source: Sequence[str], corrected: Sequence[str]) -> tuple[int, int] | None:
    """The first change of punctuation that is followed by a change of case only."""
    for end in range(2, len(run) + 1):
        mark, word = run[end - 2 : end]
        words = [*source[mark[1] : mark[2]], *corrected[mark[3] : mark[4]]]
        if (
            word[0] == "S"
            and all(map(_is_punctuation, words))
            and source[word[1]].lower() == corrected[word[3]].lower()
        ):
            return end - 2, end
    return None


def _similar(step: Step, source: Sequence[str], corrected: Sequence[str]) -> bool:
    return step[0] == "S" and Indel.normalized_similarity(source[step[1]], corrected[step[3]]) >= SIMILAR


def _letters(words: Sequence[str]) -> str:
    return "".join(words).lower().translate(JOINERS)


def _is_punctuation(word: str) -> bool:
    return all(unicodedata.category(letter).startswith("P") for letter in word)
