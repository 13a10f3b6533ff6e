"""Does a metric agree with the order of the lattice? By sentence, by corpus, by type of edit.

Sentence level (§6), over pairs x < y of one chain: τ = 1 − 2·|discongruent| / |all|, a tie of the metric counting as
its policy says; z = √N·τ if pairs were independent. Pearson r against scores that rise in equal steps from
1 − min|edits| / |tokens| for the original to 1. Corpus level (§5): ρ and r of corpus scores against the models' M.
Sensitivity (§7): Δ = mean difference of score that an edit of a type makes.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import isnan
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.metrics.base import Array
from gecval.stats import Interval
from gecval.stats.correlation import Correlation, correlate
from gecval.stats.paired_tests import correct_p_values
from gecval.stats.resampling import MaybeUndefined, percentile_interval, sign
from gecval.studies.maege.lattices import Chain, MaegeSettings, Ties
from gecval.studies.maege.result import (
    FIGURES,
    CorpusScore,
    Figure,
    MetricDifference,
    MetricReplicates,
    MetricSummary,
    OriginalsScore,
    PValue,
    ReplicateMean,
    TypeDelta,
)


@dataclass(frozen=True, kw_only=True)
class PairCounts:
    """How a metric orders the pairs of the lattice; ``lost`` of its ties count as discordant.

    ``rise`` is by how much the better correction scores more, on average.
    """

    concordant: int
    discordant: int
    ties: int
    lost: float
    rise: MaybeUndefined

    @property
    def pairs(self) -> int:
        return self.concordant + self.discordant + self.ties

    @property
    def tie_rate(self) -> float:
        return self.ties / self.pairs

    @property
    def tau(self) -> float:
        return 1 - 2 * (self.discordant + self.lost) / self.pairs

    @property
    def p_value(self) -> float:
        """Two-sided, pairs taken as independent, which they are not: pairs of one chain share sentences."""
        return 2 * NormalDist().cdf(-abs(self.tau) * self.pairs**0.5)


@dataclass(frozen=True, kw_only=True)
class SentenceLevel:
    """How a metric's sentence scores follow the chains."""

    counts: PairCounts
    pearson: Correlation


@dataclass(frozen=True, kw_only=True)
class CorpusLevel:
    """The scores of the sampled corpora, and how they follow the models."""

    scores: tuple[float, ...]
    spearman: Correlation
    pearson: Correlation


@dataclass(frozen=True, kw_only=True)
class Sensitivity:
    """What edits of one type change: the mean Δ, how many edits, and the spread of their Δ."""

    delta: float
    edits: int
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Originals:
    """The mean score of the originals that have so many errors (Figure 5 of the paper)."""

    errors: int
    score: float
    sentences: int


@dataclass(frozen=True, kw_only=True)
class MetricResult:
    """One metric on one sample."""

    sentence: SentenceLevel
    corpus: CorpusLevel
    types: dict[str, Sensitivity]
    originals: tuple[Originals, ...]

    def figure(self, name: Figure) -> float:
        """One of the four figures of agreement."""
        return {
            "corpus_spearman": self.corpus.spearman.value,
            "corpus_pearson": self.corpus.pearson.value,
            "sentence_tau": self.sentence.counts.tau,
            "sentence_pearson": self.sentence.pearson.value,
        }[name]

    def p_value(self, name: Figure) -> float:
        """How likely chance gives a figure as far from 0."""
        return {
            "corpus_spearman": self.corpus.spearman.p,
            "corpus_pearson": self.corpus.pearson.p,
            "sentence_tau": self.sentence.counts.p_value,
            "sentence_pearson": self.sentence.pearson.p,
        }[name]


@dataclass(frozen=True, kw_only=True)
class LatticePairs:
    """The chains of a sample laid out flat: what every metric's scores are compared with."""

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    chains: tuple[slice, ...]
    linear: Array
    ties: Ties
    steps: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]  # type → positions after and before its edits

    @classmethod
    def of(cls, chains: Sequence[Chain], originals: Sequence[str], settings: MaegeSettings) -> LatticePairs:
        pairs: dict[object, tuple[int, int]] = {}
        linear: list[Array] = []
        slices: list[slice] = []
        steps: dict[str, tuple[list[int], list[int]]] = {}
        start = 0
        for number, chain in enumerate(chains):
            texts, size = chain.corrections, len(chain.corrections)
            source = texts[chain.source]
            for low in range(size):
                for high in range(low + 1, size):
                    unique = (chain.sentence, source, texts[low], texts[high])
                    key = unique if settings.unique_pairs else (number, low, high)
                    pairs.setdefault(key, (start + low, start + high))
            linear.append(np.linspace(_original_score(chain, originals[chain.sentence], settings), 1, size))
            for k, kind in enumerate(chain.types, start=1):
                after, before = steps.setdefault(kind, ([], []))
                after.append(start + k)
                before.append(start if settings.delta == "first" else start + k - 1)
            slices.append(slice(start, start + size))
            start += size
        flat = np.array(list(pairs.values()), dtype=np.int64).reshape(-1, 2)
        arrays = {kind: (np.array(after), np.array(before)) for kind, (after, before) in sorted(steps.items())}
        return cls(
            lower=flat[:, 0],
            upper=flat[:, 1],
            chains=tuple(slices),
            linear=np.concatenate(linear),
            ties=settings.ties,
            steps=arrays,
        )

    def sentence_level(self, scores: Array) -> SentenceLevel:
        """How scores of all corrections, which rise with quality, follow the lattice."""
        rise = sign(scores[self.upper] - scores[self.lower])
        ties, concordant = int(np.count_nonzero(rise == 0)), int(np.count_nonzero(rise > 0))
        discordant = len(rise) - ties - concordant
        if self.ties == "argsort":
            lost: float = sum(_inversions(scores[chain]) for chain in self.chains) - discordant
        else:
            lost = {"half": 0.5, "concordant": 0.0, "discordant": 1.0}[self.ties] * ties
        mean = float(np.mean(scores[self.upper] - scores[self.lower]))
        counts = PairCounts(concordant=concordant, discordant=discordant, ties=ties, lost=lost, rise=mean)
        return SentenceLevel(counts=counts, pearson=correlate(scores, self.linear, "pearson"))

    def sensitivity(self, scores: Array) -> dict[str, Sensitivity]:
        """Δ for every type of edit."""
        by_type = {}
        for kind, (after, before) in self.steps.items():
            deltas = scores[after] - scores[before]
            by_type[kind] = Sensitivity(delta=float(deltas.mean()), edits=len(deltas), deviation=float(deltas.std()))
        return by_type

    def originals(self, scores: Array) -> tuple[Originals, ...]:
        """Scores of the originals, by the number of edits that an annotator makes."""
        errors = np.array([chain.stop - chain.start - 1 for chain in self.chains])
        first = scores[[chain.start for chain in self.chains]]
        return tuple(
            Originals(
                errors=int(n), score=float(first[errors == n].mean()), sentences=int(np.count_nonzero(errors == n))
            )
            for n in np.unique(errors)
        )


def _inversions(scores: Array) -> int:
    """Pairs out of order in numpy's argsort, whose order of equal scores depends on the processor."""
    order = np.argsort(scores)
    return sum(int(np.count_nonzero(order[:k] > order[k])) for k in range(1, len(order)))


def _original_score(chain: Chain, original: str, settings: MaegeSettings) -> float:
    # An empty original, to which everything is added, counts as one token or character.
    if settings.linear == "characters":
        return 1 - (chain.fewest_edits + 1) / max(1, len(original))
    return 1 - chain.fewest_edits / max(1, len(original.split()))


def correlate_corpora(scores: Sequence[float], models: Sequence[float], *, direction: int = 1) -> CorpusLevel:
    """How the scores of corpora, rising with quality, follow the number of edits that their models apply."""
    x, y = direction * np.array(scores), np.array(models)
    return CorpusLevel(scores=tuple(scores), spearman=correlate(x, y, "spearman"), pearson=correlate(x, y, "pearson"))


LEVEL = 0.95
FEWEST_FOR_P = 40
COMPARED: tuple[Figure, ...] = ("corpus_spearman", "sentence_tau")


def summarise_metrics(replicates: Replicates, higher_is_better: Mapping[str, bool]) -> tuple[MetricSummary, ...]:
    """Every metric's figures, best sentence-level τ first."""
    p_values = _p_values(replicates)
    summaries = [
        _summary(series, higher_is_better[series.metric], p_values[series.metric]) for series in replicates.metrics
    ]
    if len(summaries) > 1:
        best = {figure: _largest(getattr(summary, figure).mean for summary in summaries) for figure in FIGURES}
        summaries = [
            replace(summary, best=tuple(f for f in FIGURES if getattr(summary, f).mean == best[f]))
            for summary in summaries
        ]
    return tuple(sorted(summaries, key=lambda summary: -summary.sentence_tau.mean))


def _p_values(replicates: Replicates) -> dict[str, dict[str, PValue]]:
    """The p-values of every metric's figures: alone, and with Holm's correction over the metrics."""
    found: dict[str, dict[str, PValue]] = {series.metric: {} for series in replicates.metrics}
    for figure in FIGURES:
        values = [np.array(series.p_values[figure]) for series in replicates.metrics]
        alone = [float(np.median(p[~np.isnan(p)])) if not np.isnan(p).all() else float("nan") for p in values]
        defined = [p for p in alone if not isnan(p)]
        holm = iter(correct_p_values(defined, "holm"))
        for series, p in zip(replicates.metrics, alone, strict=True):
            found[series.metric][f"{figure}_p"] = PValue(p=p, holm=p if isnan(p) else next(holm))
    return found


def _summary(series: MetricSeries, higher_is_better: bool, p_values: Mapping[str, Any]) -> MetricSummary:
    figures: dict[str, Any] = {
        figure: average_replicates(np.array(values)) for figure, values in series.figures.items()
    }
    tie_rate = float(np.mean(series.tie_rates))
    return MetricSummary(
        metric=series.metric,
        tie_rate=tie_rate,
        rise=average_replicates(np.array(series.rises)),
        higher_is_better=higher_is_better,
        **figures,
        **p_values,
    )


def _largest(values: Iterable[float]) -> float | None:
    return max((value for value in values if not isnan(value)), default=None)


def list_replicates(replicates: Replicates) -> tuple[MetricReplicates, ...]:
    """The values behind the summaries."""
    return tuple(
        MetricReplicates(
            metric=series.metric,
            **{figure: tuple(values) for figure, values in series.figures.items()},
            tie_rate=tuple(series.tie_rates),
        )
        for series in replicates.metrics
    )


def compare_metrics(replicates: Replicates, order: Iterable[str]) -> tuple[MetricDifference, ...]:
    """Every pair of metrics in this order, compared on the same samples; a single sample says nothing."""
    if replicates.count < 2:
        return ()
    series = {metric.metric: metric for metric in replicates.metrics}
    differences = []
    for figure in COMPARED:
        for metric, against in combinations(order, 2):
            better = np.array(series[metric].figures[figure]) - np.array(series[against].figures[figure])
            differences.append(
                MetricDifference(
                    figure=figure,
                    metric=metric,
                    against=against,
                    difference=average_replicates(better),
                    p=sign_p(better),
                )
            )
    return tuple(differences)


def average_replicates(values: Array) -> ReplicateMean:
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


def summarise_types(replicates: Replicates) -> tuple[TypeDelta, ...]:
    """Δ of each type of edit under each metric, frequent types first.

    With one replicate the interval is that of the mean over its edits: a multiple of its standard error.
    """
    edits = replicates.metrics[0].edits
    return tuple(
        TypeDelta(type=kind, metric=series.metric, edits=edits[kind], delta=_delta(series, kind))
        for kind in sorted(edits, key=lambda kind: -edits[kind])
        for series in replicates.metrics
    )


def _delta(series: MetricSeries, kind: str) -> ReplicateMean:
    values = np.array(series.deltas[kind])
    mean = average_replicates(values)
    return replace(mean, interval=_interval_over_edits(series.last_sensitivity[kind])) if len(values) == 1 else mean


def _interval_over_edits(sensitivity: Sensitivity) -> Interval:
    margin = NormalDist().inv_cdf(0.5 + LEVEL / 2) * sensitivity.deviation / sensitivity.edits**0.5
    return Interval(sensitivity.delta - margin, sensitivity.delta + margin)


def summarise_corpora(replicates: Replicates) -> tuple[CorpusScore, ...]:
    """The score of every metric for every model."""
    return tuple(
        CorpusScore(metric=series.metric, model=model, score=average_replicates(np.array(values)))
        for series in replicates.metrics
        for model, values in series.corpora
    )


def summarise_originals(replicates: Replicates) -> tuple[OriginalsScore, ...]:
    """The score of the originals by the number of their errors, as a mean over replicates."""
    return tuple(
        OriginalsScore(metric=series.metric, errors=errors, score=total / count, sentences=series.sentences[errors])
        for series in replicates.metrics
        for errors, (total, count) in sorted(series.originals.items())
    )


class MetricSeries:
    """One metric's numbers, replicate after replicate."""

    def __init__(self, metric: str, models: Sequence[float]) -> None:
        self.metric = metric
        self.figures: dict[Figure, array[float]] = {figure: array("d") for figure in FIGURES}
        self.p_values: dict[Figure, array[float]] = {figure: array("d") for figure in FIGURES}
        self.tie_rates = array("d")
        self.rises = array("d")
        self.corpora = [(model, array("d")) for model in models]
        self.deltas: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))
        self.last_sensitivity: dict[str, Sensitivity] = {}  # a single replicate has the spread of its own edits
        self.edits: defaultdict[str, int] = defaultdict(int)
        self.originals: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0])  # errors → sum and replicates
        self.sentences: dict[int, int] = {}

    def add(self, result: MetricResult) -> None:
        for figure, values in self.figures.items():
            values.append(result.figure(figure))
        for figure, values in self.p_values.items():
            values.append(result.p_value(figure))
        self.tie_rates.append(result.sentence.counts.tie_rate)
        self.rises.append(result.sentence.counts.rise)
        for (_, values), score in zip(self.corpora, result.corpus.scores, strict=True):
            values.append(score)
        for kind, sensitivity in result.types.items():
            self.deltas[kind].append(sensitivity.delta)
            self.edits[kind] += sensitivity.edits
            self.last_sensitivity[kind] = sensitivity
        for originals in result.originals:
            self.originals[originals.errors][0] += originals.score
            self.originals[originals.errors][1] += 1
            self.sentences[originals.errors] = originals.sentences


class Replicates:
    """The numbers of all metrics."""

    def __init__(self, metrics: Sequence[str], models: Sequence[float]) -> None:
        self.metrics = [MetricSeries(metric, models) for metric in metrics]
        self.count = 0

    def add(self, results: Mapping[str, MetricResult]) -> None:
        """One more replicate."""
        for series in self.metrics:
            series.add(results[series.metric])
        self.count += 1
