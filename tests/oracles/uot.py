"""Unbalanced transport as its page of the specification says it: plain lists, a thousand steps and no early stop."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

Matrix = list[list[float]]


def plan(a: Sequence[float], b: Sequence[float], cost: Sequence[Sequence[float]], reg: float, reg_m: float) -> Matrix:
    kernel = [[x * y * exp(-c / reg) for y, c in zip(b, row, strict=True)] for x, row in zip(a, cost, strict=True)]
    power = reg_m / (reg_m + reg)
    u, v = [1.0] * len(a), [1.0] * len(b)
    for _ in range(1000):
        kv = [sum(k * y for k, y in zip(row, v, strict=True)) + 1e-16 for row in kernel]
        u = [(x / s) ** power for x, s in zip(a, kv, strict=True)]
        ku = [sum(row[j] * x for row, x in zip(kernel, u, strict=True)) + 1e-16 for j in range(len(b))]
        v = [(y / s) ** power for y, s in zip(b, ku, strict=True)]
    return [[x * k * y for k, y in zip(row, v, strict=True)] for x, row in zip(u, kernel, strict=True)]
