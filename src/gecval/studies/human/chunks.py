"""The chunks of metrics against people: each ranking, each metric on all sets of judgments, each metric against others.

("ranking", set, method)          Expected Wins or TrueSkill of one set of judgments
("metric", name)                  the metric's scores of systems, and its accuracy over sentences, on every set
("comparison", ranking, name)     the metric tested against each metric that comes after it
("hybrid", ranking, pair)         two metrics interpolated, for all weights
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gecval.corpus import Corpus, System
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Array, Metric
from gecval.progress import Progress, announce, silent
from gecval.studies.checkpoint import Chunk
from gecval.studies.chunks import corpus_signature, digest, study_signature, systems_digest
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranking import Ranking, rank
from gecval.studies.human.results import HybridSweep, MetricComparison
from gecval.studies.human.sentences import SentenceAccuracy, sentence_accuracy
from gecval.studies.human.system_scores import Evaluations, Sentences
from gecval.studies.human.systems import SystemScores, comparisons, hybrids
from gecval.studies.inputs import Edits
from gecval.studies.metric_signature import finder_signature, metric_signature
from gecval.studies.preparation import prepare


@dataclass(frozen=True, kw_only=True)
class SetOfJudgments:
    """One set, placed on the corpus, and the judged systems that metrics are compared on."""

    judgments: Judgments
    systems: Sequence[System] = ()
    sentences: Sentences  # those that metrics score


@dataclass(frozen=True, kw_only=True)
class MetricOnSet:
    """A metric on one set of judgments. ``means`` are those of sentence scores, the better the higher: for hybrids."""

    scores: SystemScores | None
    accuracy: SentenceAccuracy | None
    means: Array


@dataclass(frozen=True, kw_only=True)
class MetricOnSets:
    """A metric on all sets, and what a reader should know of it."""

    sets: tuple[MetricOnSet, ...]
    notes: tuple[str, ...]


ANSWERS = {
    "ranking": Ranking,
    "metric": MetricOnSets,
    "comparison": tuple[MetricComparison, ...],
    "hybrid": tuple[HybridSweep, ...],
}


@dataclass(frozen=True, kw_only=True)
class HumanChunks:
    """What a worker needs to rank systems, or to set a metric against people."""

    sets: Sequence[SetOfJudgments]
    options: HumanOptions
    corpus: Corpus | None
    systems: Sequence[System]
    metrics: Mapping[str, Metric]
    wanted: frozenset[str]  # metrics that are set against people themselves; others are in hybrids alone
    extractor: Edits
    jobs: int
    progress: Progress = silent

    def __call__(self, chunk: Chunk) -> Any:
        part, *which = chunk
        if part == "ranking":
            number, method = which
            return rank(self.sets[number].judgments, method, self.options.ranker, progress=self.progress)
        return self._on_sets(which[0])

    def signature(self) -> str:
        """Everything that decides a chunk."""
        corpus, metrics = self.corpus, list(self.metrics.values())
        return study_signature(
            "human",
            *(f"judgments:{part.judgments.name}:{digest([repr(part.judgments.items)])}" for part in self.sets),
            *([corpus_signature(corpus), *finder_signature(corpus, metrics, self.extractor)] if corpus else []),
            f"systems:{systems_digest(self.systems)}",
            *map(metric_signature, metrics),
            repr(self.options),
        )

    def _on_sets(self, name: str) -> MetricOnSets:
        metric = self.metrics[name]
        assert self.corpus is not None
        [prepared] = prepare(
            self.corpus, self.systems, [metric], extractor=self.extractor, jobs=self.jobs, progress=self.progress
        )
        announce(self.progress, f"scoring by {name}")
        evaluations = Evaluations.of(metric, prepared, self.systems, jobs=self.jobs)
        return MetricOnSets(
            sets=tuple(self._on_set(part, evaluations, wanted=name in self.wanted) for part in self.sets),
            notes=(*evaluations.notes, *prepared.notes),
        )

    def _on_set(self, part: SetOfJudgments, evaluations: Evaluations, *, wanted: bool) -> MetricOnSet:
        own, ranker = evaluations.only([system.name for system in part.systems]), self.options.ranker
        return MetricOnSet(
            scores=SystemScores.of(own, part.sentences, self.options) if wanted else None,
            accuracy=sentence_accuracy(
                part.judgments,
                own,
                ties=self.options.ties,
                resamples=ranker.resamples,
                level=ranker.level,
                seed=ranker.seed,
            )
            if wanted
            else None,
            means=own.direction("mean") * own.scores(part.sentences, "mean"),
        )


@dataclass(frozen=True, kw_only=True)
class AgainstOthers:
    """What a worker needs to set metrics against each other. A ranking comes with the number of its set."""

    rankings: Sequence[tuple[int, Ranking]]
    systems: Sequence[tuple[str, ...]]  # of each set
    scores: Sequence[Sequence[SystemScores]]  # of each set, of each metric
    means: Sequence[Mapping[str, Array]]  # of each set, by the metric's name
    pairs: Sequence[tuple[str, str]]

    def __call__(self, chunk: Chunk) -> Any:
        part, number, which = chunk
        of_set, ranking = self.rankings[number]
        if part == "comparison":
            names = [scores.metric for scores in self.scores[of_set]]
            first, *others = self.scores[of_set][names.index(which) :]
            return tuple(comparison for other in others for comparison in comparisons(ranking, [first, other]))
        based, less = self.pairs[which]
        means = self.means[of_set]
        return tuple(
            hybrids(
                ranking,
                self.systems[of_set],
                reference_based=(based, means[based]),
                reference_less=(less, means[less]),
            )
        )
