"""Logistic regression with a ridge, for labels that are shares.

    maximise  Σᵢ wᵢ (yᵢ log qᵢ + (1 − yᵢ) log(1 − qᵢ)) − ½ Σⱼ λⱼ bⱼ²,     q = 1 / (1 + e^{−Xb})

Newton's method finds b. Labels of one group, such as all edits of a sentence, depend on each other. So the covariance
of b is the sandwich H⁻¹ (Σ_g s_g s_gᵀ) H⁻¹: s_g is the gradient of a group, H the Hessian with the ridge. Many labels
may share a row of X; each distinct row is worked on once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from gecval.stats.resampling import Array

Integers = NDArray[np.int64]

STEPS = 100
CLOSE = 1e-10  # of a Newton step
LONGEST = 5.0  # step: far from the optimum a whole one may overshoot


@dataclass(frozen=True, eq=False)
class Logistic:
    """Coefficients and their covariance."""

    coefficients: Array
    covariance: Array


def fit_logistic(
    features: Array, rows: Integers, labels: Array, *, weights: Array, ridge: Array, groups: Integers
) -> Logistic:
    """Fit. ``features[rows[i]]`` are those of label *i*. ``ridge`` is λ; 0 holds a coefficient back by nothing.

    >>> labels, ones = np.array([1.0, 1, 1, 0]), np.ones(4)
    >>> made = fit_logistic(
    ...     ones[:1, None], np.zeros(4, int), labels, weights=ones, ridge=np.zeros(1), groups=np.arange(4)
    ... )
    >>> round(float(expit(made.coefficients[0])), 6)
    0.75
    """
    total: Array = np.bincount(rows, weights=weights, minlength=len(features)).astype(np.float64)
    valid: Array = np.bincount(rows, weights=weights * labels, minlength=len(features)).astype(np.float64)
    b = np.zeros(features.shape[1])
    for _ in range(STEPS):
        q = expit(features @ b)
        step = np.linalg.solve(_hessian(features, q, total, ridge), features.T @ (valid - total * q) - ridge * b)
        b = b + step * (LONGEST / max(float(np.abs(step).max()), LONGEST))
        if np.abs(step).max() < CLOSE:
            break
    q = expit(features @ b)
    bread = np.linalg.inv(_hessian(features, q, total, ridge))
    distinct, which = np.unique(groups, return_inverse=True)
    residuals = np.zeros((len(distinct), len(features)))
    np.add.at(residuals, (which, rows), weights * (labels - q[rows]))
    scores = residuals @ features
    return Logistic(b, bread @ (scores.T @ scores) @ bread)


def _hessian(features: Array, q: Array, total: Array, ridge: Array) -> Array:
    # The small number keeps a feature that no label has, and no ridge holds, from having no solution.
    hessian: Array = features.T @ (features * (total * q * (1 - q))[:, None]) + np.diag(ridge + 1e-12)
    return hessian
