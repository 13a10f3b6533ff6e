"""Chunks that a hypothesis and its references share (Ye et al. 2023): CLEME's cut of a sentence.

    all edits of all texts, by start: an edit that starts within the current chunk or at its end joins it

So a chunk is the same stretch of the source in every text. In a text it is *changed* if one of the text's edits lies in
it. Two texts agree on a chunk if they have the same words there, whatever the number and the cut of their edits.

A reference whose text is empty is left out while another remains. With ``drop_unchanged``, those that equal the source
are left out first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.edit import Edit, apply_edits
from gecval.encoding import Encoded, Tokens


@dataclass(frozen=True, slots=True)
class Chunk:
    """Source tokens ``start:end``, and what each text has there; ``changed`` says which texts have an edit in it."""

    start: int
    end: int
    texts: tuple[str, ...]
    changed: tuple[bool, ...]


def shared_chunks(source: Sequence[str], targets: Sequence[Sequence[Edit]]) -> list[Chunk]:
    """The chunks of a source, given the edits of each text. Stretches that no text changes are chunks too.

    >>> he_goes, he_went = [Edit(1, 2, ("goes",)), Edit(2, 2, ("back",))], [Edit(1, 2, ("went",))]
    >>> for chunk in shared_chunks("He go home .".split(), [he_goes, he_went, []]):
    ...     print(chunk.start, chunk.end, chunk.texts, chunk.changed)
    0 1 ('He', 'He', 'He') (False, False, False)
    1 2 ('goes back', 'went', 'go') (True, True, False)
    2 4 ('home .', 'home .', 'home .') (False, False, False)
    """
    chunks: list[Chunk] = []
    reached = 0
    for start, end in _intervals(targets):
        if reached < start:
            chunks.append(_unchanged(source, reached, start, texts=len(targets)))
        chunks.append(_changed(source, targets, start, end))
        reached = end
    if reached < len(source) or not chunks:
        chunks.append(_unchanged(source, reached, len(source), texts=len(targets)))
    return chunks


def _intervals(targets: Sequence[Sequence[Edit]]) -> list[tuple[int, int]]:
    intervals: list[tuple[int, int]] = []
    for start, end in sorted((edit.start, edit.end) for edits in targets for edit in edits):
        if intervals and start <= intervals[-1][1]:
            intervals[-1] = intervals[-1][0], max(intervals[-1][1], end)
        else:
            intervals.append((start, end))
    return intervals


def _unchanged(source: Sequence[str], start: int, end: int, *, texts: int) -> Chunk:
    return Chunk(start, end, (" ".join(source[start:end]),) * texts, (False,) * texts)


def _changed(source: Sequence[str], targets: Sequence[Sequence[Edit]], start: int, end: int) -> Chunk:
    inside = [
        [Edit(e.start - start, e.end - start, e.corrections) for e in edits if start <= e.start <= end]
        for edits in targets
    ]
    texts = tuple(apply_edits(source[start:end], edits) for edits in inside)
    return Chunk(start, end, texts, tuple(map(bool, inside)))


def references_that_count(corpus: Corpus, *, drop_unchanged: bool = False) -> NDArray[np.bool_]:
    """Whether each reference takes part in the cut. At least one of every sentence does.

    >>> corpus = Corpus.from_texts(["a b", "c"], [["", "a"], [""]])
    >>> references_that_count(corpus).tolist()
    [False, True, True]
    """
    encoded, slots = Encoded.of(corpus), corpus.reference_slots
    references = encoded.reference_tokens()
    counts = np.ones(len(references.offsets) - 1, dtype=bool)
    if drop_unchanged:
        sources = encoded.source_tokens()
        sentence = np.repeat(np.arange(len(corpus)), np.diff(slots))
        same = [np.array_equal(_tokens(references, r), _tokens(sources, i)) for r, i in enumerate(sentence.tolist())]
        counts = _without(counts, np.array(same), slots)
    return _without(counts, np.diff(references.offsets) == 0, slots)


def _tokens(tokens: Tokens, i: int) -> NDArray[np.int32]:
    return tokens.ids[tokens.offsets[i] : tokens.offsets[i + 1]]


def _without(counts: NDArray[np.bool_], left_out: NDArray[np.bool_], slots: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The references that still count. Where a sentence would have none, its first one that counted stays."""
    remaining = counts & ~left_out
    for i in np.flatnonzero(np.add.reduceat(remaining, slots[:-1], dtype=np.int64) == 0):
        remaining[slots[i] + np.argmax(counts[slots[i] : slots[i + 1]])] = True
    return remaining
