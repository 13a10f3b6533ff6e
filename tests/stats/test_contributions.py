"""Contributions of sentences: studentised intervals against Hall's formula, and exact error rates of few losses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gecval.stats.contributions import FEW, Contributions
from gecval.stats.resampling import Array


def of_mean(values: Array) -> Contributions:
    size = len(values)
    return Contributions.of(float(values.mean()), (values.sum() - values) / (size - 1), np.ones(size))


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=30))
def test_contributions_to_a_mean_are_the_shares_of_it(values: list[int]) -> None:
    added = of_mean(np.array(values, float))
    assert added.values == pytest.approx(np.array(values) / len(values), abs=1e-12)


def test_documents_of_any_length_share_a_mean_exactly() -> None:
    sums, lengths = np.array([3.0, 0.0, 4.0]), np.array([4, 1, 5])
    without = (sums.sum() - sums) / (10 - lengths)
    assert Contributions.of(0.7, without, lengths).values == pytest.approx(sums / 10)


@pytest.mark.parametrize("seed", range(5))
def test_hall(seed: int) -> None:
    """Hall's transformation g (1992): the ends solve g((mean − end) / s) = ± the t quantile."""
    values, level = np.random.default_rng(seed).gamma(3, size=60), 0.9
    low, high = of_mean(values).interval(level)
    size, skewness, error = len(values), stats.skew(values), stats.sem(values)
    for end, quantile in ((low, stats.t.ppf(0.95, size - 1)), (high, stats.t.ppf(0.05, size - 1))):
        x, y = (values.mean() - end) / error, skewness / np.sqrt(size)
        assert x + y * x**2 / 3 + y**2 * x**3 / 27 + y / 6 == pytest.approx(quantile)


def test_without_skewness_it_is_students_interval() -> None:
    values = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert of_mean(values).interval(0.95) == pytest.approx(stats.t.interval(0.95, 4, 0, stats.sem(values)))


def false_verdicts(size: int, expected: int) -> tuple[float, float]:
    """The exact chance of each false verdict, where the margin is just the expected loss."""
    margin = expected / size
    shipped = alarmed = 0.0
    for losses in range(size + 1):
        chance = float(stats.binom.pmf(losses, size, margin))
        values = np.zeros(size)
        values[:losses] = -1
        low, high = of_mean(values).interval_of_difference(0.95, largest=1.0)
        shipped += chance * (low > -margin)
        alarmed += chance * (high < -margin)
    return shipped, alarmed


@pytest.mark.parametrize(("size", "expected"), [(50, 1), (50, 5), *((200, losses) for losses in (1, 2, 5, 10, 20, 40))])
def test_few_losses_ship_no_worse_system(size: int, expected: int) -> None:
    """Where no loss is seen, BCa's interval is [0, 0]: with two expected, 13% shipped. Promised are 2.5%."""
    assert max(false_verdicts(size, expected)) <= 0.03


def test_few_carry_a_difference_or_many() -> None:
    values = np.zeros(100)
    values[: FEW - 1] = 1
    few = of_mean(values)
    assert few.carriers == pytest.approx(FEW - 1)
    assert few.interval_of_difference(0.95, largest=1.0) != few.interval(0.95)
    values[: FEW + 1] = 1
    many = of_mean(values)
    assert many.interval_of_difference(0.95, largest=1.0) == many.interval(0.95)
