"""CLEME2.0 (Ye et al. 2025): how much is hit, wrong, missed and needless, as one weighted sum.

    hit = tp / necessary    wrong = fp where the reference has a change / necessary    under = fn / necessary
    over = fp where it has none / (tp + fp)          necessary = tp + fn + such fp
    score = a₁·hit + a₂(1 − wrong) + a₃(1 − under) + a₄(1 − over)

A share of nothing is 0. So a sentence with nothing to do and nothing done scores a₂ + a₃ + a₄, not 1. ``factors`` are
a₁ … a₄; the default is the paper's. The tool takes (0.35, 0.25, 0.2, 0.2) for sentences, and (0.5, 0.4, 0.05, 0.05)
where it is called as a library. Modes, weights and chunks are CLEME's: ``chunked.py`` and ``edits/chunks.py``.

``weights="similarity"`` is the tool's -sim: a chunk weighs by how much it alone changes the likeness to the reference
(``chunk_similarity.py``), and ``by`` names the similarity. The tool's is BERTScore of bert-base-uncased, whose weights
could not be checked here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.errors import InputError
from gecval.metrics.base import Array, Statistics
from gecval.metrics.chunk_similarity import JudgedRow, judged_rows, weighed
from gecval.metrics.chunked import WEIGHTS, ChunkMetric
from gecval.metrics.model_notes import language_notes
from gecval.metrics.parameters import numbers, text
from gecval.metrics.ratios import ratio
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.metrics.running_best import BestChunks
from gecval.models.model_files import DEFAULT_ENCODER
from gecval.models.similarities import Similarity, similarity
from gecval.progress import Progress, silent


@dataclass(frozen=True, repr=False)
class CLEME2(ChunkMetric):
    name: ClassVar[str] = "cleme2"
    summary: ClassVar[str] = "chunks hit, wrong, missed and needlessly changed, as a weighted sum"
    paper: ClassVar[str] = "Ye et al. 2025"
    weightings: ClassVar[tuple[str, ...]] = (*WEIGHTS, "similarity")

    factors: tuple[float, float, float, float] = (0.45, 0.35, 0.15, 0.05)
    weights: str = field(default="none", kw_only=True)
    by: str = field(default=DEFAULT_ENCODER, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers(self.name, count=4, factors=self.factors)
        if sum(self.factors) <= 0:
            raise InputError(f"{self.name}: one of the factors must be above 0, not {self.factors!r}")

        text(self.name, by=self.by)
        if self.by != DEFAULT_ENCODER and not self.by_similarity:
            raise InputError(f'{self.name}: by goes with weights="similarity" only')

    @property
    def by_similarity(self) -> bool:
        return self.weights == "similarity"

    @property
    def similarity(self) -> Similarity:
        return similarity(self.by)

    @property
    def rule(self) -> ReferenceRule:
        if self.mode == "independent" and not self.by_similarity:
            return Pooled()
        return BestChunks(preference="cleme2", factors=self.factors)

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: those of other weights do not name a similarity."""
        parameters = super().parameters()
        del parameters["by"]
        return parameters | ({"by": self.similarity.signature} if self.by_similarity else {})

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask a model about the chunks of all systems in one go."""
        if self.by_similarity and self.similarity.asks_model:
            edits = (self.hypothesis_edits(corpus, system, jobs=jobs) for system in systems)
            judged = [row for of_system in edits for row in self._judged(corpus, of_system)]
            weighed(self.similarity, judged, jobs=jobs, progress=progress)

    def statistics_of_edits(
        self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]], *, jobs: int = 1
    ) -> Statistics:
        if not self.by_similarity:
            return super().statistics_of_edits(corpus, hypothesis_edits, jobs=jobs)
        counting = self.counting(corpus)
        rows = np.zeros((len(counting.references), 5))
        rows[counting.references] = weighed(self.similarity, self._judged(corpus, hypothesis_edits), jobs=jobs)
        if counting.stand_ins is not None:
            rows = rows[counting.stand_ins]
        return Statistics(rows, corpus.reference_slots, language_notes(self.name, self.by, corpus))

    def _judged(self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]]) -> list[JudgedRow]:
        references = self.counting(corpus).references
        return judged_rows(corpus, hypothesis_edits, references, independent=self.mode == "independent")

    def score(self, totals: Array) -> Array:
        hit, wrong, under, over = _shares(totals)
        a, b, c, d = self.factors
        score: Array = a * hit + b * (1 - wrong) + c * (1 - under) + d * (1 - over)
        return score

    def parts(self, totals: Array) -> dict[str, float]:
        return dict(zip(("hit", "wrong", "under", "over"), map(float, _shares(totals)), strict=True))


def _shares(totals: Array) -> tuple[Array, Array, Array, Array]:
    hit, wrong, over, missed = (totals[..., column] for column in range(4))
    necessary = hit + wrong + missed
    return (
        ratio(hit, necessary, empty=0.0),
        ratio(wrong, necessary, empty=0.0),
        ratio(missed, necessary, empty=0.0),
        ratio(over, hit + wrong + over, empty=0.0),
    )
