"""Edits between two texts in any language: no model, no tags.

The edits are a shortest sequence of insertions, deletions, substitutions and changes of order. Words of similar
spelling are aligned first. These neighbours are one edit:

    acat → a cat        the same letters, spaced or hyphenated otherwise
    , we → . We         punctuation, and the case of the word after it
    look at → watch     words replaced by more or fewer words, but a word and a similar one are an edit of their own
    b a → a b           the same words in another order

Types only say what happens: M (something was missing), U (unneeded), R (replaced).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist

from gecval.edit import Edit, operation
from gecval.edits.alignment import Costs, Step, align
from gecval.progress import Progress, silent

MOST_CELLS = 40_000  # words times words that are aligned in one piece
SIMILAR = 0.6  # share of letters in a longest common subsequence from which two words are spellings of one
_JOINERS = str.maketrans("", "", "-'’‐‑")


@dataclass(frozen=True)
class PlainExtractor:
    """Edits by this page's rules."""

    language: ClassVar[str | None] = None  # any

    @property
    def signature(self) -> str:
        return "plain"

    def edits(
        self, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
    ) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        known: dict[tuple[str, str], tuple[Edit, ...]] = {}
        for done, pair in enumerate(pairs, start=1):
            if pair not in known:
                known[pair] = plain_edits(pair[0].split(), pair[1].split())
            if done % 1000 == 0 or done == len(pairs):
                progress(done, len(pairs))
        return [known[pair] for pair in pairs]


def plain_edits(source: Sequence[str], corrected: Sequence[str]) -> tuple[Edit, ...]:
    """The edits from source to corrected tokens.

    >>> for edit in plain_edits("He go to home , we stay".split(), "He goes home . We stay".split()):
    ...     print(edit.start, edit.end, edit.correction, edit.type)
    1 2 goes R
    2 3  U
    4 6 . We R
    """
    edits: list[Edit] = []
    for i, i_end, j, j_end in _changed_stretches(source, corrected):
        edits += _stretch_edits(i, source[i:i_end], corrected[j:j_end])
    return tuple(edits)


def _changed_stretches(source: Sequence[str], corrected: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """What to align: all after the common start. In a long text, only what lies between words that stay in place."""
    common = 0
    while common < min(len(source), len(corrected)) and source[common] == corrected[common]:
        common += 1
    if common == len(source) == len(corrected):
        return
    if (len(source) - common) * (len(corrected) - common) <= MOST_CELLS:
        yield common, len(source), common, len(corrected)
        return
    blocks = (block for block in Levenshtein.opcodes(source, corrected))
    for equal, group in groupby(blocks, key=lambda block: block.tag == "equal"):
        stretch = list(group)
        if not equal:
            yield stretch[0].src_start, stretch[-1].src_end, stretch[0].dest_start, stretch[-1].dest_end


def _stretch_edits(offset: int, source: Sequence[str], corrected: Sequence[str]) -> Iterator[Edit]:
    """The edits of a stretch that starts at this token of the sentence."""
    if len(source) * len(corrected) > MOST_CELLS:  # hundreds of words without a common one: a rewrite
        kind = operation(len(source), len(corrected))
        yield Edit(offset, offset + len(source), (" ".join(corrected),), type=kind)
        return
    steps = align(source, corrected, lambda n, m: _substitution_costs(source[:n], corrected[:m]))
    for apart, group in groupby(steps, key=lambda step: step.operation[0] in "MT"):
        run = list(group)
        alone = ([step] for step in run if step.operation != "M")
        for part in alone if apart else _parts(run, source, corrected):
            i, i_end, j, j_end = part[0].start, part[-1].end, part[0].start_corrected, part[-1].end_corrected
            text = " ".join(corrected[j:j_end])
            yield Edit(offset + i, offset + i_end, (text,), type=operation(i_end - i, j_end - j))


def _substitution_costs(source: Sequence[str], corrected: Sequence[str]) -> Costs:
    """1, and a little more for unlike spelling: so little that a longer sequence of edits never wins."""
    unlike = cdist(source, corrected, scorer=Indel.normalized_distance, dtype=np.float64)
    costs: Costs = 1 + unlike / (2 * (len(source) + len(corrected)))
    return costs


def _parts(run: list[Step], source: Sequence[str], corrected: Sequence[str]) -> Iterator[list[Step]]:
    """The run in parts, each of which is one edit."""
    if len(run) == 1:  # most are: nothing can be divided or joined
        yield run
        return
    first, end = _respaced(run, source, corrected) or _recased(run, source, corrected) or (0, 0)
    if end:
        yield from _parts(run[:first], source, corrected)
        yield run[first:end]
        yield from _parts(run[end:], source, corrected)
        return
    for similar, group in groupby(run, key=lambda step: _similar(step, source, corrected)):
        part = list(group)
        if similar or {step.operation for step in part} == {"S"}:
            yield from ([step] for step in part)
        else:
            yield part


def _respaced(run: list[Step], source: Sequence[str], corrected: Sequence[str]) -> tuple[int, int] | None:
    """The longest part of a run, if any, that has the same letters on both sides."""
    before = [_letters(source[step.start : step.end]) for step in run]
    after = [_letters(corrected[step.start_corrected : step.end_corrected]) for step in run]
    # The same letters are equally many: that alone rules out nearly all parts.
    excess = list(accumulate((len(a) - len(b) for a, b in zip(before, after, strict=True)), initial=0))
    for length in range(len(run), 1, -1):
        for first in range(len(run) - length + 1):
            end = first + length
            if excess[first] == excess[end] and "".join(before[first:end]) == "".join(after[first:end]):
                return first, end
    return None


def _recased(run: list[Step], source: Sequence[str], corrected: Sequence[str]) -> tuple[int, int] | None:
    """The first change of punctuation that is followed by a change of case only."""
    for end in range(2, len(run) + 1):
        mark, word = run[end - 2 : end]
        words = [*source[mark.start : mark.end], *corrected[mark.start_corrected : mark.end_corrected]]
        if word.operation == "S" and all(map(_is_punctuation, words)):
            a, b = source[word.start], corrected[word.start_corrected]
            if a.lower() == b.lower():
                return end - 2, end
    return None


def _similar(step: Step, source: Sequence[str], corrected: Sequence[str]) -> bool:
    if step.operation != "S":
        return False
    return Indel.normalized_similarity(source[step.start], corrected[step.start_corrected]) >= SIMILAR


def _letters(words: Sequence[str]) -> str:
    return "".join(words).lower().translate(_JOINERS)


def _is_punctuation(word: str) -> bool:
    return all(unicodedata.category(letter).startswith("P") for letter in word)
