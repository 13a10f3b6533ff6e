"""The judged systems under a metric: from sentence scores to one score a system, in four ways.

corpus          the metric's own score of all sentences together
mean            the mean of sentence scores (Napoles et al. 2016 find that this agrees better with people)
expected-wins   each sentence is a judgment in which the higher score wins; then as for people
trueskill       likewise
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import SOURCE_NAMES, Judgments, place
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.stats.ranking import HeadToHead, expected_wins
from gecval.stats.resampling import Array, Interval, Resampling, bootstrap_interval
from gecval.stats.trueskill import trueskill

Aggregation = Literal["corpus", "mean", "expected-wins", "trueskill"]
AGGREGATIONS: tuple[Aggregation, ...] = ("corpus", "mean", "expected-wins", "trueskill")

Sentences = NDArray[np.int64]


def judged_systems(
    judgments: Judgments, corpus: Corpus, systems: Sequence[System], without: Collection[str] = ()
) -> tuple[Judgments, list[System]]:
    """The judgments placed on the corpus, and the outputs that they judge, except of systems left out.

    A judged system INPUT, src or source is the source itself where there is no output of that name.
    """
    outputs = {system.name: system for system in systems}
    for name in judgments.systems:
        if name in SOURCE_NAMES and name not in outputs:
            outputs[name] = corpus.system(name, corpus.sources)
    kept = [name for name in judgments.systems if name not in without]
    for name in kept:
        if name not in outputs:
            raise InputError(
                f"{judgments.name} judges {name}, of which there is no output: "
                f"give it with --systems, or leave it out with --without {name}"
            )
    if len(kept) < 3:
        raise InputError(f"{judgments.name}: a correlation needs three systems or more, not {len(kept)}")
    placed = place(judgments, {name: system.hypotheses for name, system in outputs.items()}, len(corpus))
    return placed, [outputs[name] for name in kept]


def judged_sentences(judgments: Judgments) -> Sentences:
    """Each sentence that somebody judged, once."""
    return np.unique(judgments.sentences[[bool(item.placements) for item in judgments.items]])


@dataclass(frozen=True)
class Evaluations:
    """Every system under one metric."""

    metric: Metric
    systems: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]

    @classmethod
    def of(cls, metric: Metric, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1) -> Evaluations:
        found = tuple(Evaluation.of(metric, corpus, system, jobs=jobs) for system in systems)
        return cls(metric, tuple(system.name for system in systems), found)

    def only(self, systems: Sequence[str]) -> Evaluations:
        """Those of some of the systems."""
        found = dict(zip(self.systems, self.evaluations, strict=True))
        return Evaluations(self.metric, tuple(systems), tuple(found[name] for name in systems))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(note for one in self.evaluations for note in one.statistics.notes)

    def sentence_scores(self) -> Array:
        """[system, sentence]"""
        return np.array([one.sentence_scores() for one in self.evaluations])

    def scores(
        self, sentences: Sentences, aggregation: Aggregation = "corpus", *, runs: int = 50, seed: int = 1
    ) -> Array:
        """One score a system, over these sentences."""
        if aggregation == "corpus":
            return np.array([one.scores_over(sentences[None])[0] for one in self.evaluations])
        scores = self.sentence_scores()[:, sentences]
        if aggregation == "mean":
            return np.array(scores.mean(axis=1))
        head = HeadToHead.of(self.systems, scores.T)
        if aggregation == "expected-wins":
            return expected_wins(head)
        return trueskill(head, np.random.default_rng(seed), runs=runs).scores

    def intervals(self, sentences: Sentences, aggregate: Aggregate, resampling: Resampling) -> list[Interval]:
        """Of each score over these sentences."""
        return [
            bootstrap_interval(Evaluation(self.metric, one.statistics.take(sentences), aggregate, one.jobs), resampling)
            for one in self.evaluations
        ]
