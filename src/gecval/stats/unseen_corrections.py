"""The unseen: estimate all corrections of a sentence, also those that nobody gave, from how often each was given.

UnseenEst (Zou et al. 2016, after Valiant & Valiant 2013), the linear programme of the low-coverage paper:

    minimise  Σᵢ |Σⱼ binom(i; n, xⱼ)·hⱼ − Fᵢ| / √(Fᵢ + 1)   subject to   Σⱼ xⱼhⱼ = 1,  Σⱼ hⱼ ≤ 65·10⁶,  hⱼ ≥ 0

Fᵢ is the number of corrections that were seen i times in n samples, for i = 1 … k + ⌈√k⌉; k is the most times that any
was seen. hⱼ is the expected number of corrections with probability xⱼ. The grid is xⱼ = 1.05ʲ/(100n), up to k/n.

There are many optima. We return the one with the fewest corrections: a second programme minimises Σ hⱼ and keeps the
objective. It claims no rare correction that the data do not need. It is the same on every machine. It is a vertex, so
few hⱼ are above 0 (the original's interior point gives a little to every frequency). Σᵢ iFᵢ/n may be above 1:
fingerprints of many sentences add up, and so do their histograms, because everything here is linear in h.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log, sqrt

import numpy as np
from scipy.optimize import linprog
from scipy.stats import binom

from gecval.errors import InputError
from gecval.stats.resampling import Array, Interval

STEP = 1.05
MOST_VARIANTS = 65e6
# HiGHS meets constraints to 1e-10 at best. In the second programme the objective may rise by ten times that. This is
# less than what an interior-point solver leaves above the optimum.
_TOLERANCE = 1e-10
_KEEPS_OBJECTIVE = 10 * _TOLERANCE


def fingerprint(variants: Iterable[Hashable]) -> list[int]:
    """How many variants were seen once, twice, …

    >>> fingerprint(["a", "b", "a", "c"])
    [2, 1]
    """
    counts = Counter(Counter(variants).values())
    return [counts[times] for times in range(1, max(counts, default=0) + 1)]


@dataclass(frozen=True, eq=False)
class Histogram:
    """The expected number of variants at each probability."""

    frequencies: Array
    variants: Array

    def __post_init__(self) -> None:
        if np.any(self.frequencies <= 0) or np.any(self.frequencies > 1):
            raise InputError("a frequency must lie above 0, and be 1 at most")
        if np.any(self.variants < 0) or not np.isfinite(self.variants).all():
            raise InputError("a number of variants must be finite, and not negative")

    def above(self, threshold: float) -> tuple[float, float]:
        """How many variants have at least this probability, and their probability together."""
        frequent = self.frequencies >= threshold
        variants = self.variants[frequent]
        return float(variants.sum()), float(variants @ self.frequencies[frequent])

    def sparse(self) -> Histogram:
        """Only the frequencies that some variant has."""
        there = self.variants > 0
        return Histogram(self.frequencies[there], self.variants[there])

    def expected(self, function: Callable[[Array], Array]) -> float:
        """Σ h(x)·function(x)."""
        return float(self.variants @ function(self.frequencies))


@dataclass(frozen=True, eq=False)
class Programme:
    """The linear programme of one fingerprint.

    ``samples`` is n, by default all samples of the fingerprint. ``smallest`` is the least frequency of the grid, by
    default 1/(100n).

    >>> from gecval.stats.unseen_corrections import Programme
    >>> histogram = Programme([10, 5, 2]).histogram()
    >>> round(histogram.above(0)[0], 1), round(histogram.above(0)[1], 6)
    (26.7, 1.0)
    """

    fingerprint: Iterable[float]
    samples: int | None = None
    smallest: float | None = None

    def __post_init__(self) -> None:
        if np.any(self._seen < 0) or not np.isfinite(self._seen).all():
            raise InputError("a fingerprint counts variants: its numbers are finite and not negative")
        if not self._times @ self._seen > 1:
            raise InputError("an estimate of the unseen needs two samples or more")

    @cached_property
    def _seen(self) -> Array:
        """F without the zeros at its end."""
        return np.trim_zeros(np.array(list(self.fingerprint), dtype=np.float64), "b")

    @cached_property
    def _times(self) -> Array:
        return np.arange(1, len(self._seen) + 1, dtype=np.float64)

    @cached_property
    def n(self) -> int:
        return self.samples or round(float(self._times @ self._seen))

    @cached_property
    def grid(self) -> Array:
        low, high = self.smallest or 1 / (100 * self.n), len(self._seen) / self.n
        steps = np.arange(ceil(log(high / low) / log(STEP)) + 1)
        grid: Array = np.minimum(low * STEP**steps, 1.0)
        return grid

    @cached_property
    def _padded(self) -> Array:
        return np.concatenate([self._seen, np.zeros(ceil(sqrt(len(self._seen))))])

    @cached_property
    def _pmf(self) -> Array:
        return np.asarray(binom.pmf(np.arange(1, len(self._padded) + 1)[:, None], self.n, self.grid))

    def objective(self, variants: Array) -> float:
        """How badly a histogram over ``grid`` explains the fingerprint."""
        return float(np.sum(np.abs(self._pmf @ variants - self._padded) / np.sqrt(self._padded + 1)))

    def histogram(self) -> Histogram:
        """The best histogram with the fewest variants."""
        return self._histogram(self._solve(1 / self.grid, self.optimum + _KEEPS_OBJECTIVE))

    @cached_property
    def optimum(self) -> float:
        """The least objective there is."""
        slacks = len(self._padded)
        return float(self._weights @ self._solve(None, None)[-2 * slacks :])

    def bounds(self, function: Callable[[Array], Array], *, slack: float = 0.5) -> Interval:
        """The least and the largest Σ h(x)·function(x) of all histograms that explain the fingerprint nearly as well.

        ``slack`` is how far their objective may lie above the optimum. The default is Valiant & Valiant's.
        """
        ends = (
            self._histogram(self._solve(sign * function(self.grid) / self.grid, self.optimum + slack)).expected(
                function
            )
            for sign in (1.0, -1.0)
        )
        return Interval(*ends)

    def _histogram(self, solution: Array) -> Histogram:
        return Histogram(self.grid, np.maximum(solution[: len(self.grid)], 0) / self.grid)

    @cached_property
    def _weights(self) -> Array:
        return np.tile(1 / np.sqrt(self._padded + 1), 2)

    def _solve(self, cost: Array | None, most: float | None) -> Array:
        """Minimise the objective; or minimise a cost of the masses, and keep the objective below ``most``.

        The variables are the masses mⱼ = xⱼhⱼ, and the parts of each Fᵢ that are explained too much and too little.
        Masses are of similar size, the hⱼ are not.
        """
        rows, columns = self._pmf.shape
        explains = np.hstack([self._pmf / self.grid, -np.eye(rows), np.eye(rows)])
        whole = np.concatenate([np.ones(columns), np.zeros(2 * rows)])
        objective = np.concatenate([np.zeros(columns), self._weights])
        limits, ends = [np.concatenate([1 / self.grid, np.zeros(2 * rows)]) / MOST_VARIANTS], [1.0]
        if most is not None:
            limits, ends = [*limits, objective], [*ends, most]
        # HiGHS gives up on a few programmes at this tolerance, and solves them at its own.
        for tolerance in (_TOLERANCE, 1e-9, 1e-7):
            result = linprog(
                objective if cost is None else np.concatenate([cost / (np.abs(cost).max() or 1.0), np.zeros(2 * rows)]),
                A_ub=np.array(limits),
                b_ub=np.array(ends),
                A_eq=np.vstack([explains, whole]),
                b_eq=np.append(self._padded, self._times @ self._seen / self.n),
                method="highs",
                options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
            )
            if result.x is not None:
                break
        solution: Array | None = result.x
        if solution is None:
            raise InputError(f"no histogram explains the fingerprint {self._seen.tolist()}: {result.message}")
        return solution
