"""Coverage: how likely a correction is among M references of its sentence, for a histogram h of its corrections.

With replacement (every reference drawn from D afresh), y and the references being independent,

    P(y ∈ Y) = Σⱼ hⱼ·xⱼ·(1 − (1 − xⱼ)ᴹ).

Without replacement (references drawn one after the other until M differ): let every correction arrive at its own
exponential time, with rate its probability pᵢ. Then N(t) corrections have arrived by t, W(t) is the probability of
those that have not, and since the M-th of them is followed by the next after a time 1/W on average,

    1 − P(y ∈ Y) = E[W_M] = ∫₀^∞ E[W(t)²; N(t) = M] dt.

The expectation is a coefficient of Πᵢ(qᵢz + (1 − qᵢ)e^{spᵢ}), differentiated twice by s, with qᵢ = 1 − e^{−pᵢt}: a sum
of positive terms, exact up to the quadrature. The paper sampled both; nothing here is random.

Where more than M corrections were gathered, no histogram is needed: with nᵧ of n people writing y,

    P(y ∈ Y) = Σᵧ nᵧ/n · (1 − C(n − nᵧ, M) / C(n − 1, M))

is an estimate without bias, the mean over all choices of one answer and M others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid
from scipy.special import gammaln, xlogy

from gecval.errors import InputError
from gecval.stats.unseen import Array, Histogram

NODES = 400  # in log t; more change the 12th decimal


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


def observed_coverage(counts: Sequence[int], references: int) -> float:
    """How often so many people's answers hold that of one more, over all choices of people.

    >>> observed_coverage([2, 1], 1)
    0.3333333333333333
    """
    people = sum(counts)
    if references >= people:
        raise InputError(f"{people} corrections cannot show what {references} references cover of one more")
    ways = comb(people - 1, references)
    return sum(times / people * (1 - comb(people - times, references) / ways) for times in counts)


def coverage_without_replacement(histogram: Histogram, most: int) -> Array:
    """The expected coverage of 1, 2, … ``most`` different references.

    >>> die = Histogram(np.array([1 / 6]), np.array([6.0]))
    >>> coverage_without_replacement(die, 6).round(4).tolist()
    [0.1667, 0.3333, 0.5, 0.6667, 0.8333, 1.0]
    """
    probabilities, counts = _whole_variants(histogram)
    times = np.geomspace(1e-6 / probabilities.max(), 50 / probabilities.min(), NODES)
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
    """The least number from 1 on that is enough, where all greater ones are too.

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
    """Probabilities of whole variants, and how many have each; their sum is the histogram's.

    A histogram may say half a variant here and half a one there. In falling order of probability, what lies between
    one whole number and the next is one variant, with the mean probability of its parts.
    """
    order = np.argsort(-histogram.frequencies)
    frequencies, variants = histogram.frequencies[order], histogram.variants[order]
    ends = np.cumsum(variants)
    whole = np.arange(np.ceil(ends[-1] - 1e-9) + 1)
    mass = np.interp(whole, np.concatenate([[0.0], ends]), np.concatenate([[0.0], np.cumsum(variants * frequencies)]))
    probabilities, counts = np.unique(np.diff(mass).round(14), return_counts=True)
    return probabilities[probabilities > 0], counts[probabilities > 0].astype(np.float64)


def _terms(probability: float, count: float, times: Array, most: int) -> Array:
    """The chance that m of ``count`` equal variants have arrived, [time, m]."""
    m = np.arange(most + 1)
    possible = m <= count
    left = np.where(possible, count - m, 0.0)
    ways = gammaln(count + 1) - gammaln(m + 1) - gammaln(left + 1)
    arrived = -np.expm1(-probability * times)[:, None]
    return np.where(possible, np.exp(ways + xlogy(m, arrived) - left * probability * times[:, None]), 0.0)


def _product(a: Array, b: Array) -> Array:
    """Of polynomials in z, cut off after the highest power there is."""
    size = a.shape[1]
    result = np.zeros_like(a)
    for power in range(size):
        result[:, power:] += a[:, power : power + 1] * b[:, : size - power]
    return result
