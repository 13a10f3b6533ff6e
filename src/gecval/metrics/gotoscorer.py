"""GoToScorer (Gotou et al. 2020): F over the chunks of one reference, where difficult chunks count more.

    weight of a chunk = a − (n + b) / (N + c)      n of the pool's N systems are right on it
    P = tp / (tp + fp)      R = tp / (tp + fn)      F_β = (1 + β²)PR / (β²P + R), sums of weights; 0 / 0 is 0

A chunk is an edit of the reference, a word that it keeps, or an empty place between words (``edits/text_chunks.py``).
``tried`` chunks are those that the output edits: right ones are tp, wrong ones fp, and fn too where the reference has
an edit. Of the others, right ones are tn and wrong ones fn (``goto_judging.py``).

``pool`` says whose outputs tell the difficulty: ``outputs`` (the systems that are scored), a file or folder of outputs,
or ``none`` (every chunk weighs 1). Its hash is in the signature. With ``leave_one_out`` no system has a say in its own
weights. ``reference`` is the number of the reference, from 0. ``smoothing`` is (a, b, c). Weights stay in resamples.

``form="gec-metrics"`` does what that library does otherwise: a pool's system is right on a chunk if it has the same
words anywhere; a missed insertion inside a stretch that the output replaces is right; an insertion before a word is no
attempt on that word; and without fp P = 1, without fn R = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Ratio, Statistics
from gecval.metrics.found_edits import EditFindingMetric
from gecval.metrics.goto_judging import Flags
from gecval.metrics.goto_pool import OUTPUTS, UNWEIGHTED, Judged, Pool, Pools
from gecval.metrics.parameters import flag, numbers, one_of, positive, text, whole
from gecval.metrics.ratios import f_score, ratio
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.progress import Progress, silent

FORMS = ("author", "gec-metrics")
ALONE = "gotoscorer: fewer than two systems tell the difficulty, so the weights say little; name a pool of several"


@dataclass(frozen=True, repr=False)
class GoToScorer(EditFindingMetric):
    name: ClassVar[str] = "gotoscorer"
    summary: ClassVar[str] = "F over chunks, weighted by how few systems get them right"
    paper: ClassVar[str] = "Gotou et al. 2020"
    rule: ClassVar[ReferenceRule] = Pooled()

    pool: str = OUTPUTS
    reference: int = 0
    smoothing: tuple[float, float, float] = (1, 0, 0)
    leave_one_out: bool = False
    form: str = "author"
    beta: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        text(self.name, pool=self.pool)
        whole(self.name, least=0, reference=self.reference)
        numbers(self.name, count=3, smoothing=self.smoothing)
        flag(self.name, leave_one_out=self.leave_one_out)
        one_of(self.name, FORMS, form=self.form)
        positive(self.name, beta=self.beta)

    @property
    def whole_corpus(self) -> str | None:
        return None if self.pool in (OUTPUTS, UNWEIGHTED) else "the outputs of its pool are those of one corpus"

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        counts = np.diff(corpus.reference_slots)
        if self.reference >= counts.min():
            number = int(np.argmin(counts)) + 1
            raise InputError(
                f"{self.name} looks at reference {self.reference} (from 0), and sentence {number} has {counts.min()}"
            )

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Remember whose outputs tell the difficulty."""
        if self.pool != UNWEIGHTED:
            corpus.derived(Pools).announce(self, self.pool, systems)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        gold = corpus.derived(Pools).gold(self.reference)

        def judged(output: System) -> Judged:
            return gold.judged(self.hypothesis_edits(corpus, output, jobs=jobs), form=self.form)

        if self.pool == UNWEIGHTED:
            return Statistics.one_per_sentence(gold.rows(*judged(system), np.ones(len(gold))))
        pool = self._pool(corpus, system)
        tried, correct = pool.judged(system, judged)

        def mastered(voter: System) -> Flags:
            if self.form == "author":
                return pool.judged(voter, judged)[1]
            return gold.mastered(self.hypothesis_edits(corpus, voter, jobs=jobs), form=self.form)

        votes = pool.votes(mastered, without=system.name if self.leave_one_out else None)
        return Statistics.one_per_sentence(
            gold.rows(tried, correct, self.weights(votes, len(gold))), (ALONE,) if len(votes) < 2 else ()
        )

    def _pool(self, corpus: Corpus, system: System) -> Pool:
        pools = corpus.derived(Pools)
        if self.pool != OUTPUTS and pools.announced(self) is None:
            pools.announce(self, self.pool, ())
        return pools.announced(self) or Pool((system,))

    def weights(self, votes: Sequence[Flags], chunks: int) -> Array:
        """The weight of each chunk, given on which chunks each system of the pool is right."""
        a, b, c = self.smoothing
        right = np.sum(votes, axis=0) if votes else np.zeros(chunks)
        weights: Array = a - ratio(right + b, np.full(chunks, float(len(votes) + c)), empty=0.0)
        return weights

    def data_signature(self, corpus: Corpus) -> list[str]:
        pool = corpus.derived(Pools).announced(self)
        return [f"pool-hash:{pool.hash}"] if pool else []

    def score(self, totals: Array) -> Array:
        precision, recall = self._precision_recall(totals)
        return f_score(precision, recall, self.beta)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return (1 + squared, 0, 0, 0), (1 + squared, 1, squared, 0)

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = self._precision_recall(totals)
        tp, fp, fn, tn = map(float, totals)
        return {"precision": float(precision), "recall": float(recall), "tp": tp, "fp": fp, "fn": fn, "tn": tn}

    def _precision_recall(self, totals: Array) -> tuple[Array, Array]:
        tp, fp, fn = (totals[..., column] for column in range(3))
        empty = 0.0 if self.form == "author" else 1.0
        return ratio(tp, tp + fp, empty=empty), ratio(tp, tp + fn, empty=empty)
