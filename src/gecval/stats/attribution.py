"""What each of several parts adds to a whole, where Δ(A) is known for sets A of parts (Goto et al. 2024).

    add-one-in       dᵢ = Δ({i})                         rescaled, so that all dᵢ add up to Δ(all); 0 where Σd = 0
    leave-one-out    dᵢ = Δ(all) − Δ(all without i)      rescaled likewise
    Shapley          dᵢ = Σ_{A ∌ i} |A|! (k − |A| − 1)! / k! · (Δ(A ∪ {i}) − Δ(A)),   adds up to Δ(all) by itself

Shapley's value is the mean gain of part *i* over all orders in which the parts can join. Of many parts, orders are
drawn at random; each value then has a standard error. A set is a number whose bit *i* says whether part *i* is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial, sqrt
from typing import Literal, get_args

import numpy as np

from gecval.stats.resampling import Array

Method = Literal["shapley", "add-one-in", "leave-one-out"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """How to share a gain among ``parts``: which sets must be known, and what each part gets.

    ``orders`` are the drawn orders of Shapley's value; None: it is computed over all sets.

    >>> share = Attribution.plan("shapley", 2)
    >>> share.sets()
    [0, 1, 2, 3]
    >>> share.values({0: 0.0, 1: 0.5, 2: 0.0, 3: 1.0}).tolist()
    [0.75, 0.25]
    """

    method: Method
    parts: int
    orders: tuple[tuple[int, ...], ...] | None = None

    @classmethod
    def plan(cls, method: Method, parts: int, *, exact: int = 10, orders: int = 200, seed: int = 1) -> Attribution:
        """Exactly up to ``exact`` parts; beyond, Shapley's value comes from so many random orders."""
        if method != "shapley" or parts <= exact:
            return cls(method=method, parts=parts)
        rng = np.random.default_rng(seed)
        drawn = tuple(tuple(rng.permutation(parts).tolist()) for _ in range(orders))
        return cls(method=method, parts=parts, orders=drawn)

    @property
    def everything(self) -> int:
        return (1 << self.parts) - 1

    def sets(self) -> list[int]:
        """The sets whose gain must be known, each once, the smallest number first."""
        if self.method == "add-one-in":
            needed = {1 << i for i in range(self.parts)}
        elif self.method == "leave-one-out":
            needed = {self.everything ^ (1 << i) for i in range(self.parts)}
        elif self.orders is None:
            return list(range(self.everything + 1))
        else:
            needed = {grown for order in self.orders for grown in _grow(order)}
        return sorted(needed | {0, self.everything})

    def values(self, gains: Mapping[int, float]) -> Array:
        """What each part adds."""
        if self.method == "add-one-in":
            return self._rescale(np.array([gains[1 << i] for i in range(self.parts)]), gains)
        if self.method == "leave-one-out":
            whole = gains[self.everything]
            return self._rescale(
                np.array([whole - gains[self.everything ^ (1 << i)] for i in range(self.parts)]), gains
            )
        if self.orders is not None:
            mean: Array = self._in_orders(gains).mean(axis=0)
            return mean
        values = np.zeros(self.parts)
        k = self.parts
        weights = [factorial(size) * factorial(k - size - 1) / factorial(k) for size in range(k)]
        for members in range(self.everything):  # nobody can join the set of all parts
            for i in range(k):
                if not members >> i & 1:
                    values[i] += weights[members.bit_count()] * (gains[members | 1 << i] - gains[members])
        return values

    def errors(self, gains: Mapping[int, float]) -> Array | None:
        """The standard error of each value; None where the values are exact."""
        if self.orders is None:
            return None
        spread: Array = self._in_orders(gains).std(axis=0, ddof=1) / sqrt(len(self.orders))
        return spread

    def _in_orders(self, gains: Mapping[int, float]) -> Array:
        """[order, part]: what the part adds when it joins in this order."""
        assert self.orders is not None
        added = np.empty((len(self.orders), self.parts))
        for row, order in zip(added, self.orders, strict=True):
            before = 0
            for part in order:
                row[part] = gains[before | 1 << part] - gains[before]
                before |= 1 << part
        return added

    def _rescale(self, values: Array, gains: Mapping[int, float]) -> Array:
        total = float(values.sum())
        scaled: Array = values * (gains[self.everything] / total) if total else np.zeros(self.parts)
        return scaled


def _grow(order: tuple[int, ...]) -> list[int]:
    """The sets that the parts make as they join one after the other."""
    members, grown = 0, []
    for part in order:
        members |= 1 << part
        grown.append(members)
    return grown
