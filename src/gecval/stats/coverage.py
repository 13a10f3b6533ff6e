"""Coverage: the probability that a valid correction of a sentence is among its M references.

The histogram h says how many corrections have each probability x. With replacement, every reference is drawn anew from
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
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid
from scipy.special import gammaln, xlogy

from gecval.errors import InputError
from gecval.stats.unseen import MOST_VARIANTS, Array, Histogram

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
