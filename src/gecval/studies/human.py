"""Which metric agrees with people? Human and metric scores side by side, over systems and over sentences.

System level: the correlation of human scores (Expected Wins, TrueSkill) with the metric's, over systems. The metric
sees the judged sentences only, as the MAEGE paper (§3) proposes, or all. A window correlates neighbours in the human
ranking alone: what tells the best systems from the worst need not tell the best from the second best.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Metric
from gecval.progress import Progress, announce, silent
from gecval.stats.correlation import Coefficient, Correlation, coefficients, correlate, permutation_test, williams_test
from gecval.stats.resampling import Array, Interval
from gecval.studies.human_ranking import JudgmentCounts, Method, Ranker, Ranking, count, rank
from gecval.studies.human_scores import Aggregation, Evaluations, Sentences, judged_sentences, judged_systems
from gecval.studies.human_sentences import SentenceAccuracy, TiePolicy, sentence_accuracy
from gecval.studies.interpolation import Sweep, sweep

Scope = Literal["judged", "all"]


@dataclass(frozen=True)
class HumanOptions:
    """How to set metrics against people.

    ``without`` leaves systems out of correlations and accuracy, not out of the human ranking. With ``window`` = 0 there
    is no window analysis, with ``resamples`` = 0 the systems' metric scores have no intervals. ``hybrids`` are pairs of
    a reference-based and a reference-less metric to interpolate.
    """

    ranker: Ranker = field(default_factory=Ranker)
    aggregation: Aggregation = "corpus"
    scope: Scope = "judged"
    without: tuple[str, ...] = ()
    ties: TiePolicy = "half"
    window: int = 0
    resamples: int = 0
    hybrids: tuple[tuple[Metric, Metric], ...] = ()


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
class HybridSweep:
    """interpolated(R, G, λ) of two metrics for all λ, against one human ranking by one coefficient."""

    judgments: str
    target: Method
    with_references: str
    without: str
    coefficient: Coefficient
    swept: Sweep


@dataclass(frozen=True)
class HumanStudy:
    """What people say in some sets of judgments, and which metrics agree."""

    counts: tuple[JudgmentCounts, ...]
    rankings: tuple[Ranking, ...]
    correlations: tuple[HumanCorrelation, ...] = ()
    comparisons: tuple[MetricComparison, ...] = ()
    accuracies: tuple[SentenceAccuracy, ...] = ()
    hybrids: tuple[HybridSweep, ...] = ()
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
    wanted = dict.fromkeys([*metrics, *(part for pair in options.hybrids for part in pair)])
    if wanted and corpus is None:
        raise InputError("metrics need what was judged: the source with -s (or -r), and the outputs with --systems")
    _check_names(options.without, judgments)
    # What may be refused comes before what takes long.
    placed = [judged_systems(one, corpus, systems, options.without) for one in judgments] if corpus and wanted else []
    rankings = [rank(one, m, options.ranker, progress=progress) for one in judgments for m in options.ranker.methods]
    notes = [note for one in judgments for note in one.notes]
    study = HumanStudy(tuple(map(count, judgments)), tuple(rankings), notes=tuple(notes))
    if corpus is None or not wanted:
        return study
    outputs = list({system.name: system for _, judged in placed for system in judged}.values())
    workers = jobs or os.cpu_count() or 1
    for m in wanted:
        m.check(corpus)
        m.prepare(corpus, outputs, jobs=workers, progress=progress)
    announce(progress, "scoring")
    found = {m: Evaluations.of(m, corpus, outputs, jobs=workers) for m in wanted}
    everything = np.arange(len(corpus), dtype=np.int64)
    for one, judged in placed:
        names = [system.name for system in judged]
        mine = {metric: each.only(names) for metric, each in found.items()}
        sentences = judged_sentences(one) if options.scope == "judged" else everything
        own = [ranking for ranking in rankings if ranking.judgments == one.name]
        study = _with(study, own, one, [mine[metric] for metric in dict.fromkeys(metrics)], sentences, options)
        pairs = [(mine[based], mine[less]) for based, less in options.hybrids]
        study = replace(study, hybrids=study.hybrids + tuple(_hybrids(own, pairs, sentences)))
        notes += one.notes
    notes += [note for each in found.values() for note in each.notes]
    return replace(study, notes=tuple(dict.fromkeys(notes)))


def _check_names(without: Sequence[str], judgments: Sequence[Judgments]) -> None:
    judged = sorted({name for one in judgments for name in one.systems})
    for name in without:
        if name not in judged:
            raise InputError(f"there is no judged system {name!r} to leave out; there is {', '.join(judged)}")


def _with(
    study: HumanStudy,
    rankings: Sequence[Ranking],
    judgments: Judgments,
    found: Sequence[Evaluations],
    sentences: Sentences,
    options: HumanOptions,
) -> HumanStudy:
    """The study with one more set of judgments against all metrics."""
    scores = [each.scores(sentences, options.aggregation, seed=options.ranker.seed) for each in found]
    ranges = [_intervals(each, sentences, options) for each in found]
    correlations = [
        _correlation(ranking, each, values, intervals, options.window)
        for ranking in rankings
        for each, values, intervals in zip(found, scores, ranges, strict=True)
    ]
    comparisons = [one for ranking in rankings for one in _comparisons(ranking, found, scores)]
    accuracies = [sentence_accuracy(judgments, each, ties=options.ties, seed=options.ranker.seed) for each in found]
    return replace(
        study,
        correlations=study.correlations + tuple(correlations),
        comparisons=study.comparisons + tuple(comparisons),
        accuracies=study.accuracies + tuple(accuracies),
    )


def _hybrids(
    rankings: Sequence[Ranking], pairs: Sequence[tuple[Evaluations, Evaluations]], sentences: Sentences
) -> Iterator[HybridSweep]:
    both: tuple[Coefficient, ...] = ("pearson", "spearman")
    for ranking in rankings:
        for based, less in pairs:
            people = np.array([ranking.scores[name] for name in based.systems])
            for coefficient in both:
                swept = sweep(people, based.scores(sentences, "mean"), less.scores(sentences, "mean"), coefficient)
                names = repr(based.metric), repr(less.metric)
                yield HybridSweep(ranking.judgments, ranking.method, *names, coefficient, swept)


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
