"""Metrics against people over systems: correlations, neighbours only, metric against metric, hybrids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gecval.errors import InputError
from gecval.stats.correlation import Coefficient, coefficients, correlate, permutation_test, williams_test
from gecval.stats.resampling import Array, Interval, Resampling
from gecval.studies.human.interpolation import sweep
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation, HybridSweep, MetricComparison, SystemScore, Window
from gecval.studies.human.system_scores import Evaluations, Sentences


@dataclass(frozen=True)
class SystemScores:
    """A metric's score of each system, and its interval where that was asked for and a bootstrap can tell."""

    metric: str
    systems: tuple[str, ...]
    scores: Array
    intervals: Sequence[Interval | None]

    @classmethod
    def of(cls, found: Evaluations, sentences: Sentences, options: HumanOptions) -> SystemScores:
        ranker, aggregation = options.ranker, options.aggregation
        scores = found.scores(sentences, aggregation, runs=ranker.runs, seed=ranker.seed)
        intervals: Sequence[Interval | None] = [None] * len(scores)
        if options.resamples and (aggregation == "corpus" or aggregation == "mean"):
            resampling = Resampling(options.resamples, ranker.level, "percentile", ranker.seed)
            intervals = found.intervals(sentences, aggregation, resampling)
        return cls(repr(found.metric), found.systems, scores, intervals)


def correlation(ranking: Ranking, found: SystemScores, window: int) -> HumanCorrelation:
    """One metric against one ranking, and over each ``window`` neighbours in it."""
    standing = {one.system: one for one in ranking.standings}
    people, level = _people(ranking, found.systems), ranking.level
    return HumanCorrelation(
        ranking.judgments,
        ranking.method,
        found.metric,
        correlate(people, found.scores, "pearson", level=level),
        correlate(people, found.scores, "spearman", level=level),
        correlate(people, found.scores, "kendall", level=level),
        tuple(
            SystemScore(name, standing[name].score, standing[name].interval, float(score), interval)
            for name, score, interval in zip(found.systems, found.scores, found.intervals, strict=True)
        ),
        tuple(windows(found.systems, people, found.scores, window)) if window else (),
    )


def windows(systems: Sequence[str], people: Array, scores: Array, size: int) -> Iterator[Window]:
    """Correlations over each ``size`` systems in a row, from the best down."""
    order = np.argsort(-people, kind="stable")
    for first in range(len(order) - size + 1):
        inside = order[first : first + size]
        pearson, spearman = (
            float(coefficients(people[inside], scores[inside], coefficient)) for coefficient in ("pearson", "spearman")
        )
        yield Window(first + 1, tuple(systems[i] for i in inside), pearson, spearman)


def check_window(size: int, systems: int) -> None:
    if size and not 3 <= size <= systems:
        raise InputError(f"a window takes 3 to {systems} systems, not {size}")


def comparisons(ranking: Ranking, found: Sequence[SystemScores]) -> Iterator[MetricComparison]:
    """Every two metrics against each other, where there are systems enough to tell them apart."""
    for a, b in combinations(found, 2):
        if len(a.systems) < 4:
            return
        people = _people(ranking, a.systems)
        yield MetricComparison(
            ranking.judgments,
            ranking.method,
            a.metric,
            b.metric,
            float(coefficients(people, a.scores) - coefficients(people, b.scores)),
            williams_test(people, a.scores, b.scores),
            permutation_test(people, a.scores, b.scores),
        )


def hybrids(ranking: Ranking, based: Evaluations, less: Evaluations, sentences: Sentences) -> Iterator[HybridSweep]:
    """A reference-based and a reference-less metric interpolated, their scores being means over sentences."""
    both: tuple[Coefficient, ...] = ("pearson", "spearman")
    people = _people(ranking, based.systems)
    names = repr(based.metric), repr(less.metric)
    with_references, without = (each.scores(sentences, "mean") for each in (based, less))
    for coefficient in both:
        swept = sweep(people, with_references, without, coefficient)
        yield HybridSweep(ranking.judgments, ranking.method, *names, coefficient, swept)


def _people(ranking: Ranking, systems: Sequence[str]) -> Array:
    return np.array([ranking.scores[name] for name in systems])
