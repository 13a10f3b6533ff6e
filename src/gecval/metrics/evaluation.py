"""One system under one metric: the statistics array, and everything that can be asked of it.

A metric may be anybody's. So this is the place that checks what it gives: that the array fits the corpus and the rule,
and that every score is a number.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.rules import Best
from gecval.metrics.running_best import RunningBest
from gecval.metrics.shapes import check_fit
from gecval.metrics.times_drawn import Draws, draws_sentence

Aggregate = Literal["corpus", "mean"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)


@dataclass(frozen=True)
class Evaluation:
    """``aggregate`` is ``corpus`` (score of the summed statistics) or ``mean`` (mean of the sentence scores).

    >>> from gecval.metrics import metric
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> evaluation = Evaluation.of(metric("accuracy"), corpus, corpus.system("copy", ["He go home .", "Fine ."]))
    >>> evaluation.score(), evaluation.sentence_scores().tolist()
    (0.5, [0.0, 1.0])
    """

    metric: Metric
    statistics: Statistics
    aggregate: Aggregate = "corpus"
    jobs: int = 1
    system: str = "the system"  # for messages
    _without: list[tuple[list[slice], Array]] = field(default_factory=list, init=False, compare=False)

    def __post_init__(self) -> None:
        if self.aggregate not in AGGREGATES:
            raise InputError(f"aggregate is {' or '.join(AGGREGATES)}, not {self.aggregate!r}", parameter="aggregate")

    @classmethod
    def of(
        cls, metric: Metric, corpus: Corpus, system: System, *, aggregate: Aggregate = "corpus", jobs: int = 1
    ) -> Evaluation:
        metric.check(corpus)
        # A system of another corpus may be of any length.
        system = corpus.system(system.name, system.hypotheses, edits=system.edits)
        statistics = metric.statistics(corpus, system, jobs=jobs)
        check_fit(statistics, metric, len(corpus))
        return cls(metric, statistics, aggregate=aggregate, jobs=jobs, system=system.name)

    def __len__(self) -> int:
        return len(self.statistics)

    def score(self) -> float:
        if self.aggregate == "mean":
            return float(self.sentence_scores().mean())
        with _unwarned():
            scores = self.metric.score(self._totals)
        return float(self._numbers(scores, len(self._totals), self.system).mean())

    def parts(self) -> dict[str, float]:
        """What the corpus score is made of. The mean of sentence scores has no such parts."""
        if self.aggregate == "mean":
            return {}
        with _unwarned():
            parts = self.metric.parts(self._totals.mean(axis=0))
        for name, value in parts.items():
            self._numbers([value], 1, f"{name!r} of {self.system}")
        return parts

    @cached_property
    def _totals(self) -> Array:
        return self.metric.rule.totals(self.metric, self.statistics, jobs=self.jobs)

    def sentence_scores(self) -> Array:
        with _unwarned():
            scores = self.metric.rule.sentence_scores(self.metric, self.statistics)
        return self._numbers(scores, len(self), self.system, item="sentence")

    def scores_over(self, draws: Draws) -> Array:
        """The score over each list of sentences, as resampling draws them; ``len(self)`` stands for no sentence."""
        filled_up = draws_sentence(draws, len(self))
        if self.aggregate == "mean":
            if filled_up:
                counts = (draws < len(self)).sum(axis=1)
                return np.asarray(np.append(self.sentence_scores(), 0.0)[draws].sum(axis=1) / counts)
            means: Array = self.sentence_scores()[draws].mean(axis=1)
            return means
        statistics = self.statistics.filled_up() if filled_up else self.statistics
        with _unwarned():
            scores = self.metric.rule.scores_over(self.metric, statistics, draws, jobs=self.jobs)
        return self._numbers(scores, len(draws), self.system, item="resample")

    def scores_swapped(self, first: Draws, second: Draws) -> tuple[Array, Array]:
        """``scores_over`` both, where two systems lie ``beside`` each other, and a list has what the other lacks."""
        if self.aggregate == "mean":
            return self.scores_over(first), self.scores_over(second)
        with _unwarned():
            scores = self.metric.rule.scores_swapped(self.metric, self.statistics, (first, second), jobs=self.jobs)
        ours, theirs = (self._numbers(of_list, len(first), self.system, item="resample") for of_list in scores)
        return ours, theirs

    def scores_without(self, blocks: list[slice]) -> Array:
        """The score with each block of sentences left out; kept, since every pair of systems asks for it again."""
        if not self._without or self._without[0][0] != blocks:
            self._without[:] = [(blocks, self._scores_without(blocks))]
        return self._without[0][1]

    def _scores_without(self, blocks: list[slice]) -> Array:
        if self.aggregate == "mean":
            scores = self.sentence_scores()
            left_out = np.add.reduceat(scores, [block.start for block in blocks])
            kept = len(scores) - np.array([block.stop - block.start for block in blocks])
            means_without: Array = (scores.sum() - left_out) / kept
            return means_without
        with _unwarned():
            scores = self.metric.rule.scores_without(self.metric, self.statistics, blocks, jobs=self.jobs)
        return self._numbers(scores, len(blocks), self.system, item="jackknife block")

    def _numbers(self, scores: ArrayLike, count: int, what: str, *, item: str = "") -> Array:
        """The scores, refused where they are not so many finite numbers."""
        listed = np.asarray(scores, dtype=np.float64)
        if listed.shape != (count,):
            raise InputError(f"{self.metric!r}: score must give one number for each row, whatever the number of rows")
        wrong = np.flatnonzero(~np.isfinite(listed))
        if len(wrong):
            where = f"{item} {wrong[0] + 1} of {what}" if item else what
            raise InputError(f"{self.metric!r} gives {listed[wrong[0]]} for {where}; let it say what 0 / 0 is to be")
        return listed

    def over(self, sentences: NDArray[np.int64]) -> Evaluation:
        """The same system on a corpus of these sentences alone: what scoring them from scratch gives."""
        return replace(self, statistics=self.statistics.take(sentences))

    @property
    def by_position(self) -> bool:
        """Whether ``scores_over`` some sentences only comes near the score of ``over`` them.

        Sampled references are drawn by the place of a sentence in the corpus, and ``over`` changes the places.
        """
        several = len(self.statistics.rows) > len(self)
        return self.aggregate == "corpus" and self.metric.rule.by_position and several

    def fractions(self, *, as_chosen: bool = False) -> tuple[Array, Array] | None:
        """Numerators n and denominators d of all sentences, where the score of any of them rises with Σn / Σd.

        Running rules choose again where sentences are left out, so they have fractions only ``as_chosen``: with the
        references that the score of all sentences chose.
        """
        if self.aggregate == "mean":
            return self.sentence_scores(), np.ones(len(self))
        weights, rule = self.metric.as_ratio(), self.metric.rule
        if len(self.statistics.rows) == len(self):
            rows = self.statistics.rows
        elif isinstance(rule, Best):
            rows = next(rule.repetitions(self.metric, self.statistics))
        elif isinstance(rule, RunningBest) and as_chosen:
            rows = self.statistics.rows[rule.chosen(self.statistics)]
        else:
            return None
        return (rows @ np.asarray(weights[0], float), rows @ np.asarray(weights[1], float)) if weights else None

    def beside(self, other: Evaluation) -> Evaluation:
        """Both systems as one: sentence *i* of the other is number ``i + len(self)``."""
        both = self.statistics.beside(other.statistics)
        systems = f"{self.system} and {other.system}"
        return Evaluation(self.metric, both, aggregate=self.aggregate, jobs=self.jobs, system=systems)


def _unwarned() -> AbstractContextManager[None]:
    """A score that is no number is refused here, in one line. So numpy need not warn about it."""
    return np.errstate(all="ignore")
