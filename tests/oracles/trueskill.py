"""One pass of TrueSkill over sentence scores, as its page of the specification says it: one update at a time."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

NORMAL = NormalDist()


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
