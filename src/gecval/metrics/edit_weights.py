"""What an edit weighs: by how much it alone moves the source towards the reference, or away from it.

w(e) = |f(source with e, reference) − f(source, reference)|      f: a similarity of texts (``similarities.py``)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gecval.models.similarities import Similarity
from gecval.progress import Progress, silent


@dataclass(frozen=True)
class Variants:
    """A source and a reference, and the texts that single edits make of the source."""

    source: str
    reference: str
    texts: Sequence[str]


def edit_weights(
    similarity: Similarity, rows: Sequence[Variants], *, jobs: int = 1, progress: Progress = silent
) -> list[list[float]]:
    """The weight of each text of each row. The similarity is asked once, about all distinct pairs."""
    pairs = dict.fromkeys((text, row.reference) for row in rows if row.texts for text in (row.source, *row.texts))
    values = similarity.of([text for text, _ in pairs], [gold for _, gold in pairs], jobs=jobs, progress=progress)
    likeness = dict(zip(pairs, values.tolist(), strict=True))
    return [
        [abs(likeness[text, row.reference] - likeness[row.source, row.reference]) for text in row.texts] for row in rows
    ]
