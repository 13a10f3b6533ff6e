"""Outputs with other line breaks than the source: cut anew where the source breaks its lines.

    source      a b . | c d .          output      a b . c e . | Sure !
    cut anew    a b . | c e . Sure !

The words of both texts are aligned, monotonely, with line breaks as cheap words (``native/line_alignment.hpp``). Every
word of the output goes to the source line in which it lies, so that the lines are those of the source and systems can
be compared. Words that only the output has go to the line before them. Nothing is dropped, but for documents that the
source has not.

Documents and long texts are aligned part by part: a document mark (``# 0002``, ``### essay_id = 7``) that both have
starts a part, wherever it stands, and long parts are cut at lines that occur once in both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gecval._native import align_lines
from gecval.errors import InputError
from gecval.formats.realign_pairs import BREAK, line_ends, word_pairs
from gecval.formats.realign_parts import Span, Tokens, strange_lines, text_parts

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
        parts = [f"{len(lines):,} {what} ({_listed(lines)})" for what, lines in kinds if lines]
        return f"{path} is re-aligned to {origin}: {self.kept:,} lines fit; " + "; ".join(parts)


def _listed(lines: Sequence[int]) -> str:
    more = ", …" if len(lines) > SHOWN else ""
    return ", ".join(map(str, lines[:SHOWN])) + more


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
