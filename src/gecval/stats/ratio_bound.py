"""How many sentences must go before B no longer leads A? A proof that fewer do not suffice, for scores Σn / Σd.

Without its lead, B lies at or below some t, and A at or above it. Over the kept sentences then, for every λ in [0, 1],

    Σ (n_B − t·d_B) ≤ 0   and   Σ (n_A − t·d_A) ≥ 0,   hence   Σ wᵢ ≤ 0,   w = λ(n_B − t·d_B) − (1 − λ)(n_A − t·d_A).

For one t and λ, k sentences can lower Σw by the k largest wᵢ and no more. If Σw stays above 0, then no k sentences take
B's lead away at this t. What the k largest leave is concave in λ, so its maximum is quickly found. For all t of an
interval [t₁, t₂], take t₂ for B and t₁ for A: d is never negative, so removing can only become easier. Intervals where
no λ gives a proof are halved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gecval.stats.resampling import Array

MOST_INTERVALS = 2000
STEPS = 30  # of the golden section over λ
GOLDEN = (5**0.5 - 1) / 2
ROUNDING = 1e-9  # of the size of the sums: what is nearer to 0 proves nothing


@dataclass(frozen=True, eq=False, kw_only=True)
class RatioLead:
    """B leads A; their scores rise with Σn / Σd over the same sentences."""

    a: tuple[Array, Array]
    b: tuple[Array, Array]

    def unbeatable_by(self, count: int) -> bool:
        """Whether it is proven that B leads without any ``count`` sentences, or fewer."""
        return self.obstacle(count) is None

    def obstacle(self, count: int) -> Array | None:
        """None where it is proven; else weights wᵢ whose largest may be those of sentences that take the lead away."""
        if not self._always_defined(count):
            return np.zeros(len(self.a[0]))
        if np.array_equal(self.a[1], self.b[1]):  # Σn decides, whatever t is
            weights = self.b[0] - self.a[0]
            return None if self._left(weights, count) > 0 else weights
        ratios = [n[d > 0] / d[d > 0] for n, d in (self.a, self.b)]
        intervals = [(min(map(np.min, ratios)), max(map(np.max, ratios)))]
        for _ in range(MOST_INTERVALS):
            if not intervals:
                return None
            low, high = intervals.pop()
            middle = (low + high) / 2
            weights, left = self._best_weights(middle, middle, count)
            if left <= 0 or high - low < ROUNDING:
                return weights
            if self._best_weights(low, high, count)[1] <= 0:
                intervals += [(low, middle), (middle, high)]
        return weights

    def _always_defined(self, count: int) -> bool:
        """Whether no ``count`` sentences leave a denominator of 0; and 0 / 0 is the only fraction with a 0 below."""
        return all(
            d.min() >= 0 and d.sum() > np.sort(d)[len(d) - count :].sum() and not n[d == 0].any()
            for n, d in (self.a, self.b)
        )

    def _best_weights(self, low: float, high: float, count: int) -> tuple[Array, float]:
        """The weights that leave most, by a golden section over λ, and what they leave."""
        of_b, of_a = self.b[0] - high * self.b[1], low * self.a[1] - self.a[0]

        def left(share: float) -> float:
            return self._left(share * of_b + (1 - share) * of_a, count)

        start, stop = 0.0, 1.0
        inner = [stop - GOLDEN * (stop - start), start + GOLDEN * (stop - start)]
        values = [left(share) for share in inner]
        for _ in range(STEPS):
            if max(values) > 0:
                break
            if values[0] < values[1]:
                start, inner[0], values[0] = inner[0], inner[1], values[1]
                inner[1] = start + GOLDEN * (stop - start)
                values[1] = left(inner[1])
            else:
                stop, inner[1], values[1] = inner[1], inner[0], values[0]
                inner[0] = stop - GOLDEN * (stop - start)
                values[0] = left(inner[0])
        best = inner[int(values[1] > values[0])]
        return best * of_b + (1 - best) * of_a, max(values)

    def _left(self, weights: Array, count: int) -> float:
        """Σw without its ``count`` largest positive ones, less what rounding may have added."""
        largest = np.partition(weights, len(weights) - count)[len(weights) - count :] if count else weights[:0]
        return float(weights.sum() - np.maximum(largest, 0).sum() - ROUNDING * np.abs(weights).sum())


def least_removals(lead: RatioLead, enough: int) -> int:
    """The least number of sentences that may take the lead away; ``enough`` is known to."""
    low, high = 0, enough  # fewer than low + 1 do not, high may
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if lead.unbeatable_by(middle) else (low, middle)
    return high
