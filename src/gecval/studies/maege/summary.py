"""Replicates summed up: means with intervals, and whether one metric agrees better with the lattices than another.

An interval holds the middle 95% of the replicates: how far a figure from a single sample, such as the paper's, may lie.
A p-value counts replicates on the smaller side of 0, the observed side counted in: with n of them none is below
2 / (n + 1), so that n ≥ 40 are needed before one can be below 0.05.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from math import isnan
from statistics import NormalDist
from typing import Any

import numpy as np

from gecval.metrics.base import Array
from gecval.stats import Interval
from gecval.stats.resampling import percentile_interval
from gecval.studies.maege.levels import Sensitivity
from gecval.studies.maege.replicates import KeptMetric, Replicates
from gecval.studies.maege.results import (
    FIGURES,
    CorpusScore,
    Figure,
    MetricDifference,
    MetricReplicates,
    MetricSummary,
    OriginalsScore,
    ReplicateMean,
    TypeDelta,
)

LEVEL = 0.95
FEWEST_FOR_P = 40
COMPARED: tuple[Figure, ...] = ("corpus_spearman", "sentence_tau")


def metric_summaries(replicates: Replicates, higher_is_better: Mapping[str, bool]) -> tuple[MetricSummary, ...]:
    """Every metric's figures, best sentence-level τ first."""
    summaries = [_summary(kept, higher_is_better[kept.metric]) for kept in replicates.metrics]
    if len(summaries) > 1:
        best = {figure: _largest(getattr(summary, figure).mean for summary in summaries) for figure in FIGURES}
        summaries = [
            replace(summary, best=tuple(f for f in FIGURES if getattr(summary, f).mean == best[f]))
            for summary in summaries
        ]
    return tuple(sorted(summaries, key=lambda summary: -summary.sentence_tau.mean))


def _summary(kept: KeptMetric, higher_is_better: bool) -> MetricSummary:
    figures: dict[str, Any] = {figure: replicate_mean(np.array(values)) for figure, values in kept.figures.items()}
    tie_rate = float(np.mean(kept.tie_rates))
    return MetricSummary(metric=kept.metric, tie_rate=tie_rate, higher_is_better=higher_is_better, **figures)


def _largest(values: Iterable[float]) -> float | None:
    return max((value for value in values if not isnan(value)), default=None)


def metric_replicates(replicates: Replicates) -> tuple[MetricReplicates, ...]:
    """The values behind the summaries."""
    return tuple(
        MetricReplicates(
            metric=kept.metric,
            **{figure: tuple(values) for figure, values in kept.figures.items()},
            tie_rate=tuple(kept.tie_rates),
        )
        for kept in replicates.metrics
    )


def metric_differences(replicates: Replicates, order: Iterable[str]) -> tuple[MetricDifference, ...]:
    """Every pair of metrics in this order, compared on the same samples; a single sample says nothing."""
    if replicates.count < 2:
        return ()
    kept = {metric.metric: metric for metric in replicates.metrics}
    differences = []
    for figure in COMPARED:
        for metric, against in combinations(order, 2):
            better = np.array(kept[metric].figures[figure]) - np.array(kept[against].figures[figure])
            differences.append(
                MetricDifference(
                    figure=figure,
                    metric=metric,
                    against=against,
                    difference=replicate_mean(better),
                    p=sign_p(better),
                )
            )
    return tuple(differences)


def replicate_mean(values: Array) -> ReplicateMean:
    """The mean of the values that are defined, with their interval and deviation."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return ReplicateMean(mean=float("nan"), interval=None, deviation=float("nan"))
    several = len(defined) > 1
    return ReplicateMean(
        mean=float(defined.mean()),
        interval=percentile_interval(defined, LEVEL) if several else None,
        deviation=float(defined.std(ddof=1)) if several else 0.0,
    )


def sign_p(differences: Array) -> float | None:
    """Twice the share of replicates on the smaller side of 0, ties counting half; None where they are too few.

    >>> sign_p(np.ones(39)) is None, sign_p(np.ones(40))
    (True, 0.04878048780487805)
    """
    defined = differences[~np.isnan(differences)]
    if len(defined) < FEWEST_FOR_P:
        return None
    above = np.count_nonzero(defined > 0) + np.count_nonzero(defined == 0) / 2
    below = len(defined) - above
    return float(min(1.0, 2 * (min(above, below) + 1) / (len(defined) + 1)))


def type_deltas(replicates: Replicates) -> tuple[TypeDelta, ...]:
    """Δ of each type of edit under each metric, frequent types first.

    With one replicate the interval is that of the mean over its edits: a multiple of its standard error.
    """
    edits = replicates.metrics[0].edits
    return tuple(
        TypeDelta(type=kind, metric=kept.metric, edits=edits[kind], delta=_delta(kept, kind))
        for kind in sorted(edits, key=lambda kind: -edits[kind])
        for kept in replicates.metrics
    )


def _delta(kept: KeptMetric, kind: str) -> ReplicateMean:
    values = np.array(kept.deltas[kind])
    mean = replicate_mean(values)
    return replace(mean, interval=_of_edits(kept.last_sensitivity[kind])) if len(values) == 1 else mean


def _of_edits(sensitivity: Sensitivity) -> Interval:
    margin = NormalDist().inv_cdf(0.5 + LEVEL / 2) * sensitivity.deviation / sensitivity.edits**0.5
    return Interval(sensitivity.delta - margin, sensitivity.delta + margin)


def corpus_scores(replicates: Replicates) -> tuple[CorpusScore, ...]:
    """The score of every metric for every model."""
    return tuple(
        CorpusScore(metric=kept.metric, model=model, score=replicate_mean(np.array(values)))
        for kept in replicates.metrics
        for model, values in kept.corpora
    )


def originals_scores(replicates: Replicates) -> tuple[OriginalsScore, ...]:
    """The score of the originals by the number of their errors, as a mean over replicates."""
    return tuple(
        OriginalsScore(metric=kept.metric, errors=errors, score=total / count, sentences=kept.sentences[errors])
        for kept in replicates.metrics
        for errors, (total, count) in sorted(kept.originals.items())
    )
