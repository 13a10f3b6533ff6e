"""TrueSkill in plain Python: one pass over sentence scores, one update at a time; and WMT's procedure, step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from gecval.stats.ranking import DRAW_PROBABILITY, SIGMA, HeadToHead
from gecval.stats.resampling import Array

NORMAL = NormalDist()
INFINITY = 40.0  # φ and 1 − Φ are 0 there, and 40·0 is a number, unlike ∞·0


def one_pass(scores: Sequence[Sequence[float]]) -> list[float]:
    """μ of each system, given the scores of each sentence."""
    systems = range(len(scores[0]))
    mu, variance, beta = [0.0 for _ in systems], [0.25 for _ in systems], 0.25
    for sentence in scores:
        for p in systems:
            for q in systems[p + 1 :]:
                winner, loser = (q, p) if sentence[q] > sentence[p] else (p, q)
                c = sqrt(2 * beta**2 + variance[p] + variance[q])
                t = (mu[winner] - mu[loser]) / c
                e = NORMAL.inv_cdf((0.25 + 1) / 2) * sqrt(2) * beta / c
                if sentence[p] == sentence[q]:
                    d = NORMAL.cdf(e - t) - NORMAL.cdf(-e - t)
                    v = (NORMAL.pdf(-e - t) - NORMAL.pdf(e - t)) / d
                    w = v * v + ((e - t) * NORMAL.pdf(e - t) + (e + t) * NORMAL.pdf(e + t)) / d
                else:
                    v = NORMAL.pdf(t - e) / NORMAL.cdf(t - e)
                    w = v * (v + t - e)
                mu[winner] += variance[winner] * v / c
                mu[loser] -= variance[loser] * v / c
                for player in (p, q):
                    variance[player] *= 1 - variance[player] * w / c**2
    return mu


def sampled(
    head: HeadToHead, rng: np.random.Generator, *, runs: int = 20, again: HeadToHead | None = None
) -> tuple[Array, Array]:
    """μ and σ² of :func:`gecval.stats.ranking.trueskill`, [run, system]; every step in numpy."""
    size, steps = len(head.systems), head.pairs + 1
    given = head if again is None else again
    runs = runs if again is None else len(again.wins)
    beta = SIGMA * steps / 40
    order = np.argsort(np.array(head.systems), kind="stable")[::-1]
    wins, ties = (
        np.broadcast_to(counts[..., order[:, None], order], (runs, size, size)) for counts in (given.wins, given.ties)
    )
    judged = wins + np.swapaxes(wins, 1, 2) + ties
    share = np.divide(wins, judged, out=np.zeros(judged.shape), where=judged > 0)
    won, decided = share.ravel(), (share + np.swapaxes(share, 1, 2)).ravel()
    met = (judged > 0).astype(np.float64).reshape(-1, size)
    absent = ~(judged > 0).any(axis=2)

    mu, variance = np.zeros((runs, size)), np.full((runs, size), SIGMA**2)
    variance[absent] = 0.0  # never the largest
    flat_mu, flat_variance = mu.reshape(-1), variance.reshape(-1)  # views: what is put there shows in both
    starts = np.arange(runs) * size
    for pick, outcome in rng.random((steps, 2, runs)):
        a = variance.argmax(axis=1)
        at_a = starts + a
        mu_a = flat_mu[at_a]
        chances = np.cumsum(np.exp(-np.abs(mu - mu_a[:, None])) * met[at_a], axis=1)
        # A resample in which nobody is judged gives no chances: all its systems are absent, whoever is taken here.
        b = np.minimum((chances <= (pick * chances[:, -1])[:, None]).sum(axis=1), size - 1)
        at_b, cell = starts + b, at_a * size + b
        result = np.where(outcome < won[cell], 1, np.where(outcome < decided[cell], -1, 0))
        new = update(mu_a, flat_variance[at_a], flat_mu[at_b], flat_variance[at_b], result, beta=beta)
        flat_mu[at_a], flat_variance[at_a], flat_mu[at_b], flat_variance[at_b] = new
    mu[absent] = np.nan
    back = np.argsort(order)
    return mu[:, back], variance[:, back]


def update(
    mu_a: Array, variance_a: Array, mu_b: Array, variance_b: Array, result: NDArray[np.int_], *, beta: float
) -> tuple[Array, Array, Array, Array]:
    """μ and σ² of a, then of b, after a won (1), lost (−1) or tied (0)."""
    squared = 2 * beta * beta + variance_a + variance_b
    c = np.sqrt(squared)
    t = (mu_a - mu_b) / c
    margin = ndtri((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2) * beta / c
    low = np.where(result < 0, -INFINITY, margin * np.where(result > 0, 1, -1) - t)
    high = np.where(result > 0, INFINITY, margin * np.where(result < 0, -1, 1) - t)
    density_low, density_high = _density(low), _density(high)
    mass = ndtr(high) - ndtr(low)
    v = (density_low - density_high) / mass
    w = v * v - (low * density_low - high * density_high) / mass
    return (
        mu_a + variance_a / c * v,
        variance_a * (1 - variance_a / squared * w),
        mu_b - variance_b / c * v,
        variance_b * (1 - variance_b / squared * w),
    )


def _density(x: Array) -> Array:
    density: Array = np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
    return density
