"""How accurate would a system be if every valid correction were a reference? (Low-coverage paper, §2.2 and §3.1)

Suppose that a system, where it is right, chooses among valid corrections as people do. Then E[accuracy] is true
accuracy · coverage. But systems leave far more sentences alone than people do, and leaving a sentence alone is covered
far better than other corrections. So each kind of output is divided by its own coverage:

    true accuracy = accuracy of unchanged outputs / c(unchanged) + accuracy of changed outputs / c(changed).

This makes the assumption only within each kind. (By the simple ratio the untouched CoNLL-2014 source is 91% right.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.accuracy import Accuracy
from gecval.metrics.base import Array
from gecval.metrics.evaluation import Evaluation
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.means import SentenceMean
from gecval.stats.reference_agreement import agreed_coverage
from gecval.stats.resampling import Draws
from gecval.studies.coverage.agreement import Agreements, agreements, remaining_share
from gecval.studies.inputs import given_jobs
from gecval.studies.scores.signature import signature


@dataclass(frozen=True, kw_only=True)
class TrueScore:
    """Accuracy as measured, and as it would be if every valid correction were a reference.

    A corpus of a single sentence gives no interval.
    """

    system: str
    accuracy: float
    interval: Interval | None
    true_accuracy: float
    true_interval: Interval | None
    signature: str


def true_scores(
    corpus: Corpus,
    systems: Iterable[System],
    *,
    agreed: Agreements | None = None,
    resampling: Resampling | None = None,
    jobs: int | None = None,
) -> list[TrueScore]:
    """Accuracy corrected for coverage. The intervals resample sentences, and with them how their references agree.

    ``agreed`` saves work where the agreement of the references is known.
    """
    resampling = resampling or Resampling()
    agreed = agreed or agreements(corpus)
    shares = tuple(map(remaining_share, agreed))
    scores = []
    for system in systems:
        matches = Evaluation.of(Accuracy(), corpus, system, jobs=given_jobs(jobs)).sentence_scores()
        outputs = zip(corpus.sources, system.hypotheses, strict=True)
        changed = np.array([source.split() != output.split() for source, output in outputs])
        kinds = [
            np.column_stack([matches * kind, agreement.rows])
            for kind, agreement in zip((~changed, changed), agreed, strict=True)
        ]
        corrected = _Corrected(np.stack(kinds, axis=1), shares)
        scores.append(
            TrueScore(
                system=system.name,
                accuracy=float(matches.mean()),
                interval=bootstrap_interval(SentenceMean(matches), resampling) if len(corpus) > 1 else None,
                true_accuracy=corrected.score(),
                true_interval=bootstrap_interval(corrected, resampling) if len(corpus) > 1 else None,
                signature=signature(Accuracy(), corpus, "corpus", resampling=resampling if len(corpus) > 1 else None),
            )
        )
    return scores


@dataclass(frozen=True, eq=False)
class _Corrected:
    """``rows[sentence, kind]`` are the match and its agreement rows, for outputs unchanged and changed."""

    rows: Array
    shares: tuple[float, ...]
    everything: Array = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "everything", self.rows.sum(axis=0))

    def __len__(self) -> int:
        return len(self.rows)

    def score(self) -> float:
        return float(self._scores(self.everything[None], np.array([len(self)]))[0])

    def scores_over(self, draws: Draws) -> Array:
        weights = np.array([np.bincount(draw, minlength=len(self))[: len(self)] for draw in draws], dtype=np.float64)
        return self._scores(np.tensordot(weights, self.rows, axes=1), weights.sum(axis=1))

    def scores_without(self, blocks: list[slice]) -> Array:
        kept = np.array([len(self) - (block.stop - block.start) for block in blocks])
        return self._scores(self.everything - np.array([self.rows[block].sum(axis=0) for block in blocks]), kept)

    def _scores(self, totals: Array, sentences: Array) -> Array:
        score = np.zeros(len(totals))
        for kind, share in enumerate(self.shares):
            covered = agreed_coverage(totals[:, kind, 1:], share)
            matched = totals[:, kind, 0] / sentences
            # Where no references ever agree, there is no coverage to divide by, but a match is a match.
            score += np.divide(matched, covered, out=np.sign(matched), where=covered > 0)
        return np.minimum(score, 1.0)
