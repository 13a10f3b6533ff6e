"""How far judges agree (Bojar et al. 2013, after Cohen 1960).

    κ = (P(A) − P(E)) / (1 − P(E)),    P(E) = P(tie)² + 2·((1 − P(tie))/2)²

Two rankings of one sentence agree on two outputs if both say the same: above, below or tie. P(A) is the share of cases
in which they agree. The two rankings are by different judges, or by one judge who saw the sentence twice. If all are
ties, then P(E) = 1 and κ is undefined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.stats.ranking import HeadToHead
from gecval.stats.resampling import Array, MaybeUndefined, sign


@dataclass(frozen=True, kw_only=True)
class Kappa:
    """κ, the share of comparisons in which two rankings agree, and the number of comparisons."""

    kappa: MaybeUndefined
    agree: MaybeUndefined
    comparisons: int


def judge_kappa(
    preferences: Array, sentences: NDArray[np.int64], judges: NDArray[np.str_], *, same_judge: bool
) -> Kappa:
    """κ between rankings by different judges, or by the same judge."""
    size = preferences.shape[1]
    above = np.triu_indices(size, 1)
    opinions = sign(preferences[:, above[0]] - preferences[:, above[1]])
    agreed = compared = 0
    for sentence in np.unique(sentences):
        here = np.flatnonzero(sentences == sentence)
        for position, ranking in enumerate(here):
            others = here[position + 1 :]
            others = others[(judges[others] == judges[ranking]) == same_judge]
            both = np.isfinite(opinions[others]) & np.isfinite(opinions[ranking])
            compared += int(both.sum())
            agreed += int((both & (opinions[others] == opinions[ranking])).sum())
    head = HeadToHead.of(tuple(map(str, range(size))), preferences)
    tie = float(head.ties.sum() / 2) / head.pairs if head.pairs else math.nan
    expected = tie**2 + (1 - tie) ** 2 / 2
    agree = agreed / compared if compared else math.nan
    kappa = (agree - expected) / (1 - expected) if expected != 1 else math.nan
    return Kappa(kappa=kappa, agree=agree, comparisons=compared)


# Agreement of raters who mark units or leave them alone (Cohen 1960; Fleiss 1971).
#
#     κ = (P(A) − P(E)) / (1 − P(E))
#
# Cohen: of two raters, P(A) is the share of units on which both do the same, and P(E) = p₁q₁ + (1 − p₁)(1 − q₁) for the
# shares p₁ and q₁ that each marks. Fleiss: of many raters, P(A) is the mean over units of the share of pairs of raters
# that do the same, and P(E) = p₁² + (1 − p₁)². Where units have different numbers of raters, p₁ is the mean over units
# of the share of raters who mark it (Gwet 2014); units of fewer than two raters do not count. If P(E) = 1, all raters
# do the same by necessity, and κ is undefined (NaN).


def cohen_kappa(counts: Array) -> Array:
    """κ of units that both raters mark, only the first, only the second, neither: the last axis.

    >>> round(float(cohen_kappa(np.array([20.0, 5.0, 10.0, 15.0]))), 4)
    0.4
    """
    total = counts.sum(axis=-1)
    both, first, second, neither = np.moveaxis(counts, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q = (both + first) / total, (both + second) / total
        return _kappa((both + neither) / total, p * q + (1 - p) * (1 - q))


def fleiss_rows(marked: NDArray[np.int64], raters: int) -> Array:
    """Of units that as many raters saw: shares of pairs who agree, shares of raters who mark, and units; summed.

    >>> fleiss_rows(np.array([0, 1, 3]), 3).round(4).tolist()
    [2.3333, 1.3333, 3.0]
    """
    if raters < 2:
        return np.zeros(3)
    pairs = marked * (marked - 1) + (raters - marked) * (raters - marked - 1)
    return np.array([pairs.sum() / (raters * (raters - 1)), marked.sum() / raters, len(marked)])


def fleiss_kappa(totals: Array) -> Array:
    """κ of summed ``fleiss_rows``, whose columns are the last axis."""
    agreeing, marking, units = np.moveaxis(totals, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = marking / units
        return _kappa(agreeing / units, share**2 + (1 - share) ** 2)


def _kappa(agreed: Array, expected: Array) -> Array:
    """Sums from which a sentence was taken may be off by rounding: where P(E) = 1, P(A) need not be exactly 1."""
    kappa: Array = np.where(expected < 1, (agreed - expected) / (1 - expected), np.nan)
    return kappa
