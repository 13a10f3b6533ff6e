"""Coverage: the probability that a valid correction of a sentence is among its M references.

The histogram h says how many corrections have each probability x. With replacement, every reference is drawn again from
the distribution D. A correction y and the references are independent, so

    P(y ∈ Y) = Σⱼ hⱼ·xⱼ·(1 − (1 − xⱼ)ᴹ).

Without replacement, references are drawn one after the other until M of them differ. Let every correction arrive at
its own exponential time; the rate is its probability pᵢ. N(t) is the number of corrections that have arrived by t.
W(t) is the probability of all others. After the M-th arrival, the next one follows after a time 1/W on average, so

    1 − P(y ∈ Y) = E[W_M] = ∫₀^∞ E[W(t)²; N(t) = M] dt.

The expectation is a coefficient of Πᵢ(qᵢz + (1 − qᵢ)e^{spᵢ}), differentiated twice by s, with qᵢ = 1 − e^{−pᵢt}. It is
a sum of positive terms, exact up to the quadrature. The paper sampled both; nothing here is random.

Where more than M corrections were gathered, no histogram is needed. If nᵧ of n people write y, then

    P(y ∈ Y) = Σᵧ nᵧ/n · (1 − C(n − nᵧ, M) / C(n − 1, M))

has no bias: it is the mean over all choices of one person's correction and of M other people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid
from scipy.special import gammaln, xlogy
from scipy.stats import hypergeom

from gecval.errors import InputError
from gecval.stats.resampling import Array, Interval
from gecval.stats.unseen_corrections import MOST_VARIANTS, Histogram, Programme

NODES = 400  # in log t; more change the 12th decimal
CHUNK = 1_000_000  # whole variants that are looked at in one go; this bounds memory


def coverage(histogram: Histogram, references: int | NDArray[np.int64]) -> Array:
    """The expected coverage of so many references, drawn with replacement.

    >>> die = Histogram(np.array([1 / 6]), np.array([6.0]))
    >>> coverage(die, np.array([1, 2])).round(4).tolist()
    [0.1667, 0.3056]
    """
    drawn = np.asarray(references)[..., None]
    missed = (1 - histogram.frequencies) ** drawn
    covered: Array = (1 - missed) @ (histogram.frequencies * histogram.variants)
    return covered


def poisson_binomial(chances: Sequence[float] | Array) -> Array:
    """How likely 0, 1, … all of several independent events happen, each with a chance of its own.

    One event after the other is added: sums of positive terms only, so every digit is right. 1,300 events take
    milliseconds.

    >>> poisson_binomial([0.5, 0.25]).tolist()
    [0.375, 0.5, 0.125]
    """
    probabilities = np.ones(1)
    for chance in chances:
        probabilities = np.convolve(probabilities, [1 - chance, chance])
    return probabilities


def observed_coverage(counts: Sequence[int], references: int) -> float:
    """The share of choices in which M people's corrections include the correction of one more person.

    ``counts`` says how many people gave each correction. All choices of M people and one more count alike.

    >>> observed_coverage([2, 1], 1)
    0.3333333333333333
    """
    people = sum(counts)
    if references >= people:
        raise InputError(
            f"{people} corrections cannot show what {references} references cover; ask for {people - 1} at most"
        )
    ways = comb(people - 1, references)
    return sum(times / people * (1 - comb(people - times, references) / ways) for times in counts)


def coverage_without_replacement(histogram: Histogram, most: int) -> Array:
    """The expected coverage of 1, 2, … ``most`` different references.

    >>> die = Histogram(np.array([1 / 6]), np.array([6.0]))
    >>> coverage_without_replacement(die, 6).round(4).tolist()
    [0.1667, 0.3333, 0.5, 0.6667, 0.8333, 1.0]
    """
    probabilities, counts = _whole_variants(histogram)
    # The first correction arrives near 1/Σp. Where all are rare, 1/p of the most frequent one is far later.
    start = min(1e-6 / probabilities.max(), 1e-3 / (probabilities @ counts))
    times = np.geomspace(start, 50 / probabilities.min(), NODES)
    zeroth, first, second = (np.zeros((NODES, most + 1)) for _ in range(3))
    zeroth[:, 0] = 1.0
    for probability, count in zip(probabilities, counts, strict=True):
        terms = _terms(probability, count, times, most)
        # What has not arrived of this group, and its square, for each number that has.
        left = probability * (count - np.arange(most + 1))
        second = _product(second, terms) + 2 * _product(first, terms * left) + _product(zeroth, terms * left**2)
        first = _product(first, terms) + _product(zeroth, terms * left)
        zeroth = _product(zeroth, terms)
    missed = np.asarray(trapezoid(second * times[:, None], np.log(times), axis=0))
    covered: Array = probabilities @ counts - missed[1:]
    return covered


def first_enough(enough: Callable[[int], bool]) -> int:
    """The least number from 1 on that is enough. All greater numbers must be enough too.

    >>> first_enough(lambda number: number > 10)
    11
    """
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _whole_variants(histogram: Histogram) -> tuple[Array, Array]:
    """Probabilities of whole variants, and how many variants have each. Their sum is the histogram's.

    A histogram may hold half a variant here and half a variant there. Sort them by falling probability: what lies
    between one whole number and the next is one variant, with the mean probability of its parts.
    """
    order = np.argsort(-histogram.frequencies)
    frequencies, variants = histogram.frequencies[order], histogram.variants[order]
    ends = np.cumsum(variants)
    total = np.ceil(ends[-1] - 1e-9)
    if not 1 <= total <= MOST_VARIANTS:
        raise InputError(f"a histogram of {ends[-1]:g} variants; there must be from 1 to {MOST_VARIANTS:,.0f}")
    edges, masses = np.concatenate([[0.0], ends]), np.concatenate([[0.0], np.cumsum(variants * frequencies)])
    chunks: list[tuple[Array, Array]] = []
    for start in range(0, int(total), CHUNK):
        whole = np.arange(start, min(start + CHUNK, int(total)) + 1)
        values, times = np.unique(np.diff(np.interp(whole, edges, masses)).round(14), return_counts=True)
        chunks.append((values, times.astype(np.float64)))
    probabilities, which = np.unique(np.concatenate([values for values, _ in chunks]), return_inverse=True)
    counts = np.zeros(len(probabilities))
    np.add.at(counts, which, np.concatenate([times for _, times in chunks]))
    return probabilities[probabilities > 0], counts[probabilities > 0]


def _terms(probability: float, count: float, times: Array, most: int) -> Array:
    """The probability that m of ``count`` equal variants have arrived, [time, m]."""
    m = np.arange(most + 1)
    possible = m <= count
    left = np.where(possible, count - m, 0.0)
    ways = gammaln(count + 1) - gammaln(m + 1) - gammaln(left + 1)
    arrived = -np.expm1(-probability * times)[:, None]
    return np.where(possible, np.exp(ways + xlogy(m, arrived) - left * probability * times[:, None]), 0.0)


def _product(a: Array, b: Array) -> Array:
    """The product of two polynomials in z, cut off after the highest power that both have."""
    size = a.shape[1]
    result = np.zeros_like(a)
    for power in range(size):
        result[:, power:] += a[:, power : power + 1] * b[:, : size - power]
    return result


# Coverage of a few references, computed from how often the references of many sentences agree.
#
# Each sentence has M references. The fingerprints F of all sentences add up, and so do their histograms h. From M
# references we compute the coverage of M − 1 references exactly: the M-th reference is one more valid correction, and
# we see whether it is among the others. For M references we must extrapolate by one:
#
#     c_{M−1} = Σ_{i≥2} iFᵢ / Σ iFᵢ,         c_M = c_{M−1} + ρ·F₂/C(M, 2) / mass,   mass = Σ iFᵢ/M,
#
# where ρ = Σ hx²(1−x)^{M−1} / Σ hx²(1−x)^{M−2} lies between 0 and 1. Only ρ needs the estimated histogram. All other
# terms add up over sentences, so a bootstrap resample solves no linear programme.


# The least frequency that 50 crowd corrections of a sentence can show. A few references show nothing below 1/M, but the
# crowd shows that much of the probability lies there.
SMALLEST = 1 / 5000


@dataclass(frozen=True, eq=False)
class ReferenceAgreement:
    """``fingerprints[sentence, i − 1]`` corrections were given by i of M references."""

    fingerprints: Array

    @property
    def references(self) -> int:
        return int(self.fingerprints.shape[1])

    @property
    def rows(self) -> Array:
        """For each sentence: its references, those that equal another reference, and F₂/C(M, 2)·M."""
        given = self.fingerprints * np.arange(1, self.references + 1)
        pairs = self.fingerprints[:, 1] * self.references / comb(self.references, 2)
        return np.stack([given.sum(axis=1), given[:, 1:].sum(axis=1), pairs], axis=1)

    @cached_property
    def programme(self) -> Programme:
        return Programme(self.fingerprints.sum(axis=0), self.references, SMALLEST)

    def histogram(self) -> Histogram:
        """The histogram of all sentences together, scaled to probability 1."""
        unscaled = self.programme.histogram()
        return Histogram(unscaled.frequencies, unscaled.variants / unscaled.above(0)[1])

    def remaining_share(self, histogram: Histogram) -> float:
        """ρ."""
        before, after = (
            histogram.expected(lambda x, power=power: x**2 * (1 - x) ** power)  # type: ignore[misc]
            for power in (self.references - 2, self.references - 1)
        )
        return after / before if before else 0.0

    def bounds(self, references: int) -> Interval:
        """The least and the largest coverage under all histograms that explain the agreement nearly as well."""
        ends = self.programme.bounds(lambda x: x * (1 - (1 - x) ** references))
        mass = float(self.rows[:, 0].sum()) / self.references
        return Interval(ends.low / mass, min(1.0, ends.high / mass))

    def more_to_halve(self, covered: float) -> Interval | None:
        """How many more references would halve what M references miss: a lower and an upper estimate.

        M references say little about corrections whose probability is far below 1/M, so the two estimates may be far
        apart. If the references always agree, nothing shows what they miss, and the result is None.
        """
        if np.allclose(self.fingerprints[:, :-1], 0):
            return None
        wanted = (1 + covered) / 2
        least = first_enough(lambda number: self.bounds(number).high >= wanted)
        most = first_enough(lambda number: self.bounds(number).low >= wanted)
        return Interval(max(0, least - self.references), max(0, most - self.references))


def agreed_coverage(totals: Array, remaining_share: float) -> Array:
    """c_M from sums of ``ReferenceAgreement.rows``, whose columns are the last axis. It is 1 where there are none."""
    given, agreeing, pairs = totals[..., 0], totals[..., 1], totals[..., 2]
    covered: Array = np.ones_like(given)
    np.divide(agreeing + remaining_share * pairs, given, out=covered, where=given > 0)
    return covered


@lru_cache(maxsize=10_000)
def subset_pmf(references: int, times: int, least: int) -> Array:
    """The probability that 1, 2, … of ``least`` references hold a text that ``times`` of all references hold."""
    pmf: Array = hypergeom.pmf(np.arange(1, least + 1), references, times, least)
    return pmf


# What would one more reference of a sentence change? Estimated from what the last one changed.
#
# A score u·T / v·T takes the best reference of each sentence. At the score F of a system, a row r of a sentence is
# worth
#
#     value(r) = (u·r − F·v·r) / v·T,      wrong(r) = (v − u)·r,
#
# the first in points of the score. Leave each reference out in turn: what the others had wrong, and how much value this
# one adds, is a pair (wrong, gain). Pairs of all sentences, in ten groups by ``wrong``, give the mean gain and its
# variance. The next reference is one more than that: if gains fall as 1/k with the k-th reference, its gain is the
# estimate times M / (M + 1).


GROUPS = 10
ROUNDS = 100  # a choice of best rows is found in a few


@dataclass(frozen=True, eq=False)
class Valued:
    """The score of every system, and what each row is worth and has wrong, ``[system, sentence, reference]``.

    Where a sentence has fewer references than others, the value is −∞.
    """

    scores: Array
    values: Array
    wrong: Array

    @property
    def best_wrong(self) -> Array:
        """What the best row of each sentence has wrong, the mean over systems."""
        best = self.values.argmax(axis=2)[..., None]
        return np.asarray(np.take_along_axis(self.wrong, best, axis=2)[..., 0].mean(axis=0))


def value_rows(rows: Array, there: NDArray[np.bool_], ratio: tuple[Array, Array]) -> Valued:
    """Value rows ``[system, sentence, reference, k]``; ``there[sentence, reference]`` says which references there are.

    The choice of rows that makes u·T / v·T largest: take the best rows at the score, then the score of these rows,
    until nothing changes (Dinkelbach 1967).
    """
    u, v = ratio
    right, all_of_it = rows @ u, rows @ v
    scores, totals = np.zeros(len(rows)), np.zeros(len(rows))
    for step in range(ROUNDS):
        worth = np.where(there, right - scores[:, None, None] * all_of_it, -np.inf)
        best = worth.argmax(axis=2)[..., None]
        tops, sums = (np.take_along_axis(part, best, axis=2).sum(axis=(1, 2)) for part in (right, all_of_it))
        ratios = np.divide(tops, sums, out=np.zeros_like(tops), where=sums > 0)
        # At the largest score, rows that are worth nothing tie with the best: another choice may score less.
        better = (ratios > scores) | (step == 0)
        if not better.any():
            break
        scores, totals = np.where(better, ratios, scores), np.where(better, sums, totals)
    worth = (right - scores[:, None, None] * all_of_it) / np.maximum(totals, 1e-300)[:, None, None]
    return Valued(scores, np.where(there, worth, -np.inf), all_of_it - right)


@dataclass(frozen=True, eq=False)
class GainCurve:
    """Mean and variance of the gain by what is wrong: ``edges`` part the groups."""

    edges: Array
    means: Array
    variances: Array

    def at(self, wrong: Array) -> tuple[Array, Array]:
        group = np.searchsorted(self.edges, wrong, side="right")
        return self.means[group], self.variances[group]


def gain_curve(wrong: Array, gains: Array) -> GainCurve:
    """The curve of pairs. Values of ``wrong`` that are equal are in one group.

    >>> curve = gain_curve(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 3.0]))
    >>> curve.at(np.array([0.0, 5.0]))
    (array([0., 2.]), array([0., 1.]))
    """
    edges = np.unique(np.quantile(wrong, np.arange(1, GROUPS) / GROUPS))
    group = np.searchsorted(edges, wrong, side="right")
    counts, sums, squares = (np.bincount(group, weights=weights) for weights in (None, gains, gains**2))
    known = np.maximum(counts, 1)
    means = sums / known
    return GainCurve(edges, means, np.maximum(squares / known - means**2, 0.0))


def left_out_pairs(made: Valued, there: NDArray[np.bool_]) -> tuple[Array, Array]:
    """(wrong, gain) of every reference that is left out of a sentence with two or more; means over systems."""
    wrong, gains = [], []
    best = made.values.max(axis=2)
    for reference in range(there.shape[1]):
        sentences = there[:, reference] & (there.sum(axis=1) > 1)
        if not sentences.any():
            continue
        others = np.delete(made.values[:, sentences], reference, axis=2)
        choice = others.argmax(axis=2)[..., None]
        others_wrong = np.delete(made.wrong[:, sentences], reference, axis=2)
        wrong.append(np.take_along_axis(others_wrong, choice, axis=2)[..., 0].mean(axis=0))
        gains.append((best[:, sentences] - others.max(axis=2)).mean(axis=0))
    if not wrong:
        raise InputError(
            "no sentence has two references, so nothing shows what one more would change", parameter="references"
        )
    return np.concatenate(wrong), np.concatenate(gains)


def expected_gains(made: Valued, there: NDArray[np.bool_]) -> tuple[Array, Array]:
    """How much one more reference of each sentence is expected to add to the score, and the variance of this."""
    means, variances = gain_curve(*left_out_pairs(made, there)).at(made.best_wrong)
    counts = there.sum(axis=1)
    fall = counts / (counts + 1)
    return means * fall, variances * fall**2
