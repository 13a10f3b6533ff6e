"""CLEME2.0's other weights: by how much a chunk alone moves the source towards a reference, or away from it.

    hit, wrong, over   |f(source with this chunk of the hypothesis, reference) − f(source, reference)|
    missed             the same with the reference's chunk
    kept               1

f is a similarity of texts (``similarities.py``). A text that comes out empty counts as the source, so it weighs 0.
Every reference has its own weights, so it has its own row in both modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.edit import Edit
from gecval.edits.chunks import Chunk, shared_chunks
from gecval.metrics.base import Array
from gecval.metrics.edit_weights import Variants, edit_weights
from gecval.models.similarities import Similarity
from gecval.progress import Progress, silent

HIT, WRONG, OVER, MISSED, KEPT = range(5)
HYPOTHESIS = 0  # the first target; references follow


@dataclass(frozen=True)
class JudgedRow:
    """What became of the chunks that weigh something, the texts that weigh them, and how many chunks were kept."""

    outcomes: Sequence[int]
    variants: Variants
    kept: int


def judged_rows(
    corpus: Corpus,
    hypothesis_edits: Sequence[Sequence[Edit]],
    counting: NDArray[np.bool_],
    *,
    independent: bool,
) -> list[JudgedRow]:
    """A row for each reference that takes part."""
    rows = []
    for i, proposed in enumerate(hypothesis_edits):
        source, slot = corpus.sources[i].split(), int(corpus.reference_slots[i])
        part = [r for r in range(len(corpus.references[i])) if counting[slot + r]]
        texts = corpus.texts_of(i)
        chunks = shared_chunks(source, [proposed, *(corpus.references[i][r].edits or () for r in part)])
        for target, r in enumerate(part, start=1):
            rows.append(_judged(source, " ".join(texts[r].split()), chunks, target, independent=independent))
    return rows


def weighed(similarity: Similarity, rows: Sequence[JudgedRow], *, jobs: int = 1, progress: Progress = silent) -> Array:
    """The five sums of weights of each row."""
    sums = np.zeros((len(rows), 5))
    weights = edit_weights(similarity, [row.variants for row in rows], jobs=jobs, progress=progress)
    for total, row, of_row in zip(sums, rows, weights, strict=True):
        total[KEPT] = row.kept
        for outcome, weight in zip(row.outcomes, of_row, strict=True):
            total[outcome] += weight
    return sums


def _judged(
    source: Sequence[str], reference: str, chunks: Sequence[Chunk], target: int, *, independent: bool
) -> JudgedRow:
    outcomes, texts, whole = [], [], " ".join(source)
    for chunk in chunks:
        outcome = _against_all(chunk) if independent else _against_one(chunk, target)
        if outcome != KEPT:
            text = chunk.texts[target if outcome == MISSED else HYPOTHESIS]
            outcomes.append(outcome)
            texts.append(" ".join([*source[: chunk.start], *text.split(), *source[chunk.end :]]) or whole)
    return JudgedRow(outcomes, Variants(whole, reference, texts), len(chunks) - len(outcomes))


def _against_one(chunk: Chunk, target: int) -> int:
    equal = chunk.texts[HYPOTHESIS] == chunk.texts[target]
    if chunk.changed[HYPOTHESIS]:
        return HIT if equal else WRONG if chunk.changed[target] else OVER
    return KEPT if equal else MISSED


def _against_all(chunk: Chunk) -> int:
    if chunk.changed[HYPOTHESIS]:
        return HIT if chunk.texts[HYPOTHESIS] in chunk.texts[1:] else WRONG if any(chunk.changed[1:]) else OVER
    return MISSED if all(chunk.changed[1:]) else KEPT
