"""What CLEME and CLEME2.0 share: chunks, what became of each, and how much it weighs.

A hypothesis is compared chunk by chunk (``edits/chunks.py``). A row is (hit, wrong, over, missed, kept):

    hypothesis changed, as the reference is   hit (tp)        hypothesis unchanged, the reference not   missed (fn)
    ..., otherwise than the reference         wrong (fp)      both unchanged                            kept (tn)
    ..., where the reference is unchanged     over (fp)

``mode="dependent"`` has one row for each reference, and the reference that helps the totals so far most counts
(``running-best``). ``mode="independent"`` has one row for each sentence: a change is a hit if any reference has it, and
a chunk is missed only if all references change it.

A weight grows with ℓ, the words of the chunk, for hits and missed chunks, and falls with it for false ones:

    α / (1 + (α − 1)·exp(±(b − ℓ))), clipped      b: the mean ℓ over the changed chunks of all references

b is a constant of corpus and output. Resamples keep it. Where no reference changes anything, all weights are 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.chunks import references_that_count
from gecval.encoding import Encoded
from gecval.metrics.base import Statistics
from gecval.metrics.found_edits import EditFindingMetric
from gecval.metrics.parameters import flag, one_of

MODES = ("dependent", "independent")
WEIGHTS = ("length", "sentence", "none")

# α, least and most weight of hits, of wrong and needless changes, and of missed chunks.
_NONE = (1.0, 1.0, 1.0)
_LENGTH = (2.0, 0.75, 1.25)
_SENTENCE = {
    "dependent": ((10.0, 1.0, 10.0), (10.0, 0.25, 1.0), _NONE),
    "independent": ((10.0, 2.5, 10.0), (10.0, 0.25, 1.0), _NONE),
}


@dataclass(frozen=True, repr=False)
class ChunkMetric(EditFindingMetric):
    weightings: ClassVar[tuple[str, ...]] = WEIGHTS

    mode: str = "dependent"
    weights: str = field(default="length", kw_only=True)
    drop_unchanged: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self.name, MODES, mode=self.mode)
        one_of(self.name, self.weightings, weights=self.weights)
        flag(self.name, drop_unchanged=self.drop_unchanged)

    @property
    def whole_corpus(self) -> str | None:
        return None if self.weights in ("none", "similarity") else 'it takes a mean over all chunks, but weights="none"'

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        return self.statistics_of_edits(corpus, self.hypothesis_edits(corpus, system, jobs=jobs), jobs=jobs)

    def statistics_of_edits(
        self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]], *, jobs: int = 1
    ) -> Statistics:
        """The same for hypotheses that come as edits."""
        rows, _ = self.rows(corpus, hypothesis_edits, jobs=jobs)
        if self.mode == "independent":
            return Statistics.one_per_sentence(rows)
        return Statistics(rows, corpus.reference_slots)

    def rows(
        self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]], *, jobs: int = 1
    ) -> tuple[NDArray[np.float64], float]:
        """The rows, and b: NaN where no reference changes anything."""
        encoded = Encoded.of(corpus)
        independent = self.mode == "independent"
        counting = self.counting(corpus)
        rows, mean_length = _native.cleme(
            *encoded.source_tokens(jobs=jobs),
            encoded.edits(hypothesis_edits),
            encoded.gold_edits,
            corpus.reference_slots,
            counting.references,
            independent=independent,
            weights=self._weights(),
            jobs=jobs,
        )
        if counting.stand_ins is not None and not independent:
            rows = rows[counting.stand_ins]
        return rows, mean_length

    def counting(self, corpus: Corpus) -> Counting:
        """Which references take part."""
        return corpus.derived(Counting.unchanged_dropped if self.drop_unchanged else Counting.all)

    def _weights(self) -> tuple[tuple[float, float, float], ...]:
        if self.weights == "sentence":
            return _SENTENCE[self.mode]
        return (_LENGTH if self.weights == "length" else _NONE,) * 3


@dataclass(frozen=True)
class Counting:
    """Which references take part. The row of one that does not repeats that of the first that does: none sees it."""

    references: NDArray[np.bool_]
    stand_ins: NDArray[np.int64] | None  # None: all take part

    @classmethod
    def all(cls, corpus: Corpus) -> Counting:
        return cls._of(corpus, references_that_count(corpus))

    @classmethod
    def unchanged_dropped(cls, corpus: Corpus) -> Counting:
        return cls._of(corpus, references_that_count(corpus, drop_unchanged=True))

    @classmethod
    def _of(cls, corpus: Corpus, counts: NDArray[np.bool_]) -> Counting:
        if counts.all():
            return cls(counts, None)
        places = np.arange(len(counts))
        first = np.minimum.reduceat(np.where(counts, places, len(counts)), corpus.reference_slots[:-1])
        return cls(counts, np.where(counts, places, np.repeat(first, np.diff(corpus.reference_slots))))
