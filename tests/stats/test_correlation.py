"""Coefficients against scipy; tests against their definitions and known values."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from gecval import InputError
from gecval.stats.correlation import COEFFICIENTS, coefficients, correlate, fisher_test, permutation_test, williams_test

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
SCORES = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=12)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(SCORES)
def test_coefficients_are_scipys_ties_included(coefficient: str, drawn: list[tuple[int, int]]) -> None:
    x, y = np.array(drawn, dtype=float).T
    correlation = correlate(x, y, coefficient)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan([correlation.value, correlation.p, *correlation.interval]).all()
        return
    expected = SCIPY[coefficient](x, y)
    assert correlation.value == pytest.approx(expected.statistic, abs=1e-12)
    if len(drawn) >= 10:
        assert correlation.p == pytest.approx(expected.pvalue, nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=6))
def test_below_ten_systems_p_is_the_share_of_all_orders(coefficient: str, drawn: list[tuple[int, int]]) -> None:
    x, y = np.array(drawn, dtype=float).T
    if len(set(x)) == 1 or len(set(y)) == 1:
        return
    observed = abs(SCIPY[coefficient](x, y).statistic) - 1e-9
    orders = [abs(SCIPY[coefficient](x, order).statistic) >= observed for order in permutations(y)]
    assert correlate(x, y, coefficient).p == pytest.approx(np.mean(orders))


def test_a_perfect_order_of_few_systems_proves_little() -> None:
    """Before, four systems in one order had p < 0.001 and the interval [1, 1]."""
    for systems, p in ((4, 2 / 24), (5, 2 / 120), (9, 2 / 362880)):
        x = np.arange(float(systems))
        assert correlate(x, x, "spearman").p == pytest.approx(p)
        assert correlate(x, -x, "kendall").p == pytest.approx(p)
    assert np.isnan(correlate(np.arange(4.0), np.arange(4.0), "spearman").interval).all()
    x = np.arange(5.0)
    low, high = correlate(x, x, "spearman").interval
    assert high == 1.0
    assert low == pytest.approx(np.tanh(np.arctanh(0.95) - 1.959964 * np.sqrt((1 + 0.95**2 / 2) / 2)))
    assert correlate(x, -x, "spearman").interval == pytest.approx((-1.0, -low))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(st.floats(-1e9, 1e9), st.lists(st.integers(-9, 9), min_size=4, max_size=13, unique=True))
@example(0.3, list(range(13)))
def test_no_constant_correlates_with_anything(coefficient: str, constant: float, drawn: list[int]) -> None:
    """0.3 thirteen times less its mean is not 0, but rounding."""
    people = np.array(drawn, dtype=float)
    same = np.full(len(people), constant)
    # The same score summed in another order.
    nearly = same * (1 + 2e-16 * (np.arange(len(people)) % 3))
    for scores in (same, nearly):
        for correlation in (correlate(people, scores, coefficient), correlate(scores, people, coefficient)):
            assert np.isnan([correlation.value, correlation.p, *correlation.interval]).all()
        assert np.isnan(williams_test(people, people, scores))
        assert np.isnan(permutation_test(people, scores, people[::-1], coefficient, resamples=20))


@given(SCORES, st.sampled_from([1e-9, 1e-3, 1e9]))
def test_small_and_large_scores_correlate_as_others_do(drawn: list[tuple[int, int]], scale: float) -> None:
    x, y = np.array(drawn, dtype=float).T
    np.testing.assert_allclose(coefficients(scale * x, y), coefficients(x, y), atol=1e-12)


def test_coefficients_go_over_many_rows_at_once() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=9), rng.normal(size=(2, 5, 9))
    for coefficient in COEFFICIENTS:
        values = coefficients(x, y, coefficient)
        assert values.shape == (2, 5)
        assert values[1, 3] == pytest.approx(SCIPY[coefficient](x, y[1, 3]).statistic)


def test_intervals_are_fishers() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 20))
    expected = stats.pearsonr(x, y).confidence_interval(0.9)
    assert correlate(x, y, level=0.9).interval == pytest.approx(expected)
    low, high = correlate(x, y, "spearman").interval
    value = correlate(x, y, "spearman").value
    assert np.arctanh([low, high]) == pytest.approx(
        np.arctanh(value) + np.array([-1, 1]) * 1.959964 * np.sqrt((1 + value**2 / 2) / 17)
    )
    low, high = correlate(x, y, "kendall").interval
    tau = correlate(x, y, "kendall").value
    assert np.arctanh([low, high]) == pytest.approx(
        np.arctanh(tau) + np.array([-1, 1]) * 1.959964 * np.sqrt(0.437 / 16)
    )
    assert correlate(x, x, "kendall").interval == pytest.approx(
        (np.tanh(np.arctanh(1 - 1 / 190) - 1.959964 * np.sqrt(0.437 / 16)), 1.0)
    )
    assert correlate(x, -x).interval == (-1.0, -1.0)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_few_systems_have_no_interval_and_two_have_no_p(coefficient: str) -> None:
    x, y = np.arange(5.0), np.array([1.0, 0.0, 3.0, 2.0, 4.0])
    assert np.isfinite(correlate(x, y, coefficient).interval).all()
    assert np.isnan(correlate(x[:4], y[:4], coefficient).interval).all()
    assert np.isfinite(correlate(x[:3], y[:3], coefficient).p)
    assert np.isnan(correlate(x[:2], y[:2], coefficient).p)


def test_maege_papers_p_values_are_those_of_14_systems() -> None:
    """ρ = 0.771 with p = 0.001 and ρ = 0.692 with p = 0.006 (Table 1)."""
    for rho, p in ((0.771, 0.001), (0.692, 0.006), (-0.481, 0.081)):
        t = rho * np.sqrt(12 / (1 - rho**2))
        assert 2 * stats.t.sf(abs(t), 12) == pytest.approx(p, abs=1e-3)


def test_williams_test_by_hand() -> None:
    rng = np.random.default_rng(2)
    human = rng.normal(size=12)
    a, b = human + rng.normal(size=12), human + 2 * rng.normal(size=12)
    r = np.corrcoef([human, a, b])
    k = np.linalg.det(r)  # what K is
    t = (r[0, 1] - r[0, 2]) * np.sqrt(
        11 * (1 + r[1, 2]) / (2 * k * 11 / 9 + (r[0, 1] + r[0, 2]) ** 2 / 4 * (1 - r[1, 2]) ** 3)
    )
    assert williams_test(human, a, b) == pytest.approx(2 * stats.t.sf(abs(t), 9))
    assert williams_test(human, b, a) == pytest.approx(williams_test(human, a, b))
    assert williams_test(human, a, a) == 1.0
    assert np.isnan(williams_test(human, a, np.zeros(12)))
    assert 0 < williams_test(human[:4], a[:4], b[:4]) < 1
    with pytest.raises(InputError, match="four systems or more, not 3"):
        williams_test(human[:3], a[:3], b[:3])
    ends = np.array([1.0, 1.0, -1.0, -1.0])
    assert williams_test(ends, ends, -ends) == 0.0  # as right as can be, and as wrong


def test_permutation_test_is_exact_where_swaps_are_few_and_close_where_they_are_drawn() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(size=12)
    good, bad = human + 0.1 * rng.normal(size=12), rng.normal(size=12)
    exact = permutation_test(human, good, bad)
    assert exact == permutation_test(human, good, bad, seed=9)
    assert exact * 2**12 == round(exact * 2**12)
    assert permutation_test(human, good, bad, resamples=1000) == pytest.approx(exact, abs=0.03)
    assert exact < 0.05
    assert permutation_test(human, good, 5 * good + 1) == 1.0
    assert permutation_test(human, good, bad, "spearman") < 0.1
    # All 2¹³ swaps are fewer than 10 000, and 2¹⁴ are not.
    for n, all_of_them in ((13, True), (14, False)):
        people, first, second = rng.normal(size=(3, n))
        p = permutation_test(people, first, second)
        assert (p == permutation_test(people, first, second, resamples=2**n)) == all_of_them
        assert p == permutation_test(people, first, second, resamples=10_000, seed=1)
        assert (p == permutation_test(people, first, second, seed=2)) == all_of_them
    assert np.isnan(permutation_test(human, good, np.zeros(12)))


def test_fishers_test_of_two_correlations() -> None:
    assert fisher_test(0.5, 0.5, 13) == 1.0
    # atanh(0.6) − atanh(0.2) = ln 4 / 2 − ln 1.5 / 2 = 0.49041, and √(2 / 10) = 0.44721.
    assert fisher_test(0.6, 0.2, 13) == pytest.approx(2 * stats.norm.sf(0.490415 / 0.447214), abs=1e-5)
    assert fisher_test(-0.055, 0.769, 13) == pytest.approx(0.0171, abs=1e-3)  # Table 4 of the 2016 paper: p < 0.05
