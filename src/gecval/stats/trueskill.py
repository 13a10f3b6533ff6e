"""TrueSkill as WMT ranks systems with it (Sakaguchi, Post & Van Durme 2014): a sampling procedure.

Every system starts with μ = 0, σ = 1/2. There is one step more than there are judgments. Each step takes the system a
of largest σ (on a tie the last in the alphabet), an opponent b with probability ∝ exp(−|μ_a − μ_b|), and one of their
judgments at random; then it updates both. With c² = 2β² + σ_a² + σ_b², t = (μ_a − μ_b)/c and
ε = Φ⁻¹((1 + p_draw)/2)·√2·β/c, the judgment says that a standard normal x lies in (l, h). This is (ε − t, ∞) where a
won, (−∞, −ε − t) where b won, (−ε − t, ε − t) for a tie. Then

    v = (φ(l) − φ(h)) / (Φ(h) − Φ(l))                       μ_a += σ_a²/c · v,   μ_b −= σ_b²/c · v
    w = v² − (l·φ(l) − h·φ(h)) / (Φ(h) − Φ(l))              σ²  *= 1 − σ²/c² · w   for both

This equals what the library ``trueskill`` finds by message passing. p_draw = 1/4, and β = σ·n/40 for n steps, so a
single judgment moves next to nothing. Runs differ by about 0.02. All runs go side by side, and their mean counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from gecval.progress import Progress, silent
from gecval.stats.ranking import HeadToHead
from gecval.stats.resampling import Array

SIGMA = 0.5
DRAW_PROBABILITY = 0.25
INFINITY = 40.0  # φ and 1 − Φ are 0 there, and 40·0 is a number, unlike ∞·0


@dataclass(frozen=True, kw_only=True)
class Skills:
    """μ and σ² of each system, [run, system]."""

    mu: Array
    variance: Array

    @property
    def scores(self) -> Array:
        """The mean μ of each system over all runs."""
        mean: Array = self.mu.mean(axis=0)
        return mean


def trueskill(head: HeadToHead, rng: np.random.Generator, *, runs: int = 20, progress: Progress = silent) -> Skills:
    """Run the procedure ``runs`` times on the same judgments."""
    size, steps = len(head.systems), head.pairs + 1
    beta = SIGMA * steps / 40
    # The largest σ is looked for from the end of the alphabet.
    order = np.argsort(np.array(head.systems), kind="stable")[::-1]
    wins, ties = head.wins[np.ix_(order, order)], head.ties[np.ix_(order, order)]
    judged = wins + wins.T + ties
    won = np.divide(wins, judged, out=np.zeros_like(wins), where=judged > 0).ravel()
    decided = won + np.divide(wins.T, judged, out=np.zeros_like(wins), where=judged > 0).ravel()
    met = (judged > 0).astype(np.float64)

    mu, variance = np.zeros((runs, size)), np.full((runs, size), SIGMA**2)
    flat_mu, flat_variance = mu.reshape(-1), variance.reshape(-1)  # views: what is put there shows in both
    starts = np.arange(runs) * size
    for step, (pick, outcome) in enumerate(_uniforms(rng, steps, runs)):
        a = variance.argmax(axis=1)
        at_a = starts + a
        mu_a = flat_mu[at_a]
        chances = np.cumsum(np.exp(-np.abs(mu - mu_a[:, None])) * met[a], axis=1)
        b = (chances <= (pick * chances[:, -1])[:, None]).sum(axis=1)
        at_b, cell = starts + b, a * size + b
        result = np.where(outcome < won[cell], 1, np.where(outcome < decided[cell], -1, 0))
        new = update(mu_a, flat_variance[at_a], flat_mu[at_b], flat_variance[at_b], result, beta=beta)
        flat_mu[at_a], flat_variance[at_a], flat_mu[at_b], flat_variance[at_b] = new
        if step % 1000 == 0:
            progress(step, steps)
    back = np.argsort(order)
    return Skills(mu=mu[:, back], variance=variance[:, back])


def _uniforms(rng: np.random.Generator, steps: int, runs: int) -> Iterator[Array]:
    for first in range(0, steps, 1000):
        yield from rng.random((min(1000, steps - first), 2, runs))


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
