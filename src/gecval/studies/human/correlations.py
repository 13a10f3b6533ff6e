"""Metrics against people over systems: correlations, windows, metric against metric, hybrids.

A hybrid interpolates a reference-based metric R and a reference-less metric G (Napoles et al. 2016):

    S_I = λ·S_R + (1 − λ)·S_G,   λ = 0, 0.01, … 1

The oracle picks λ on the systems that it is then tested on, so its correlation is too high. Cross-validation scores
each system with the λ that is best for all others; the mean and the standard deviation of these others bring the scores
to one scale. Where several λ are equally good, the smallest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import factorial

import numpy as np

from gecval.errors import InputError
from gecval.stats.correlation import (
    COEFFICIENTS,
    EXACT,
    FEWEST,
    Coefficient,
    coefficients,
    correlate,
    permutation_test,
    williams_test,
)
from gecval.stats.paired_tests import correct_p_values
from gecval.stats.resampling import Array
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.result import HumanCorrelation, HybridSweep, MetricComparison, Sweep, SystemScore, Window
from gecval.studies.human.system_scores import SystemScores

FEWEST_TO_COMPARE = 4  # systems for a test of two metrics
FEW_SWAPS = 5  # systems: 2/2⁵ > 0.05, so that no permutation test can be significant


def correlate_metric(ranking: Ranking, metric: SystemScores, window: int) -> HumanCorrelation:
    """One metric against one ranking, and over every ``window`` neighbours in it."""
    standings = {standing.system: standing for standing in ranking.systems}
    people, level = _human_scores(ranking, metric.systems), ranking.level
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
        windows=tuple(correlate_windows(metric.systems, people, metric.rising, size=window)) if window else (),
        signature=metric.signature,
    )


def correct_over_metrics(correlations: Sequence[HumanCorrelation]) -> list[HumanCorrelation]:
    """The same with p-values corrected by Holm's method. All metrics against one ranking are a family.

    With five systems and ten metrics that mean nothing, some metric has ρ = 0.9 or more in about a third of cases.
    """
    families: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(correlations):
        families.setdefault((row.judgments, row.target), []).append(place)
    corrected_p: list[dict[Coefficient, float]] = [{} for _ in correlations]
    for places in families.values():
        for name in COEFFICIENTS:
            p_values = {place: getattr(correlations[place], name).p for place in places}
            known = [place for place in places if not np.isnan(p_values[place])]
            of_known = dict(zip(known, correct_p_values([p_values[place] for place in known], "holm"), strict=True))
            for place in places:
                corrected_p[place][name] = of_known.get(place, np.nan)
    return [replace(row, p_corrected=p) for row, p in zip(correlations, corrected_p, strict=True)]


def correlate_windows(systems: Sequence[str], people: Array, scores: Array, *, size: int) -> Iterator[Window]:
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


def compare_metrics(ranking: Ranking, metrics: Sequence[SystemScores]) -> Iterator[MetricComparison]:
    """Every two metrics against each other, if there are enough systems for a test."""
    for a, b in combinations(metrics, 2):
        if len(a.systems) < FEWEST_TO_COMPARE:
            return
        people = _human_scores(ranking, a.systems)
        yield MetricComparison(
            judgments=ranking.judgments,
            target=ranking.method,
            metric=a.metric,
            other=b.metric,
            difference=float(coefficients(people, a.rising) - coefficients(people, b.rising)),
            williams_p=williams_test(people, a.rising, b.rising),
            permutation_p=permutation_test(people, a.rising, b.rising),
        )


def explain_correlations(judgments: str, metrics: Sequence[SystemScores]) -> Iterator[str]:
    """What few systems say of a metric."""
    if metrics:
        yield from explain_few_systems(judgments, len(metrics[0].systems))


def explain_few_systems(judgments: str, systems: int) -> Iterator[str]:
    """What so few systems say of any metric."""
    if systems < FEWEST:
        yield (
            f"{judgments}: {systems} systems are too few for intervals of correlations, and p is never below "
            f"{2 / factorial(systems):.2g}"
        )
    elif systems <= EXACT:
        yield f"{judgments}: with {systems} systems chance alone gives large correlations; p counts all their orders"


def explain_comparisons(judgments: str, metrics: Sequence[SystemScores]) -> Iterator[str]:
    """Why two metrics are not tested against each other, or why p cannot be small."""
    if len(metrics) < 2:
        return
    systems = len(metrics[0].systems)
    if systems < FEWEST_TO_COMPARE:
        yield (
            f"{judgments}: {systems} systems are too few to test metrics against each other: it takes "
            f"{FEWEST_TO_COMPARE}"
        )
    elif systems <= FEW_SWAPS:
        yield (
            f"{judgments}: with {systems} systems there are {2**systems} ways to swap two metrics, so the permutation "
            f"test cannot give a p below {2 / 2**systems:.4g}"
        )


def sweep_hybrids(
    ranking: Ranking, systems: Sequence[str], reference_based: tuple[str, Array], reference_less: tuple[str, Array]
) -> Iterator[HybridSweep]:
    """Two metrics interpolated: each by its name, and its scores of the systems as means over sentences."""
    statistics: tuple[Coefficient, ...] = ("pearson", "spearman")
    people = _human_scores(ranking, systems)
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


def _human_scores(ranking: Ranking, systems: Sequence[str]) -> Array:
    return np.array([ranking.scores[name] for name in systems])


WEIGHTS = np.linspace(0, 1, 101)


def sweep(people: Array, with_references: Array, without: Array, *, coefficient: Coefficient = "spearman") -> Sweep:
    """Sweep λ over two metrics' system scores.

    >>> people = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> swept = sweep(people, np.array([1.0, 2.0, 4.0, 4.0, 5.0]), np.array([1.0, 3.0, 2.0, 5.0, 5.0]))
    >>> swept.oracle, swept.oracle_weight
    (1.0, 0.34)
    """
    check_systems(len(people))
    # [weight, system]; the mean over sentences of a weighted mean is the weighted mean of means.
    scores = WEIGHTS[:, None] * with_references + (1 - WEIGHTS[:, None]) * without
    correlations = coefficients(people, scores, coefficient)
    best = _best(correlations)
    held_out, weights = np.empty(len(people)), np.empty(len(people))
    for system in range(len(people)):
        others = np.delete(np.arange(len(people)), system)
        chosen = _best(coefficients(people[others], scores[:, others], coefficient))
        spread = scores[chosen, others].std()
        held_out[system] = (scores[chosen, system] - scores[chosen, others].mean()) / (spread if spread > 0 else 1.0)
        weights[system] = WEIGHTS[chosen]
    return Sweep(
        correlations=correlations,
        oracle=float(correlations[best]),
        oracle_weight=float(WEIGHTS[best]),
        cross_validated=float(coefficients(people, held_out, coefficient)),
        cross_validated_weights=weights,
    )


def check_systems(number: int) -> None:
    """Refuse too few systems: a weight chosen on three, for the fourth, means nothing."""
    if number < 4:
        raise InputError(f"choosing a weight needs four systems or more, not {number}", parameter="hybrids")


def _best(correlations: Array) -> int:
    """The first of the best. Differences by rounding do not count."""
    known = np.nan_to_num(correlations, nan=-np.inf)
    return int(np.flatnonzero(known >= known.max() - 1e-12)[0])
