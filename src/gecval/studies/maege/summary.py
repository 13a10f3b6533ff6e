"""Replicates summed up: means with intervals, and whether one metric agrees better with the lattices than another.

An interval holds the middle 95% of the replicates: how far a figure from a single sample, such as the paper's, may lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np

from gecval.metrics.base import Array
from gecval.stats import Interval
from gecval.stats.resampling import percentile_interval
from gecval.studies.maege.levels import MetricResult
from gecval.studies.maege.run import Maege

LEVEL = 0.95


@dataclass(frozen=True)
class ReplicateMean:
    """The mean over replicates, its interval where there are several, and their standard deviation."""

    mean: float
    interval: Interval | None
    deviation: float


@dataclass(frozen=True)
class Summary:
    """A metric over all replicates."""

    metric: str
    spearman: ReplicateMean
    corpus_pearson: ReplicateMean
    tau: ReplicateMean
    pearson: ReplicateMean
    tie_rate: float


@dataclass(frozen=True)
class Difference:
    """How much better metric A agrees than B, replicate by replicate; p is two-sided, by the share of sign changes."""

    figure: str
    a: str
    b: str
    estimate: ReplicateMean
    p: float


FIGURES: dict[str, Callable[[MetricResult], float]] = {
    "corpus ρ": lambda result: result.corpus.spearman.value,
    "corpus r": lambda result: result.corpus.pearson.value,
    "sentence τ": lambda result: result.sentence.counts.tau,
    "sentence r": lambda result: result.sentence.pearson.value,
}


def summaries(study: Maege) -> list[Summary]:
    """Every metric's figures, best sentence-level τ first."""
    found = []
    for metric in study.metrics:
        results = [replicate[metric] for replicate in study.replicates]
        spearman, corpus_pearson, tau, pearson = (
            estimate(np.array([figure(one) for one in results])) for figure in FIGURES.values()
        )
        ties = float(np.mean([one.sentence.counts.tie_rate for one in results]))
        found.append(Summary(metric, spearman, corpus_pearson, tau, pearson, ties))
    return sorted(found, key=lambda one: -one.tau.mean)


def differences(study: Maege, figures: Sequence[str] = ("corpus ρ", "sentence τ")) -> list[Difference]:
    """Every pair of metrics, compared on the same samples; nothing to say with a single one."""
    if len(study.replicates) < 2:
        return []
    order = [one.metric for one in summaries(study)]
    found = []
    for figure in figures:
        for a, b in combinations(order, 2):
            better = np.array([FIGURES[figure](r[a]) - FIGURES[figure](r[b]) for r in study.replicates])
            found.append(Difference(figure, a, b, estimate(better), sign_p(better)))
    return found


def estimate(values: Array) -> ReplicateMean:
    kept = values[~np.isnan(values)]
    if not len(kept):
        return ReplicateMean(float("nan"), None, float("nan"))
    interval = percentile_interval(kept, LEVEL) if len(kept) > 1 else None
    return ReplicateMean(float(kept.mean()), interval, float(kept.std(ddof=1)) if len(kept) > 1 else 0.0)


def sign_p(differences: Array) -> float:
    """Twice the share of replicates on the smaller side of 0, ties counting half, the observed side counted in."""
    above = np.count_nonzero(differences > 0) + np.count_nonzero(differences == 0) / 2
    below = len(differences) - above
    return float(min(1.0, 2 * (min(above, below) + 1) / (len(differences) + 1)))


def type_deltas(study: Maege) -> dict[str, dict[str, ReplicateMean]]:
    """Δ of each type of edit under each metric: {type: {metric: estimate}}, frequent types first.

    With one replicate the interval is that of the mean over its edits: a multiple of its standard error.
    """
    counts: dict[str, int] = {}
    for replicate in study.replicates:
        for kind, one in replicate[study.metrics[0]].types.items():
            counts[kind] = counts.get(kind, 0) + one.edits
    found: dict[str, dict[str, ReplicateMean]] = {}
    for kind in sorted(counts, key=lambda kind: -counts[kind]):
        found[kind] = {}
        for metric in study.metrics:
            ones = [r[metric].types[kind] for r in study.replicates if kind in r[metric].types]
            value = estimate(np.array([one.delta for one in ones]))
            if len(ones) == 1:
                margin = NormalDist().inv_cdf(0.5 + LEVEL / 2) * ones[0].deviation / ones[0].edits ** 0.5
                value = ReplicateMean(value.mean, Interval(value.mean - margin, value.mean + margin), 0.0)
            found[kind][metric] = value
    return found
