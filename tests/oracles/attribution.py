"""Shapley's value by its definition: the mean gain over all orders in which the parts can join."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations


def shapley(parts: int, gains: Mapping[int, float]) -> list[float]:
    totals = [0.0] * parts
    orders = list(permutations(range(parts)))
    for order in orders:
        members = 0
        for part in order:
            totals[part] += gains[members | 1 << part] - gains[members]
            members |= 1 << part
    return [total / len(orders) for total in totals]
