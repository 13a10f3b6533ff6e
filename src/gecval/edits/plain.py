"""Edits between two texts in any language: no model, no tags.

The edits are a shortest sequence of insertions, deletions, substitutions and changes of order. Words of similar
spelling are aligned first: a substitution costs 1, and a little more for unlike letters. These neighbours are one edit:

    acat → a cat        the same letters, spaced or hyphenated otherwise
    , we → . We         punctuation, and the case of the word after it
    look at → watch     words replaced by more or fewer words, but a word and a similar one are an edit of their own
    b a → a b           the same words in another order

Two words are similar if three fifths of their letters are a common subsequence. Types only say what happens: M
(something was missing), U (unneeded), R (replaced). The rules themselves are in ``native/edits/plain_edits.cpp``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.corpus.edit import Edit, operation
from gecval.corpus.encoding import Tokens, characters
from gecval.corpus.references import offsets_of
from gecval.edits.alignment import find_stretches
from gecval.runtime.run import SERIAL, Run

MOST_CELLS = _native.MOST_CELLS  # words times words that are aligned in one piece
BLOCK = 2_000  # pairs from one report of progress to the next
_JOINERS = str.maketrans("", "", "-'’‐‑")


@dataclass(frozen=True)
class PlainExtractor:
    """Edits by the rules above."""

    language: ClassVar[str | None] = None  # any
    only_types: ClassVar[tuple[str, ...]] = ("M", "R", "U")

    @property
    def signature(self) -> str:
        return "plain"

    def edits(self, pairs: Sequence[tuple[str, str]], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        distinct = list(dict.fromkeys(pairs))
        known: dict[tuple[str, str], tuple[Edit, ...]] = {}
        for start in range(0, len(distinct), BLOCK):
            block = distinct[start : start + BLOCK]
            vocabulary = _native.Vocabulary()
            before, after = (
                Tokens(*vocabulary.encode([pair[side] for pair in block], jobs=run.threads)[:2]) for side in (0, 1)
            )
            known.update(
                zip(block, _edits(before, after, _Words.of(vocabulary.tokens()), run=run.quiet()), strict=True)
            )
            run.progress(len(known), len(distinct))
        return [known[pair] for pair in pairs]


def plain_edits(source: Sequence[str], corrected: Sequence[str]) -> tuple[Edit, ...]:
    """The edits from source to corrected tokens.

    >>> for edit in plain_edits("He go to home , we stay".split(), "He goes home . We stay".split()):
    ...     print(edit.start, edit.end, edit.correction, edit.type)
    1 2 goes R
    2 3  U
    4 6 . We R
    """
    numbers = {word: number for number, word in enumerate(dict.fromkeys([*source, *corrected]))}
    before, after = (_laid_out([[numbers[word] for word in words]]) for words in (source, corrected))
    [edits] = _edits(before, after, _Words.of(list(numbers)))
    return edits


class _Words(NamedTuple):
    """Words by their numbers, and what the rules ask about each."""

    texts: list[str]
    letters: Tokens
    bare: Tokens  # in lower case, without hyphens and apostrophes
    lower: NDArray[np.int32]  # equal numbers for words equal in lower case
    punctuation: NDArray[np.uint8]

    @classmethod
    def of(cls, texts: list[str]) -> _Words:
        lower = [word.lower() for word in texts]
        forms: dict[str, int] = {}
        return cls(
            texts,
            characters(texts),
            characters([word.translate(_JOINERS) for word in lower]),
            np.array([forms.setdefault(word, len(forms)) for word in lower], dtype=np.int32),
            np.array([_is_punctuation(word) for word in texts], dtype=np.uint8),
        )


def _is_punctuation(word: str) -> bool:
    return all(unicodedata.category(letter).startswith("P") for letter in word)


def _edits(before: Tokens, after: Tokens, words: _Words, *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
    """The edits of each pair. Tokens are numbers of words."""
    edits = _align_pieces(before, after, words, run=run)
    for pair in np.flatnonzero(np.diff(before.offsets) * np.diff(after.offsets) > MOST_CELLS).tolist():
        source, corrected = (side.ids[slice(*side.offsets[pair : pair + 2])] for side in (before, after))
        shorter = min(len(source), len(corrected))
        common = int(np.append(source[:shorter] == corrected[:shorter], False).argmin())
        if (len(source) - common) * (len(corrected) - common) > MOST_CELLS:
            edits[pair] = _edits_of_long_text(source.tolist(), corrected.tolist(), words)
    return edits


def _edits_of_long_text(source: list[int], corrected: list[int], words: _Words) -> tuple[Edit, ...]:
    """Only what lies between words that stay in place is aligned, each stretch by itself."""
    changed = [place for equal, place in find_stretches(source, corrected) if not equal]
    before = _laid_out([source[start:end] for start, end, _, _ in changed])
    after = _laid_out([corrected[start:end] for _, _, start, end in changed])
    return tuple(
        replace(edit, start=edit.start + start, end=edit.end + start)
        for (start, *_), edits in zip(changed, _align_pieces(before, after, words), strict=True)
        for edit in edits
    )


def _align_pieces(before: Tokens, after: Tokens, words: _Words, *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
    """The edits of pairs that are aligned in one piece. Where one is too long for it, a rewrite of all that differs."""
    rows, offsets = _native.plain_edits(
        before.ids,
        before.offsets,
        after.ids,
        after.offsets,
        words.letters.ids,
        words.letters.offsets,
        words.bare.ids,
        words.bare.offsets,
        words.lower,
        words.punctuation,
        jobs=run.threads,
    )
    first = np.repeat(after.offsets[:-1], np.diff(offsets))  # of the corrected text of each edit
    starts, ends = rows[:, 0].tolist(), rows[:, 1].tolist()
    spans = zip((first + rows[:, 2]).tolist(), (first + rows[:, 3]).tolist(), strict=True)
    ids, texts = after.ids.tolist(), words.texts
    edits = [
        Edit(start, end, (" ".join([texts[word] for word in ids[i:j]]),), operation(end - start, j - i))
        for start, end, (i, j) in zip(starts, ends, spans, strict=True)
    ]
    return [tuple(edits[i:j]) for i, j in pairwise(offsets.tolist())]


def _laid_out(sentences: list[list[int]]) -> Tokens:
    """Sentences of numbers, one after the other."""
    return Tokens(np.array([word for words in sentences for word in words], np.int32), offsets_of(map(len, sentences)))
