"""A score as a sum over sentences, with the standard error that this gives: what studentised intervals and tests use.

*Model.* Sentences (or documents) are drawn independently from a large population. Nothing else is assumed: two systems
may be as unlike as they want. *Estimator.* The jackknife says what sentence i adds to a score θ of n sentences:

    vᵢ = (1 − wᵢ)(θ − θ₍₋ᵢ₎) + wᵢθ,   Σ vᵢ = θ,   wᵢ = 1/n, or a document's share of the sentences

For a mean this is exactly the sentence's share of it. For a ratio of sums such as F it is so to first order: what two
systems add with an edit depends on each system's own precision and recall, which swapping their outputs ignores.

*Interval.* The error is s² = n/(n − 1) · Σ (vᵢ − wᵢθ)². Errors of few or skewed sentences are not normal, so the
interval uses Hall's transformation (Hall 1992, Annals of Statistics 20) of t quantiles, with γ the skewness of the vᵢ:

    θ − s·T(t₁₋α/₂),  θ − s·T(tα/₂),   T(x) = 3√n/γ · (∛(1 + γ(x/√n − γ/(6n))) − 1)

It needs no resamples, so it has tails as thin as a hundredth look needs.

*Few sentences differ.* Two systems that differ in no sentence have s = 0, which would prove that they are equal. The
interval is then the exact bound, ±(1 − (α/2)^(1/n)) times the most that a sentence adds or takes in either system.
Where fewer than ``FEW`` sentences carry a difference, one more win and one more loss of this size are counted (Bonett &
Price 2012, who add one to both counts of discordant pairs), and the interval is the hull of both. For wins and losses
of ±1 this keeps one-sided errors near .025 (worst: .037, where 24 losses are expected, as counts are whole numbers).
Without the exact bound it was .061, where 3 losses are expected and none is seen.

*Annotators are a sample, too.* Against all K annotators but the k-th, the score is θ₍₋ₖ₎. The delete-one jackknife
(K − 1)/K · Σ (θ₍₋ₖ₎ − mean)² is the annotators' part of the variance; on average it is not too small, whatever the
rule that counts references (Efron & Stein 1981). Both parts add up: how sentences and annotators go together is counted
in both, as the pigeonhole bootstrap counts it (Owen 2007). Student's t has Welch & Satterthwaite's degrees of freedom.

*Known failure.* Below 30 sentences or 20 documents γ is itself a guess; an interval may reach beyond 0 or 1. A loss
larger than any sentence has shown, and rarer than 1/n, is in no bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

Array = NDArray[np.float64]

ROUNDING = 1e-12  # deviations that are smaller are none
MOST_BENT = 0.35  # of γ/√n for scores, as where eight of many sentences carry all: T would bend without end beyond
FEW = 20  # sentences that carry a difference; fewer do not show how far it varies


class Crossed(NamedTuple):
    """The interval of a score, and its p against 0, where sentences and annotators are both samples."""

    low: float
    high: float
    p: float


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each sentence or document adds to a score; ``shares`` are their shares of all sentences.

    >>> right = Contributions.of(0.75, np.array([2 / 3, 2 / 3, 2 / 3, 1.0]), [1, 1, 1, 1])
    >>> right.values.round(3).tolist()
    [0.25, 0.25, 0.25, 0.0]
    """

    score: float
    values: Array  # they add up to the score
    shares: Array

    @classmethod
    def of(cls, score: float, without: Array, lengths: Sequence[int]) -> Contributions:
        """From the scores without each block of sentences; ``lengths`` are the numbers of their sentences."""
        shares = np.asarray(lengths, dtype=np.float64) / np.sum(lengths)
        values = (1 - shares) * (score - without) + shares * score
        return cls(score, values + shares * (score - values.sum()), shares)

    def __sub__(self, other: Contributions) -> Contributions:
        """What each adds to the difference of two scores."""
        return Contributions(self.score - other.score, self.values - other.values, self.shares)

    @cached_property
    def largest(self) -> float:
        """How much more one sentence can add than another, in points of a sentence of average length."""
        of_sentences = self.values * len(self.values)
        return float(max(np.ptp(of_sentences), np.abs(of_sentences).max()))

    @cached_property
    def carriers(self) -> float:
        """How many sentences carry a difference: (Σ v²)² / Σ v⁴. So many of equal weight would vary as much.

        >>> Contributions(0.0, np.array([0.5, -0.5, 0.0, 0.0]), np.full(4, 0.25)).carriers
        2.0
        """
        largest = float(np.abs(self.values).max())
        if largest == 0:
            return 0.0
        squares = (self.values / largest) ** 2
        return float(squares.sum() ** 2 / (squares**2).sum())

    def interval(self, level: float) -> tuple[float, float]:
        """The studentised interval.

        >>> low, high = Contributions(0.4, np.repeat([0.05, 0.0], [8, 12]), np.full(20, 0.05)).interval(0.95)
        >>> round(low, 3), round(high, 3)
        (0.18, 0.654)
        """
        deviations = (self.values - self.shares * self.score) * len(self.values)
        return _interval(self.score, deviations, level, most_bent=MOST_BENT)

    def interval_of_difference(self, level: float, *, largest: float) -> tuple[float, float]:
        """The studentised interval of a difference; where few carry it, with a win and a loss of ``largest`` more.

        >>> nothing = Contributions(0.0, np.zeros(200), np.full(200, 1 / 200))
        >>> low, high = nothing.interval_of_difference(0.95, largest=1.0)
        >>> round(low, 4), round(high, 4)
        (-0.0183, 0.0183)
        """
        low, high = _interval(self.score, (self.values - self.shares * self.score) * len(self.values), level)
        if self.carriers >= FEW:
            return low, high
        size = len(self.values)
        if self.carriers == 0:
            unseen = (1 - ((1 - level) / 2) ** (1 / size)) * largest
            return min(low, -unseen), max(high, unseen)
        added = np.concatenate([self.values - self.shares * self.score + self.score / size, [largest / size] * 2])
        added[-1] *= -1
        mean = float(added.sum()) * size / (size + 2)
        wider = _interval(mean, added * size - mean, level)
        return min(low, wider[0]), max(high, wider[1])

    def over_annotators(self, fewer: Array, level: float) -> Crossed:
        """With the score against all annotators but each as ``fewer``.

        >>> ten = Contributions.of(0.5, np.repeat([4 / 9, 5 / 9], 5), [1] * 10)
        >>> [round(value, 3) for value in ten.over_annotators(np.full(4, 0.5), 0.95)]
        [0.123, 0.877, 0.015]
        >>> [round(value, 3) for value in ten.over_annotators(np.array([0.4, 0.5, 0.5, 0.6]), 0.95)]
        [0.047, 0.953, 0.033]
        """
        sizes = np.array([len(self.values), len(fewer)])
        deviations = self.values - self.shares * self.score, (fewer - fewer.mean()) * (1 - 1 / sizes[1])
        parts = np.array([np.sum(of_sample**2) for of_sample in deviations]) * sizes / (sizes - 1)
        variance = float(parts.sum())
        if variance <= ROUNDING**2:
            return Crossed(self.score, self.score, 1.0 if abs(self.score) <= ROUNDING else float("nan"))
        freedom, error = variance**2 / float(np.sum(parts**2 / (sizes - 1))), variance**0.5
        reach = error * float(stdtrit(freedom, 0.5 + level / 2))
        return Crossed(self.score - reach, self.score + reach, 2 * float(stdtr(freedom, -abs(self.score) / error)))


def _interval(centre: float, deviations: Array, level: float, *, most_bent: float = np.inf) -> tuple[float, float]:
    """Hall's interval of the mean of ``centre`` + ``deviations``, which add up to 0."""
    size = len(deviations)
    variance = float(np.mean(deviations**2))
    if size < 2 or variance <= (ROUNDING * max(1.0, abs(centre))) ** 2:
        return centre, centre
    most = most_bent * np.sqrt(size)
    skewness = float(np.clip(np.mean(deviations**3) / variance**1.5, -most, most))
    error = np.sqrt(variance / (size - 1))
    low, high = centre - error * halls_quantile([0.5 + level / 2, 0.5 - level / 2], skewness, size)
    return float(low), float(high)


def halls_quantile(share: ArrayLike, skewness: ArrayLike, size: ArrayLike) -> Array:
    """T of Student's quantile: which share of studentised means lies below, where values have this skewness.

    >>> halls_quantile(0.975, [0.0, 1.0], 50).round(3).tolist()
    [2.01, 1.825]
    """
    gamma, root = np.asarray(skewness, dtype=np.float64), np.sqrt(size)
    x = np.asarray(stdtrit(np.asarray(size) - 1, np.asarray(share, dtype=np.float64)))
    # Where there is hardly any skewness, the cube root would lose its digits.
    skewed = np.where(np.abs(gamma) < 1e-6, 1.0, gamma)
    bent = 3 * root / skewed * (np.cbrt(1 + skewed * (x / root - skewed / (6 * root**2))) - 1)
    return np.where(np.abs(gamma) < 1e-6, x, bent)
