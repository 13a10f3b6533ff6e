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

FEWEST = 4  # systems for a test of two metrics
FEW_SWAPS = 5  # systems: 2/2⁵ > 0.05, so that no permutation test can be significant


@dataclass(frozen=True, kw_only=True)
class SystemScores:
    """A metric's score of each system. Intervals are None where there are none.

    ``rising`` is the score where higher is better, else the negated score: what people's scores are compared with.
    """

    metric: str
    systems: tuple[str, ...]
    scores: Array
    rising: Array
    higher_is_better: bool
    intervals: Sequence[Interval | None]
    signature: str

    @classmethod
    def of(cls, evaluations: Evaluations, sentences: Sentences, options: HumanOptions) -> SystemScores:
        ranker, aggregate = options.ranker, options.aggregate
        scores = evaluations.scores(sentences, aggregate, runs=ranker.runs, seed=ranker.seed)
        intervals: Sequence[Interval | None] = [None] * len(scores)
        if options.confidence and (aggregate == "corpus" or aggregate == "mean"):
            resampling = Resampling(
                resamples=ranker.resamples, level=ranker.level, method="percentile", seed=ranker.seed
            )
            intervals = evaluations.intervals(sentences, aggregate, resampling)
        return cls(
            metric=repr(evaluations.metric),
            systems=evaluations.systems,
            scores=scores,
            rising=evaluations.direction(aggregate) * scores,
            higher_is_better=evaluations.direction(aggregate) == 1,
            intervals=intervals,
            signature=f"{evaluations.signature(aggregate)}|scope:{options.scope}",
        )


def correlation(ranking: Ranking, metric: SystemScores, window: int) -> HumanCorrelation:
    """One metric against one ranking, and over every ``window`` neighbours in it."""
    standings = {standing.system: standing for standing in ranking.systems}
    people, level = _people(ranking, metric.systems), ranking.level
    return HumanCorrelation(
        judgments=ranking.judgments,
        target=ranking.method,
        metric=metric.metric,
        higher_is_better=metric.higher_is_better,
        pearson=correlate(people, metric.rising, "pearson", level=level),
        spearman=correlate(people, metric.rising, "spearman", level=level),
        kendall=correlate(people, metric.rising, "kendall", level=level),
        systems=tuple(
            SystemScore(
                system=name,
                human=standings[name].score,
                human_interval=standings[name].interval,
                metric=float(score),
                metric_interval=interval,
            )
            for name, score, interval in zip(metric.systems, metric.scores, metric.intervals, strict=True)
        ),
        windows=tuple(windows(metric.systems, people, metric.rising, size=window)) if window else (),
        signature=metric.signature,
    )


def windows(systems: Sequence[str], people: Array, scores: Array, *, size: int) -> Iterator[Window]:
    """Correlations over every ``size`` systems in a row, from the best down."""
    order = np.argsort(-people, kind="stable")
    for first in range(len(order) - size + 1):
        inside = order[first : first + size]
        yield Window(
            first=first + 1,
            systems=tuple(systems[i] for i in inside),
            pearson=float(coefficients(people[inside], scores[inside], "pearson")),
            spearman=float(coefficients(people[inside], scores[inside], "spearman")),
        )


def check_window(size: int, systems: int) -> None:
    """Refuse a window that is too small to correlate, or larger than the ranking."""
    if size and not 3 <= size <= systems:
        raise InputError(f"a window takes 3 to {systems} systems, not {size}", parameter="window")


def comparisons(ranking: Ranking, metrics: Sequence[SystemScores]) -> Iterator[MetricComparison]:
    """Every two metrics against each other, where there are systems enough to tell them apart."""
    for a, b in combinations(metrics, 2):
        if len(a.systems) < FEWEST:
            return
        people = _people(ranking, a.systems)
        yield MetricComparison(
            judgments=ranking.judgments,
            target=ranking.method,
            metric=a.metric,
            other=b.metric,
            difference=float(coefficients(people, a.rising) - coefficients(people, b.rising)),
            williams_p=williams_test(people, a.rising, b.rising),
            permutation_p=permutation_test(people, a.rising, b.rising),
        )


def comparison_notes(judgments: str, metrics: Sequence[SystemScores]) -> Iterator[str]:
    """Why two metrics are not tested against each other, or why p cannot be small."""
    if len(metrics) < 2:
        return
    systems = len(metrics[0].systems)
    if systems < FEWEST:
        yield f"{judgments}: {systems} systems are too few to test metrics against each other: it takes {FEWEST}"
    elif systems <= FEW_SWAPS:
        yield (
            f"{judgments}: with {systems} systems there are {2**systems} ways to swap two metrics, so the permutation "
            f"test cannot give a p below {2 / 2**systems:.4g}"
        )


def hybrids(
    ranking: Ranking, systems: Sequence[str], reference_based: tuple[str, Array], reference_less: tuple[str, Array]
) -> Iterator[HybridSweep]:
    """Two metrics interpolated: each by its name, and its scores of the systems as means over sentences."""
    statistics: tuple[Coefficient, ...] = ("pearson", "spearman")
    people = _people(ranking, systems)
    (based, with_references), (less, without) = reference_based, reference_less
    for coefficient in statistics:
        yield HybridSweep(
            judgments=ranking.judgments,
            target=ranking.method,
            with_references=based,
            without=less,
            coefficient=coefficient,
            swept=sweep(people, with_references, without, coefficient=coefficient),
        )


def _people(ranking: Ranking, systems: Sequence[str]) -> Array:
    return np.array([ranking.scores[name] for name in systems])
