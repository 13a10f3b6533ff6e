"""Which metric agrees with people? Human and metric scores side by side, over systems and over sentences.

System level: the correlation of human scores (Expected Wins, TrueSkill) with the metric's, over systems. The metric
sees the judged sentences only, as the MAEGE paper (§3) proposes, or all. A window correlates neighbours in the human
ranking alone: what tells the best systems from the worst need not tell the best from the second best.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent
from gecval.stats.correlation import Correlation, coefficients, correlate, permutation_test, williams_test
from gecval.stats.resampling import Array, Interval
from gecval.studies.human_ranking import JudgmentCounts, Method, Ranker, Ranking, count, rank
from gecval.studies.human_scores import Aggregation, Evaluations, Sentences, judged_sentences, judged_systems
from gecval.studies.human_sentences import SentenceAccuracy, TiePolicy, sentence_accuracy

Scope = Literal["judged", "all"]


@dataclass(frozen=True)
class HumanOptions:
    """How to set metrics against people.

    ``without`` leaves systems out of correlations and accuracy, not out of the human ranking. With ``window`` = 0 there
    is no window analysis, with ``resamples`` = 0 the systems' metric scores have no intervals.
    """

    ranker: Ranker = field(default_factory=Ranker)
    aggregation: Aggregation = "corpus"
    scope: Scope = "judged"
    without: tuple[str, ...] = ()
    ties: TiePolicy = "half"
    window: int = 0
    resamples: int = 0


@dataclass(frozen=True)
class SystemScore:
    """One system as people and as a metric see it."""

    system: str
    human: float
    human_interval: Interval
    metric: float
    metric_interval: Interval | None


@dataclass(frozen=True)
class Window:
    """A metric's correlation over systems that follow each other in the human ranking, from place ``first`` on."""

    first: int
    systems: tuple[str, ...]
    pearson: float
    spearman: float


@dataclass(frozen=True)
class HumanCorrelation:
    """One metric against one human ranking, over systems."""

    judgments: str
    target: Method
    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    systems: tuple[SystemScore, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics against the same human scores: the difference of their Pearson correlations, and two tests of it."""

    judgments: str
    target: Method
    metric: str
    other: str
    difference: float
    williams_p: float
    permutation_p: float


@dataclass(frozen=True)
class HumanStudy:
    """What people say in some sets of judgments, and which metrics agree."""

    counts: tuple[JudgmentCounts, ...]
    rankings: tuple[Ranking, ...]
    correlations: tuple[HumanCorrelation, ...] = ()
    comparisons: tuple[MetricComparison, ...] = ()
    accuracies: tuple[SentenceAccuracy, ...] = ()
    notes: tuple[str, ...] = ()


def human(
    judgments: Sequence[Judgments],
    corpus: Corpus | None = None,
    systems: Sequence[System] = (),
    metrics: Sequence[Metric] = (),
    *,
    options: HumanOptions | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> HumanStudy:
    """Rank systems by each set of judgments; with metrics, say how well each of them agrees."""
    options = options or HumanOptions()
    if metrics and corpus is None:
        raise InputError("metrics need what was judged: the source with -s (or -r), and the outputs with --systems")
    placed = [judged_systems(one, corpus, systems, options.without) for one in judgments] if corpus and metrics else []
    outputs = {system.name: system for _, judged in placed for system in judged}
    found = []
    for metric in metrics:
        assert corpus is not None
        found.append(Evaluations.of(metric, corpus, list(outputs.values()), jobs=jobs or os.cpu_count() or 1))
    rankings = [rank(one, m, options.ranker, progress=progress) for one in judgments for m in options.ranker.methods]
    correlations: list[HumanCorrelation] = []
    comparisons: list[MetricComparison] = []
    accuracies: list[SentenceAccuracy] = []
    for one, judged in placed:
        mine = [each.only([system.name for system in judged]) for each in found]
        sentences = judged_sentences(one) if options.scope == "judged" else np.arange(len(corpus or ()))
        scores = [each.scores(sentences, options.aggregation, seed=options.ranker.seed) for each in mine]
        ranges = [_intervals(each, sentences, options) for each in mine]
        for ranking in rankings:
            if ranking.judgments == one.name:
                correlations += [
                    _correlation(ranking, each, values, intervals, options.window)
                    for each, values, intervals in zip(mine, scores, ranges, strict=True)
                ]
                comparisons += _comparisons(ranking, mine, scores)
        accuracies += [sentence_accuracy(one, each, ties=options.ties, seed=options.ranker.seed) for each in mine]
    notes = [note for one in judgments for note in one.notes]
    notes += [note for one, _ in placed for note in one.notes] + [note for each in found for note in each.notes]
    return HumanStudy(
        tuple(map(count, judgments)),
        tuple(rankings),
        tuple(correlations),
        tuple(comparisons),
        tuple(accuracies),
        tuple(dict.fromkeys(notes)),
    )


def _intervals(evaluations: Evaluations, sentences: Sentences, options: HumanOptions) -> Sequence[Interval | None]:
    if not options.resamples or options.aggregation not in ("corpus", "mean"):
        return [None] * len(evaluations.systems)
    settings = {"resamples": options.resamples, "seed": options.ranker.seed}
    return evaluations.intervals(sentences, options.aggregation, **settings)


def _correlation(
    ranking: Ranking, evaluations: Evaluations, scores: Array, intervals: Sequence[Interval | None], window: int
) -> HumanCorrelation:
    standing = {one.system: one for one in ranking.standings}
    people = np.array([standing[name].score for name in evaluations.systems])
    return HumanCorrelation(
        ranking.judgments,
        ranking.method,
        repr(evaluations.metric),
        correlate(people, scores, "pearson"),
        correlate(people, scores, "spearman"),
        correlate(people, scores, "kendall"),
        tuple(
            SystemScore(name, standing[name].score, standing[name].interval, float(score), interval)
            for name, score, interval in zip(evaluations.systems, scores, intervals, strict=True)
        ),
        tuple(windows(evaluations.systems, people, scores, window)) if window else (),
    )


def windows(systems: Sequence[str], people: Array, scores: Array, size: int) -> list[Window]:
    """Correlations over each ``size`` systems in a row, from the best down."""
    if not 3 <= size <= len(systems):
        raise InputError(f"a window takes 3 to {len(systems)} systems, not {size}")
    order = np.argsort(-people, kind="stable")
    found = []
    for first in range(len(order) - size + 1):
        inside = order[first : first + size]
        pearson, spearman = (
            float(coefficients(people[inside], scores[inside], coefficient)) for coefficient in ("pearson", "spearman")
        )
        found.append(Window(first + 1, tuple(systems[i] for i in inside), pearson, spearman))
    return found


def _comparisons(ranking: Ranking, found: Sequence[Evaluations], scores: Sequence[Array]) -> list[MetricComparison]:
    """Every two metrics against each other, where there are systems enough to tell them apart."""
    if not found or len(found[0].systems) < 4:
        return []
    people = np.array([ranking.scores[name] for name in found[0].systems])
    return [
        MetricComparison(
            ranking.judgments,
            ranking.method,
            repr(found[a].metric),
            repr(found[b].metric),
            float(coefficients(people, scores[a]) - coefficients(people, scores[b])),
            williams_test(people, scores[a], scores[b]),
            permutation_test(people, scores[a], scores[b]),
        )
        for a, b in combinations(range(len(found)), 2)
    ]
