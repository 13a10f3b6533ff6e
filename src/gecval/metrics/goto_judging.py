"""How an output fares on the chunks of a reference (Gotou et al. 2020).

For a chunk of the reference, the chunks of the output are looked at from left to right:

    same span, same words      right; tried if the output's chunk is an edit; nothing before it counts
    same span, other words     wrong; tried if it is an edit, or if one before it is
    overlapping span           the same; an insertion right before a word overlaps it
    nothing met                not tried; right unless the reference has an edit there
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.edit import Edit
from gecval.edits.text_chunks import TextChunk, edited_chunks, plain_chunks
from gecval.metrics.base import Array

Flags = NDArray[np.bool_]  # one for each chunk, sentence after sentence


class GoldChunks:
    """The chunks of one reference of every sentence."""

    def __init__(self, corpus: Corpus, reference: int) -> None:
        self._plain = [plain_chunks(source.split()) for source in corpus.sources]
        self._chunks = [
            edited_chunks(plain, references[reference].edits or ())
            for plain, references in zip(self._plain, corpus.references, strict=True)
        ]
        self._sentence = np.repeat(np.arange(len(corpus)), [len(chunks) for chunks in self._chunks])
        self._is_edit = np.array([chunk.is_edit for chunks in self._chunks for chunk in chunks], dtype=bool)
        # Where an output has no edit, these chunks are right.
        self._untouched = [
            bytes(not gold.is_edit or _changes_nothing(gold, plain) for gold in golds)
            for golds, plain in zip(self._chunks, self._plain, strict=True)
        ]

    def __len__(self) -> int:
        return len(self._is_edit)

    def judged(self, edits: Sequence[Sequence[Edit]], *, form: str) -> tuple[Flags, Flags]:
        """Which chunks an output with these edits tried, and on which it is right."""
        tried, correct = bytearray(), bytearray()
        for plain, golds, untouched, proposed in zip(self._plain, self._chunks, self._untouched, edits, strict=True):
            first = len(tried)
            tried += bytes(len(golds))
            if not proposed:
                correct += untouched
                continue
            correct += b"\1" * len(golds)
            outputs = edited_chunks(plain, proposed)
            near, begins = bytearray(len(plain) // 2 + 1), _begins(outputs, len(plain) // 2)
            for chunk in outputs:  # the places where an edit of the output begins, goes on or ends
                if chunk.is_edit:
                    near[chunk.start : chunk.end + 1] = b"\1" * (chunk.end + 1 - chunk.start)
            for place, gold in enumerate(golds, start=first):
                if gold.is_edit or near[gold.start] or near[gold.end]:
                    tried[place], correct[place] = judge(gold, outputs, form=form, begin=begins[gold.start])
        return np.frombuffer(tried, dtype=bool), np.frombuffer(correct, dtype=bool)

    def mastered(self, edits: Sequence[Sequence[Edit]], *, form: str) -> Flags:
        """On which chunks a system of the pool counts as right."""
        if form == "author":
            return self.judged(edits, form=form)[1]
        flags: list[bool] = []
        for plain, golds, proposed in zip(self._plain, self._chunks, edits, strict=True):
            texts = {chunk.text for chunk in edited_chunks(plain, proposed)}
            flags += [gold.text in texts for gold in golds]
        return np.array(flags, dtype=bool)

    def rows(self, tried: Flags, correct: Flags, weights: Array) -> Array:
        """tp, fp, fn and tn of each sentence."""
        outcomes = (
            tried & correct,
            tried & ~correct,
            (tried & ~correct & self._is_edit) | (~tried & ~correct),
            ~tried & correct,
        )
        size = len(self._chunks)
        return np.stack([np.bincount(self._sentence, weights * chosen, minlength=size) for chosen in outcomes], axis=1)


def _changes_nothing(edit: TextChunk, plain: Sequence[TextChunk]) -> bool:
    """Whether an edit leaves a word, or an empty place, as it is."""
    return edit.end - edit.start < 2 and edit.text == plain[edit.start + edit.end].text


def _begins(outputs: Sequence[TextChunk], length: int) -> list[int]:
    """For each place, the first chunk of an output that is there or further on: those before it end earlier.

    >>> from gecval.edits.text_chunks import text_chunks
    >>> _begins(text_chunks("We discuss it".split(), [Edit(0, 2, ("Discuss",))]), 3)
    [0, 1, 2, 4]
    """
    begins, number = [], 0
    for place in range(length + 1):
        while outputs[number].end <= place and outputs[number].start < place:
            number += 1
        begins.append(number)
    return begins


def judge(gold: TextChunk, outputs: Sequence[TextChunk], *, form: str, begin: int = 0) -> tuple[bool, bool]:
    """Whether an output with these chunks, of which those before ``begin`` are elsewhere, tried a chunk of the
    reference, and whether it is right.

    >>> from gecval.edits.text_chunks import text_chunks
    >>> judge(TextChunk(1, 2, "goes", True), text_chunks("He go".split(), [Edit(1, 2, ("went",))]), form="author")
    (True, False)
    """
    met, tried = False, False
    for number in range(begin, len(outputs)):
        chunk = outputs[number]
        if chunk.start > gold.end:
            break
        if chunk[:2] == gold[:2]:
            if chunk.text == gold.text:
                return chunk.is_edit, True
            met, tried = True, chunk.is_edit or (tried and form == "author")
        elif gold.start < gold.end and (gold.start <= chunk.start < gold.end or chunk.start <= gold.start < chunk.end):
            met, tried = True, tried or chunk.is_edit
    if met:
        return tried, False
    return False, not gold.is_edit or form == "gec-metrics"
