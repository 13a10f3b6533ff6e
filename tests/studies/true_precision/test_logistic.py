"""Logistic regression with a ridge, beside a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval.studies.true_precision.calibration import fit_logistic
from oracles.true_precision import logistic


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 12), width=st.integers(1, 3))
def test_coefficients(seed: int, size: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    distinct = np.hstack([np.ones((4, 1)), rng.normal(size=(4, width - 1))])
    rows = rng.integers(4, size=size)
    labels, weights = rng.random(size).round(1), rng.random(size) + 0.1
    ridge = rng.random(width) + 0.2
    made = fit_logistic(distinct, rows, labels, weights=weights, ridge=ridge, groups=rng.integers(3, size=size))
    assert made.coefficients == pytest.approx(logistic(distinct[rows], labels, weights, ridge), abs=1e-4)


def test_the_covariance_is_a_sandwich_over_groups() -> None:
    rng = np.random.default_rng(3)
    features, labels = rng.normal(size=(40, 2)), (rng.random(40) < 0.6).astype(float)
    weights, ridge, groups = rng.random(40) + 0.5, np.array([0.0, 2.0]), np.repeat(np.arange(10), 4)
    made = fit_logistic(features, np.arange(40), labels, weights=weights, ridge=ridge, groups=groups)
    q = 1 / (1 + np.exp(-features @ made.coefficients))
    hessian = sum(w * p * (1 - p) * np.outer(x, x) for w, p, x in zip(weights, q, features, strict=True))
    scores = [
        sum(weights[i] * (labels[i] - q[i]) * features[i] for i in np.flatnonzero(groups == group))
        for group in range(10)
    ]
    bread = np.linalg.inv(hessian + np.diag(ridge))
    assert made.covariance == pytest.approx(bread @ sum(np.outer(s, s) for s in scores) @ bread, rel=1e-6)


def test_the_intercept_is_the_share_and_its_error_the_binomials() -> None:
    labels = np.array([1.0] * 30 + [0.0] * 10)
    made = fit_logistic(
        np.ones((1, 1)),
        np.zeros(40, dtype=np.int64),
        labels,
        weights=np.ones(40),
        ridge=np.zeros(1),
        groups=np.arange(40),
    )
    assert made.coefficients[0] == pytest.approx(np.log(3))
    assert made.covariance[0, 0] == pytest.approx(1 / (40 * 0.75 * 0.25))


def test_far_away_optima_are_found() -> None:
    labels = np.array([1.0] * 9999 + [0.0])
    made = fit_logistic(
        np.array([[1.0, 50.0]]),
        np.zeros(10_000, dtype=np.int64),
        labels,
        weights=np.ones(10_000),
        ridge=np.array([0.0, 1.0]),
        groups=np.arange(10_000),
    )
    z = made.coefficients @ [1.0, 50.0]
    assert 1 / (1 + np.exp(-z)) == pytest.approx(0.9999, abs=1e-6)
