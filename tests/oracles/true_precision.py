"""Slow and plain: logistic regression by a general optimiser, and corrected scores edit by edit."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np
from scipy.optimize import minimize

Key = tuple[int, int, str]


def logistic(features: np.ndarray, labels: np.ndarray, weights: np.ndarray, ridge: np.ndarray) -> np.ndarray:
    """The coefficients that make the penalised likelihood largest."""

    def loss(b: np.ndarray) -> float:
        total = 0.0
        for x, y, w in zip(features, labels, weights, strict=True):
            z = float(x @ b)
            total += w * (log(1 + exp(-abs(z))) + max(z, 0.0) - y * z)
        return total + float((ridge * b**2).sum()) / 2

    return minimize(loss, np.zeros(features.shape[1]), method="BFGS", options={"gtol": 1e-8}).x


def touching(a: Key, b: Key) -> bool:
    return a[:2] == b[:2] or bool(set(range(a[0], a[1])) & set(range(b[0], b[1]))) or _inside(a, b) or _inside(b, a)


def _inside(insertion: Key, span: Key) -> bool:
    return insertion[0] == insertion[1] and span[0] < insertion[0] < span[1]


def corrected(
    output: Sequence[Sequence[tuple[Key, str]]],
    gold: Sequence[Sequence[Sequence[Key]]],
    chosen: Sequence[int],
    valid: dict[str, float],
) -> tuple[float, float]:
    """Precision and recall of one system; ``valid`` is the chance of each type."""
    right = edits = missed = 0.0
    for proposed, references, choice in zip(output, gold, chosen, strict=True):
        anywhere = {key for reference in references for key in reference}
        for key, kind in proposed:
            edits += 1
            right += 1 if key in anywhere else valid[kind]
        for key in references[choice]:
            if key in {other for other, _ in proposed}:
                continue
            near = [(other, kind) for other, kind in proposed if touching(key, other)]
            if any(other in anywhere for other, _ in near):
                continue
            missed += 1 - valid[near[0][1]] if near else 1
    return (right / edits if edits else 1.0), (right / (right + missed) if right + missed else 1.0)
