"""The judged systems under a metric: from sentence scores to one score per system, in five ways.

corpus          the metric's own score of all sentences together
mean            the mean of the sentence scores (Napoles et al. 2016 find that this agrees better with people)
expected-wins   each sentence is a judgment in which the better score wins; then as for people
trueskill       likewise
trueskill-pass  one pass of TrueSkill over the sentences in their order, as gec-metrics does (``stats/contest.py``)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import SOURCE_NAMES, Judgments, place
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.stats.contest import skills
from gecval.stats.ranking import HeadToHead, expected_wins
from gecval.stats.resampling import Array, Interval, Resampling, bootstrap_interval
from gecval.stats.trueskill import trueskill
from gecval.studies.scores.signature import signature

Aggregation = Literal["corpus", "mean", "expected-wins", "trueskill", "trueskill-pass"]
AGGREGATIONS: tuple[Aggregation, ...] = get_args(Aggregation)

Sentences = NDArray[np.int64]


def placed_on(judgments: Judgments, corpus: Corpus, systems: Sequence[System]) -> tuple[Judgments, dict[str, System]]:
    """The judgments placed on the corpus, and all outputs by name.

    A judged system INPUT, src or source is the source itself where there is no output of that name.
    """
    outputs = {system.name: system for system in systems}
    for name in judgments.systems:
        if name in SOURCE_NAMES and name not in outputs:
            outputs[name] = corpus.system(name, corpus.sources)
    placed = place(judgments, {name: system.hypotheses for name, system in outputs.items()}, len(corpus))
    return placed, outputs


def judged_systems(
    judgments: Judgments, corpus: Corpus, systems: Sequence[System], *, without: Collection[str] = ()
) -> tuple[Judgments, list[System]]:
    """The judgments placed on the corpus, and the outputs that they judge, except those of systems left out."""
    kept = [name for name in judgments.systems if name not in without]
    known = {system.name for system in systems}
    for name in kept:
        if name not in known and name not in SOURCE_NAMES:
            raise InputError(
                f"{judgments.name} ranks {name}, but systems lacks it: add its outputs, or leave it out",
                parameter=("systems", "without"),
            )
    if len(kept) < 3:
        raise InputError(f"{judgments.name}: a correlation needs three systems or more, not {len(kept)}")
    placed, outputs = placed_on(judgments, corpus, systems)
    return placed, [outputs[name] for name in kept]


def judged_sentences(judgments: Judgments) -> Sentences:
    """Each sentence that somebody judged, once."""
    return np.unique(judgments.sentences[[bool(item.placements) for item in judgments.items]])


@dataclass(frozen=True, kw_only=True)
class Evaluations:
    """Every system under one metric."""

    metric: Metric
    corpus: Corpus
    systems: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]

    @classmethod
    def of(cls, metric: Metric, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1) -> Evaluations:
        return cls(
            metric=metric,
            corpus=corpus,
            systems=tuple(system.name for system in systems),
            evaluations=tuple(Evaluation.of(metric, corpus, system, jobs=jobs) for system in systems),
        )

    def only(self, systems: Sequence[str]) -> Evaluations:
        """The evaluations of some of the systems."""
        evaluations = dict(zip(self.systems, self.evaluations, strict=True))
        return Evaluations(
            metric=self.metric,
            corpus=self.corpus,
            systems=tuple(systems),
            evaluations=tuple(evaluations[name] for name in systems),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(note for evaluation in self.evaluations for note in evaluation.statistics.notes)

    def signature(self, aggregate: Aggregation) -> str:
        """Everything that decides the scores of systems, besides which sentences are scored."""
        return signature(self.metric, self.corpus, aggregate)

    def sentence_scores(self) -> Array:
        """[system, sentence]"""
        return np.array([evaluation.sentence_scores() for evaluation in self.evaluations])

    def direction(self, aggregate: Aggregation) -> int:
        """1 where a higher score of a system is better, else −1. In a contest, more wins are better."""
        return self.metric.direction if aggregate in ("corpus", "mean") else 1

    def scores(
        self, sentences: Sentences, aggregate: Aggregation = "corpus", *, runs: int = 50, seed: int = 1
    ) -> Array:
        """One score per system, over these sentences."""
        if aggregate == "corpus":
            return np.array([evaluation.scores_over(sentences[None])[0] for evaluation in self.evaluations])
        scores = self.sentence_scores()[:, sentences]
        if aggregate == "mean":
            return np.array(scores.mean(axis=1))
        if aggregate == "trueskill-pass":
            return np.array([skill.mu for skill in skills(self.metric.direction * scores.T, aggregate)])
        head = HeadToHead.of(self.systems, self.metric.direction * scores.T)
        if aggregate == "expected-wins":
            return expected_wins(head)
        return trueskill(head, np.random.default_rng(seed), runs=runs).scores

    def intervals(self, sentences: Sentences, aggregate: Aggregate, resampling: Resampling) -> list[Interval]:
        """The interval of each system's score over these sentences."""
        return [
            bootstrap_interval(
                Evaluation(
                    self.metric, evaluation.statistics.take(sentences), aggregate=aggregate, jobs=evaluation.jobs
                ),
                resampling,
            )
            for evaluation in self.evaluations
        ]
