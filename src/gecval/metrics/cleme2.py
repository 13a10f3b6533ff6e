"""CLEME2.0 (Ye et al. 2025): how much is hit, wrong, missed and needless, as one weighted sum.

    hit = tp / necessary    wrong = fp where the reference has a change / necessary    under = fn / necessary
    over = fp where it has none / (tp + fp)          necessary = tp + fn + such fp
    score = a₁·hit + a₂(1 − wrong) + a₃(1 − under) + a₄(1 − over)

A share of nothing is 0. So a sentence with nothing to do and nothing done scores a₂ + a₃ + a₄, not 1. ``factors`` are
a₁ … a₄; the default is the paper's. The tool takes (0.35, 0.25, 0.2, 0.2) for sentences, and (0.5, 0.4, 0.05, 0.05)
where it is called as a library. Modes, weights and chunks are CLEME's.

``weights="similarity"`` is the tool's -sim: a chunk weighs by how much it alone changes the likeness to the reference.
``by`` names the similarity. The tool's is BERTScore of bert-base-uncased, whose weights
could not be checked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.errors import InputError
from gecval.metrics.base import Array, PageFormula, Statistics, check_numbers, check_text, ratio
from gecval.metrics.cleme import WEIGHTS, BestChunks, Chunk, ChunkMetric, shared_chunks
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.metrics.weighted import Variants, edit_weights
from gecval.models.model_files import DEFAULT_ENCODER, language_notes
from gecval.models.text_similarity import Similarity, similarity
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class CLEME2(ChunkMetric):
    name: ClassVar[str] = "cleme2"
    title: ClassVar[str] = "CLEME2.0"
    summary: ClassVar[str] = "chunks hit, wrong, missed and needlessly changed, as a weighted sum"
    paper: ClassVar[str] = "Ye et al. 2025"
    weightings: ClassVar[tuple[str, ...]] = (*WEIGHTS, "similarity")

    factors: tuple[float, float, float, float] = (0.45, 0.35, 0.15, 0.05)
    weights: str = field(default="none", kw_only=True)
    by: str = field(default=DEFAULT_ENCODER, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_numbers(self.name, count=4, factors=self.factors)
        if sum(self.factors) <= 0:
            raise InputError(f"{self.name}: one of the factors must be above 0, not {self.factors!r}")

        check_text(self.name, by=self.by)
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

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask a model about the chunks of all systems in one go."""
        if self.by_similarity and self.similarity.asks_model:
            edits = (self.hypothesis_edits(corpus, system, run=run) for system in systems)
            outcomes = [row for proposed in edits for row in self._outcomes(corpus, proposed)]
            weigh(self.similarity, outcomes, run=run)

    def statistics_of_edits(
        self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]], *, run: Run = SERIAL
    ) -> Statistics:
        if not self.by_similarity:
            return super().statistics_of_edits(corpus, hypothesis_edits, run=run)
        counting = self.counting(corpus)
        rows = np.zeros((len(counting.references), 5))
        rows[counting.references] = weigh(self.similarity, self._outcomes(corpus, hypothesis_edits), run=run.quiet())
        if counting.stand_ins is not None:
            rows = rows[counting.stand_ins]
        return Statistics(rows, corpus.reference_slots, language_notes(self.name, self.by, corpus))

    def _outcomes(self, corpus: Corpus, hypothesis_edits: Sequence[Sequence[Edit]]) -> list[ChunkOutcomes]:
        references = self.counting(corpus).references
        return outcomes_of_chunks(corpus, hypothesis_edits, references, independent=self.mode == "independent")

    def score(self, totals: Array) -> Array:
        hit, wrong, under, over = _shares(totals)
        a, b, c, d = self.factors
        score: Array = a * hit + b * (1 - wrong) + c * (1 - under) + d * (1 - over)
        return score

    def page_formula(self) -> PageFormula | None:
        return {"name": "cleme2", "factors": self.factors}

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


# CLEME2.0's other weights: by how much a chunk alone moves the source towards a reference, or away from it.
#
#     hit, wrong, over   |f(source with this chunk of the hypothesis, reference) − f(source, reference)|
#     missed             the same with the reference's chunk
#     kept               1
#
# f is a similarity of texts (``text_similarity.py``). A text that comes out empty counts as the source, so it weighs 0.
# Every reference has its own weights, so it has its own row in both modes.


HIT, WRONG, OVER, MISSED, KEPT = range(5)
HYPOTHESIS = 0  # the first target; references follow


@dataclass(frozen=True)
class ChunkOutcomes:
    """What became of the chunks that weigh something, the texts that weigh them, and how many chunks were kept."""

    outcomes: Sequence[int]
    variants: Variants
    kept: int


def outcomes_of_chunks(
    corpus: Corpus,
    hypothesis_edits: Sequence[Sequence[Edit]],
    counting: NDArray[np.bool_],
    *,
    independent: bool,
) -> list[ChunkOutcomes]:
    """A row for each reference that takes part."""
    rows = []
    for i, proposed in enumerate(hypothesis_edits):
        source, slot = corpus.sources[i].split(), int(corpus.reference_slots[i])
        part = [r for r in range(len(corpus.references[i])) if counting[slot + r]]
        texts = corpus.texts_of(i)
        chunks = shared_chunks(source, [proposed, *(corpus.references[i][r].edits or () for r in part)])
        for target, r in enumerate(part, start=1):
            rows.append(_outcomes(source, " ".join(texts[r].split()), chunks, target, independent=independent))
    return rows


def weigh(similarity: Similarity, rows: Sequence[ChunkOutcomes], *, run: Run = SERIAL) -> Array:
    """The five sums of weights of each row."""
    sums = np.zeros((len(rows), 5))
    weights = edit_weights(similarity, [row.variants for row in rows], run=run)
    for total, row, row_weights in zip(sums, rows, weights, strict=True):
        total[KEPT] = row.kept
        for outcome, weight in zip(row.outcomes, row_weights, strict=True):
            total[outcome] += weight
    return sums


def _outcomes(
    source: Sequence[str], reference: str, chunks: Sequence[Chunk], target: int, *, independent: bool
) -> ChunkOutcomes:
    outcomes, texts, whole = [], [], " ".join(source)
    for chunk in chunks:
        outcome = _against_all(chunk) if independent else _against_one(chunk, target)
        if outcome != KEPT:
            text = chunk.texts[target if outcome == MISSED else HYPOTHESIS]
            outcomes.append(outcome)
            texts.append(" ".join([*source[: chunk.start], *text.split(), *source[chunk.end :]]) or whole)
    return ChunkOutcomes(outcomes, Variants(whole, reference, texts), len(chunks) - len(outcomes))


def _against_one(chunk: Chunk, target: int) -> int:
    equal = chunk.texts[HYPOTHESIS] == chunk.texts[target]
    if chunk.changed[HYPOTHESIS]:
        return HIT if equal else WRONG if chunk.changed[target] else OVER
    return KEPT if equal else MISSED


def _against_all(chunk: Chunk) -> int:
    if chunk.changed[HYPOTHESIS]:
        return HIT if chunk.texts[HYPOTHESIS] in chunk.texts[1:] else WRONG if any(chunk.changed[1:]) else OVER
    return MISSED if all(chunk.changed[1:]) else KEPT
