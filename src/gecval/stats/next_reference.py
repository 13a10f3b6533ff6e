"""What would one more reference of a sentence change? Estimated from what the last one changed.

A score u·T / v·T takes the best reference of each sentence. At the score F of a system, a row r of a sentence is worth

    value(r) = (u·r − F·v·r) / v·T,      wrong(r) = (v − u)·r,

the first in points of the score. Leave each reference out in turn: what the others had wrong, and how much value this
one adds, is a pair (wrong, gain). Pairs of all sentences, in ten groups by ``wrong``, give the mean gain and its
variance. The next reference is one more than that: if gains fall as 1/k with the k-th reference, its gain is the
estimate times M / (M + 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError

Array = NDArray[np.float64]

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


def valued(rows: Array, there: NDArray[np.bool_], ratio: tuple[Array, Array]) -> Valued:
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
