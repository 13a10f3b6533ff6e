"""What an edit weighs: by how much it alone moves the source towards the reference, or away from it.

    w(e) = |f(source with e, reference) − f(source, reference)|      f: a similarity of texts (``similarities.py``)

A network's numbers depend a little on the texts that it reads at the same time. A difference that small is none: an
edit of case weighs 0 for a network that does not see case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gecval.models.similarities import Similarity
from gecval.progress import Progress, silent

NOISE = 1e-6  # of the numbers of a network, in float32


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
    noise = NOISE if similarity.asks_model else 0.0

    def weight(text: str, row: Variants) -> float:
        difference = abs(likeness[text, row.reference] - likeness[row.source, row.reference])
        return difference if difference > noise else 0.0

    return [[weight(text, row) for text in row.texts] for row in rows]
