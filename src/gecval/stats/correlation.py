"""Does a metric order systems as people do? Does one metric do this better than another?

Pearson's r, Spearman's ρ and Kendall's τ_b, each with a two-sided p and an interval by Fisher's z,

    tanh( atanh(r) ± z_α · s ),   s² = 1/(n − 3) for r,  (1 + ρ²/2)/(n − 3) for ρ,  0.437/(n − 4) for τ

(Bonett & Wright 2000 for the last two). Below five systems there is no interval. A ρ or τ of 1 does not prove that the
true one is 1: its interval goes from the low end of the interval of the next smaller value, half a step below 1, up to
1. Below ten systems p is exact: the share of all n! ways to hand out one side's scores that correlate as strongly. With
four systems it is never below 2/4! = 0.083. From ten systems on it is scipy's.

Correlations of two metrics with the same human scores are not independent.
Williams' test (Graham & Baldwin 2014) uses the correlation r₂₃ of the metrics too. With n − 3 degrees of freedom,

    t = (r₁₂ − r₁₃) · √( (n − 1)(1 + r₂₃) / (2K(n − 1)/(n − 3) + (r₁₂ + r₁₃)²/4 · (1 − r₂₃)³) )
    K = 1 − r₁₂² − r₁₃² − r₂₃² + 2·r₁₂·r₁₃·r₂₃

The permutation test (Deutsch, Dror & Roth 2021) brings both metrics to one scale. Then it swaps their scores of some
systems: in all 2ⁿ ways where these are few, else at random. p is the share of swaps with a difference at least as
large. The observed difference is one of them, and so is the swap of all systems: of all 2ⁿ, p is never below 2/2ⁿ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import permutations
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from gecval.errors import InputError
from gecval.stats.resampling import TOLERANCE, Array, Interval, MaybeUndefined, share_as_large

FEWEST = 5  # systems for an interval
EXACT = 9  # systems up to which p comes from all permutations

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS = get_args(Coefficient)


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """A coefficient over n systems. It is NaN where one side is constant. Below five systems there is no interval."""

    value: MaybeUndefined
    p: MaybeUndefined
    interval: Interval
    n: int


def correlate(x: Array, y: Array, coefficient: Coefficient = "pearson", *, level: float = 0.95) -> Correlation:
    """One coefficient of two lists of scores.

    >>> correlate(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 3.0, 4.0]), "spearman").value
    0.8
    """
    value = float(coefficients(x, y, coefficient))
    return Correlation(
        value=value,
        p=_p_value(value, x, y, coefficient),
        interval=_interval(value, len(x), coefficient, level=level),
        n=len(x),
    )


def coefficients(x: Array, y: Array, coefficient: Coefficient = "pearson") -> Array:
    """The coefficient along the last axis, over any leading axes. It is NaN where one side is constant or too short."""
    defined = ~(_constant(x) | _constant(y))
    if coefficient == "kendall":
        above = np.triu_indices(x.shape[-1], 1)
        x, y = (np.sign(side[..., above[0]] - side[..., above[1]]) for side in (x, y))
    else:
        if coefficient == "spearman":
            x, y = (_stats().rankdata(side, axis=-1) for side in (x, y))
        x, y = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    size = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    cosine = np.divide((x * y).sum(axis=-1), size, out=np.full(size.shape, np.nan), where=defined & (size > 0))
    result: Array = np.clip(cosine, -1.0, 1.0)
    return result


def _constant(scores: Array) -> NDArray[np.bool_]:
    """Whether scores differ by rounding alone: 0.3 minus a mean of 0.3 need not be 0."""
    varies: NDArray[np.bool_] = np.ptp(scores, axis=-1) > TOLERANCE * np.abs(scores).max(axis=-1)
    return ~varies


def _p_value(value: float, x: Array, y: Array, coefficient: Coefficient) -> float:
    if math.isnan(value) or len(x) < 3:
        return math.nan
    if len(x) <= EXACT:
        return share_as_large(_permute(x, y, coefficient), value)
    if coefficient == "kendall":
        return float(_stats().kendalltau(x, y).pvalue)
    return float(getattr(_stats(), f"{coefficient}r")(x, y).pvalue)


def _stats() -> Any:
    """scipy.stats, which takes as long to import as all of gecval: most commands need none of it."""
    return import_module("scipy.stats")


def _permute(x: Array, y: Array, coefficient: Coefficient) -> Array:
    """The coefficient of x with y in every order."""
    orders = _orders(len(x))
    if coefficient == "kendall":
        above = np.triu_indices(len(x), 1)
        of_x, of_y = (np.sign(side[:, None] - side) for side in (x, y))
        sums = np.zeros(len(orders))
        for i, j in zip(*above, strict=True):
            sums += of_x[i, j] * of_y[orders[:, i], orders[:, j]]
        size = math.sqrt((of_x[above] ** 2).sum() * (of_y[above] ** 2).sum())
        return np.asarray(sums / size)
    if coefficient == "spearman":
        x, y = map(_stats().rankdata, (x, y))
    x, y = x - x.mean(), y - y.mean()
    return np.asarray(y[orders] @ x / math.sqrt((x @ x) * (y @ y)))


@lru_cache(maxsize=EXACT)
def _orders(n: int) -> NDArray[np.int8]:
    """All n! orders of n systems."""
    return np.array(list(permutations(range(n))), dtype=np.int8)


def _interval(value: float, n: int, coefficient: Coefficient, *, level: float) -> Interval:
    if math.isnan(value) or n < FEWEST:
        return Interval(math.nan, math.nan)
    free = n - (4 if coefficient == "kendall" else 3)
    if abs(value) == 1:
        if coefficient == "pearson":
            return Interval(value, value)
        half_step = 6 / (n * (n * n - 1)) if coefficient == "spearman" else 2 / (n * (n - 1))
        inner = _interval(1 - half_step, n, coefficient, level=level).low
        return Interval(inner, 1.0) if value > 0 else Interval(-1.0, -inner)
    spread = {"pearson": 1.0, "spearman": 1 + value * value / 2, "kendall": 0.437}[coefficient]
    reach = NormalDist().inv_cdf(0.5 + level / 2) * math.sqrt(spread / free)
    return Interval(math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach))


def williams_test(human: Array, a: Array, b: Array) -> float:
    """Two-sided p that metrics a and b have the same Pearson correlation with human scores."""
    n = len(human)
    if n < 4:
        raise InputError(f"Williams' test needs four systems or more, not {n}")
    r12, r13, r23 = (float(coefficients(x, y)) for x, y in ((human, a), (human, b), (a, b)))
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * max(k, 0.0) * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if r12 == r13 or math.isnan(below):
        return math.nan if math.isnan(below) else 1.0
    if below <= 0:
        return 0.0
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return float(2 * stdtr(n - 3, -abs(t)))


def fisher_test(r: float, other: float, n: int) -> float:
    """Two-sided p that two correlations over n systems are equal, as if they were independent: they seldom are."""
    z = (math.atanh(r) - math.atanh(other)) / math.sqrt(2 / (n - 3))
    return float(2 * ndtr(-abs(z)))


def permutation_test(
    human: Array,
    a: Array,
    b: Array,
    coefficient: Coefficient = "pearson",
    *,
    resamples: int = 10_000,
    seed: int = 1,
) -> float:
    """Two-sided p that swapping metrics a and b for any system leaves their correlations with human scores alike."""
    n = len(human)
    if any(map(_constant, (human, a, b))):
        return math.nan
    a, b = (_on_one_scale(side, coefficient) for side in (a, b))
    if 2**n <= resamples:
        swap = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 == 1
    else:
        # The first swaps nothing: the observed difference is one of those counted.
        swap = np.random.default_rng(seed).random((resamples, n)) < 0.5
        swap[0] = False
    difference = coefficients(human, np.where(swap, b, a), coefficient) - coefficients(
        human, np.where(swap, a, b), coefficient
    )
    # A swap that makes a side constant has no correlation, and so makes no difference.
    return share_as_large(np.nan_to_num(difference), float(difference[0]))


def _on_one_scale(scores: Array, coefficient: Coefficient) -> Array:
    if coefficient != "pearson":
        ranks: Array = _stats().rankdata(scores)
        return ranks
    standard: Array = (scores - scores.mean()) / scores.std()
    return standard
