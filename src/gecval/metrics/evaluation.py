"""One system under one metric: the statistics array with everything that can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.rules import Draws

Aggregate = Literal["corpus", "mean"]


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

    @classmethod
    def of(
        cls, metric: Metric, corpus: Corpus, system: System, *, aggregate: Aggregate = "corpus", jobs: int = 1
    ) -> Evaluation:
        metric.check(corpus)
        return cls(metric, metric.statistics(corpus, system, jobs=jobs), aggregate, jobs)

    def __len__(self) -> int:
        return len(self.statistics)

    def score(self) -> float:
        if self.aggregate == "mean":
            return float(self.sentence_scores().mean())
        return float(self.metric.score(self._totals).mean())

    def parts(self) -> dict[str, float]:
        """What the corpus score is made of; empty for the mean of sentence scores, which has no such parts."""
        return {} if self.aggregate == "mean" else self.metric.parts(self._totals.mean(axis=0))

    @cached_property
    def _totals(self) -> Array:
        return self.metric.rule.totals(self.metric, self.statistics, jobs=self.jobs)

    def sentence_scores(self) -> Array:
        return self.metric.rule.sentence_scores(self.metric, self.statistics)

    def scores_over(self, draws: Draws) -> Array:
        """The score over each list of sentences, as resampling draws them."""
        if self.aggregate == "mean":
            means: Array = self.sentence_scores()[draws].mean(axis=1)
            return means
        return self.metric.rule.scores_over(self.metric, self.statistics, draws, jobs=self.jobs)

    def scores_without(self, blocks: list[slice]) -> Array:
        """The score with each block of sentences left out."""
        if self.aggregate == "mean":
            scores = self.sentence_scores()
            left_out = np.add.reduceat(scores, [block.start for block in blocks])
            kept = len(scores) - np.array([block.stop - block.start for block in blocks])
            means_without: Array = (scores.sum() - left_out) / kept
            return means_without
        return self.metric.rule.scores_without(self.metric, self.statistics, blocks, jobs=self.jobs)

    def beside(self, other: Evaluation) -> Evaluation:
        """Both systems as one: sentence *i* of the other is number ``i + len(self)``."""
        return Evaluation(self.metric, self.statistics.beside(other.statistics), self.aggregate, self.jobs)
