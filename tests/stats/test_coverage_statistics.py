"""Coverage against enumeration, and told from a handful of references of many sentences."""

from __future__ import annotations

from itertools import permutations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from gecval import InputError
from gecval.stats.coverage import (
    ReferenceAgreement,
    agreed_coverage,
    coverage,
    coverage_without_replacement,
    first_enough,
    observed_coverage,
    poisson_binomial,
)
from gecval.stats.unseen_corrections import Histogram
from oracles import unseen as oracle

WEIGHTS = st.lists(st.integers(1, 9), min_size=1, max_size=5)


def weighted(weights: list[int]) -> tuple[Histogram, list[float]]:
    probabilities = [weight / sum(weights) for weight in weights]
    return Histogram(np.array(probabilities), np.ones(len(weights))), probabilities


@settings(max_examples=40)
@given(WEIGHTS, st.integers(1, 4))
def test_with_replacement_equals_enumeration(weights: list[int], references: int) -> None:
    histogram, probabilities = weighted(weights)
    assert coverage(histogram, references) == pytest.approx(oracle.coverage(probabilities, references))


@settings(max_examples=40)
@given(WEIGHTS)
def test_without_replacement_equals_enumeration(weights: list[int]) -> None:
    histogram, probabilities = weighted(weights)
    expected = [oracle.coverage_without_replacement(probabilities, m) for m in range(1, len(weights) + 1)]
    assert coverage_without_replacement(histogram, len(weights)) == pytest.approx(expected, abs=1e-9)


def test_different_references_cover_no_less_and_in_the_end_everything() -> None:
    histogram = Histogram(np.array([0.3, 0.1, 0.002]), np.array([1.0, 3.0, 200.0]))
    without, replaced = coverage_without_replacement(histogram, 30), coverage(histogram, np.arange(1, 31))
    assert without[0] == pytest.approx(replaced[0])
    assert (without >= replaced - 1e-12).all()
    assert (np.diff(without) > 0).all()
    few = Histogram(np.array([0.5, 0.25]), np.array([1.0, 2.0]))
    assert coverage_without_replacement(few, 5).tolist() == pytest.approx([0.375, 0.708333, 1, 1, 1], abs=1e-5)


def test_parts_of_variants_become_whole_ones() -> None:
    halves = Histogram(np.array([0.3, 0.5, 0.2]), np.array([0.5, 0.5, 3.0]))
    whole = Histogram(np.array([0.4, 0.2]), np.array([1.0, 3.0]))
    np.testing.assert_allclose(coverage_without_replacement(halves, 3), coverage_without_replacement(whole, 3))


def test_the_last_part_of_a_variant_counts() -> None:
    histogram = Histogram(np.array([0.4]), np.array([2.5]))  # two variants of 0.4 and one of 0.2
    assert coverage_without_replacement(histogram, 3).tolist() == pytest.approx([0.36, 0.706667, 1], abs=1e-6)


def test_many_variants_are_looked_at_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    histogram = Histogram(np.array([0.3, 0.1, 0.002]), np.array([1.0, 3.0, 200.5]))
    at_once = coverage_without_replacement(histogram, 4)
    monkeypatch.setattr("gecval.stats.coverage.CHUNK", 7)
    assert coverage_without_replacement(histogram, 4).tolist() == at_once.tolist()


def test_a_few_of_millions_of_equal_variants_cover_nothing() -> None:
    histogram = Histogram(np.array([2.5e-7]), np.array([4e6]))
    assert coverage_without_replacement(histogram, 3).tolist() == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("variants", "named"), [(1e12, "1e\\+12"), (1e300, "1e\\+300"), (0.0, "0"), (1e-12, "1e-12")], ids=str
)
def test_refuses_histograms_of_no_variants_or_too_many(variants: float, named: str) -> None:
    with pytest.raises(InputError, match=f"a histogram of {named} variants; there must be from 1 to 65,000,000"):
        coverage_without_replacement(Histogram(np.array([0.5]), np.array([variants])), 2)


@settings(max_examples=40)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=3), st.integers(1, 3))
def test_observed_coverage_is_the_mean_over_all_choices_of_people(counts: list[int], references: int) -> None:
    answers = [number for number, times in enumerate(counts) for _ in range(times)]
    if references >= len(answers):
        with pytest.raises(InputError, match="corrections cannot show what"):
            observed_coverage(counts, references)
        return
    expected = np.mean([answer in others for answer, *others in permutations(answers, references + 1)])
    assert observed_coverage(counts, references) == pytest.approx(expected)


@given(st.integers(1, 10_000))
def test_first_enough(least: int) -> None:
    assert first_enough(lambda number: number >= least) == least


@pytest.mark.parametrize("references", [2, 5, 10])
def test_agreement_tells_the_coverage_of_a_known_distribution(references: int) -> None:
    probabilities = np.array([0.3, *[0.05] * 6, *[0.002] * 200])
    rng = np.random.default_rng(references)
    drawn = rng.choice(len(probabilities), size=(4000, references), p=probabilities)
    rows = np.zeros((len(drawn), references))
    for row, given_ in zip(rows, drawn, strict=True):
        for times in np.unique(given_, return_counts=True)[1]:
            row[times - 1] += 1
    agreement = ReferenceAgreement(rows)
    truth = Histogram(probabilities, np.ones(len(probabilities)))
    covered, less = float(coverage(truth, references)), float(coverage(truth, references - 1))
    totals = agreement.rows.sum(axis=0)
    assert agreed_coverage(totals, 0.0) == pytest.approx(less, abs=0.02)
    share = agreement.remaining_share(agreement.histogram())
    assert agreed_coverage(totals, share) == pytest.approx(covered, abs=0.02)
    low, high = agreement.bounds(references)
    assert low - 0.02 <= covered <= high + 0.02
    least, most = agreement.more_to_halve(covered)
    needed = first_enough(lambda number: coverage(truth, number) >= (1 + covered) / 2) - references
    assert least <= needed * 1.1
    assert most >= needed * 0.9


def test_where_nobody_agrees_nothing_is_covered() -> None:
    alone = ReferenceAgreement(np.tile([2.0, 0.0], (10, 1)))
    assert agreed_coverage(alone.rows.sum(axis=0), 0.0) == 0
    assert agreed_coverage(np.zeros(3), 0.0) == 1


def test_agreement_of_three_references_by_hand() -> None:
    """All three differ, two agree, all agree: 0 + 2 + 3 of 9 references equal another one, and one pair does alone."""
    agreement = ReferenceAgreement(np.array([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert agreement.references == 3
    assert agreement.rows.tolist() == [[3, 0, 0], [3, 2, 1], [3, 3, 0]]
    assert agreed_coverage(agreement.rows.sum(axis=0), 0.5) == pytest.approx(5.5 / 9)
    # ¼·½² + 2·(1/16)·(3/4)² over ¼·½ + 2·(1/16)·(3/4); where one correction is the only one, nothing is left.
    histogram = Histogram(np.array([0.5, 0.25]), np.array([1.0, 2.0]))
    assert agreement.remaining_share(histogram) == pytest.approx(0.1328125 / 0.21875)
    assert agreement.remaining_share(Histogram(np.array([1.0]), np.array([1.0]))) == 0.0
    assert agreement.programme.grid[0] == 1 / 5000
    assert agreement.histogram().above(0)[1] == pytest.approx(1)
    low, high = agreement.bounds(10_000_000)
    assert low == pytest.approx(1, abs=1e-6)
    assert high <= 1
    assert agreement.more_to_halve(-1.0) == (0, 0)  # nothing is to be covered


def test_references_that_always_agree_do_not_show_what_they_miss() -> None:
    assert ReferenceAgreement(np.tile([0.0, 0.0, 1.0], (4, 1))).more_to_halve(0.9) is None
    assert ReferenceAgreement(np.array([[0.0, 2.0, 0.0, 0.0]] * 4)).more_to_halve(0.9) is not None  # two pairs
    assert ReferenceAgreement(np.array([[0.0, 2.0, 0.0, 0.0]] * 4)).bounds(1).high < 1


@given(st.lists(st.floats(0, 1), max_size=8))
def test_how_many_independent_events_happen(chances: list[float]) -> None:
    """Against the sum over all combinations of events."""
    expected = np.zeros(len(chances) + 1)
    for happened in product((False, True), repeat=len(chances)):
        expected[sum(happened)] += prod(p if yes else 1 - p for p, yes in zip(chances, happened, strict=True))
    assert poisson_binomial(chances) == pytest.approx(expected, abs=1e-12)


def test_many_events_are_counted_exactly() -> None:
    """1,312 equal chances: the binomial distribution, far into its tails."""
    assert poisson_binomial([0.25] * 1312) == pytest.approx(binom.pmf(np.arange(1313), 1312, 0.25), rel=1e-10)
