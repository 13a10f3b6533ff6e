"""UnseenEst: the original's objective reached on every published fingerprint, and the laws of the programme."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from gecval import InputError
from gecval.stats.unseen_corrections import Histogram, Programme, fingerprint
from oracles.unseen import objective

FINGERPRINTS = st.lists(st.integers(0, 8), min_size=1, max_size=8).filter(
    lambda seen: sum(times * count for times, count in enumerate(seen, start=1)) > 1
)


@pytest.fixture(scope="module")
def published(golden: Path) -> dict[str, dict]:
    return json.loads((golden / "unseenest" / "unseenest_golden.json").read_text())


def test_no_objective_is_worse_than_the_originals(published: dict[str, dict]) -> None:
    assert len(published) == 143
    for name, original in published.items():
        programme = Programme(original["fingerprint"])
        np.testing.assert_allclose(programme.grid, original["grid"], err_msg=name)
        histogram = programme.histogram()
        ours, theirs = programme.objective(histogram.variants), programme.objective(np.array(original["hist"]))
        assert ours <= theirs, name
        assert histogram.above(0)[1] == pytest.approx(1, abs=1e-9), name
        # The number of variants is not unique, but on these data nearly so; fewest are returned.
        assert histogram.above(0)[0] == pytest.approx(original["n_variants"], rel=0.002), name
        assert histogram.above(0)[0] <= original["n_variants"] * 1.0001, name


def test_coverage_does_not_depend_on_which_optimum_is_returned(published: dict[str, dict]) -> None:
    for original in list(published.values())[::10]:
        programme = Programme(original["fingerprint"])
        for references in (1, 2, 20):

            def covered(x: np.ndarray, m: int = references) -> np.ndarray:
                return x * (1 - (1 - x) ** m)

            ends = programme.bounds(covered, slack=1e-7)
            assert ends.high - ends.low < 1e-4
            assert programme.histogram().expected(covered) == pytest.approx(ends.low, abs=1e-4)


@settings(max_examples=40)
@given(FINGERPRINTS)
def test_laws_of_any_fingerprint(seen: list[int]) -> None:
    programme = Programme(seen)
    histogram = programme.histogram()
    variants, mass = histogram.above(0)
    assert mass == pytest.approx(1, abs=1e-7)
    assert programme.objective(histogram.variants) <= programme.optimum + 1e-7
    low, high = programme.bounds(np.ones_like)
    assert low <= variants * (1 + 1e-6)
    assert high >= variants * (1 - 1e-6)
    again = Programme(seen).histogram()
    assert again.variants.tolist() == histogram.variants.tolist()


@settings(max_examples=30)
@given(FINGERPRINTS, st.integers(0, 2**31))
def test_objective_equals_oracle_and_no_other_histogram_is_better(seen: list[int], seed: int) -> None:
    programme = Programme(seen)
    masses = np.random.default_rng(seed).dirichlet(np.ones(len(programme.grid)))
    other = masses / programme.grid
    k = len(np.trim_zeros(np.array(seen), "b"))
    padded = [*seen[:k], *[0] * int(np.ceil(np.sqrt(k)))]
    pmf = [binom.pmf(i, programme.n, programme.grid) for i in range(1, len(padded) + 1)]
    assert programme.objective(other) == pytest.approx(objective(padded, pmf, other))
    assert programme.optimum <= programme.objective(other) + 1e-9


def test_a_correction_that_all_give_is_the_only_one() -> None:
    histogram = Programme(fingerprint(["same"] * 50)).histogram()
    assert histogram.above(0.9)[1] > 0.9
    assert histogram.frequencies.max() == 1


def test_bounds_take_the_slack_of_the_paper() -> None:
    programme = Programme([6, 2, 1])
    least, published, more = (programme.bounds(np.ones_like, slack=slack) for slack in (0.0, 0.5, 1.0))
    assert programme.bounds(np.ones_like) == published
    assert more.low < published.low < least.low <= least.high < published.high < more.high


def test_fingerprints_of_equal_sentences_add_up() -> None:
    single = Programme([6, 2, 1]).histogram()
    many = Programme([60, 20, 10], samples=13)
    # Tenfold counts weigh their terms otherwise, but explain the same mass.
    assert many.histogram().above(0)[1] == pytest.approx(10)
    assert single.above(0)[1] == pytest.approx(1)


def test_a_known_distribution_is_found_again() -> None:
    rng = np.random.default_rng(1)
    seen = fingerprint(rng.choice(100, size=2000).tolist())
    variants, mass = Programme(seen).histogram().above(0.005)
    assert mass > 0.95
    assert variants == pytest.approx(100, rel=0.1)


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        ([], "an estimate of the unseen needs two samples or more"),
        ([1], "an estimate of the unseen needs two samples or more"),
        ([0, 0], "an estimate of the unseen needs two samples or more"),
        ([3, -1], "a fingerprint counts variants: its numbers are finite and not negative"),
        ([3, float("nan")], "a fingerprint counts variants: its numbers are finite and not negative"),
    ],
)
def test_refuses(seen: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Programme(seen)


def test_a_histogram_refuses_what_is_none() -> None:
    with pytest.raises(InputError, match="a frequency must lie above 0, and be 1 at most"):
        Histogram(np.array([1.5]), np.array([1.0]))
    for variants in (-1.0, float("inf")):
        with pytest.raises(InputError, match="a number of variants must be finite, and not negative"):
            Histogram(np.array([0.5]), np.array([variants]))


@pytest.mark.parametrize(
    ("frequencies", "variants"),
    [([0.5, 0.0], [1.0, 1.0]), ([0.5, 1.5], [1.0, 1.0]), ([0.5, 0.1], [1.0, -1.0]), ([0.5, 0.1], [1.0, np.inf])],
)
def test_one_odd_number_is_enough_to_refuse_a_histogram(frequencies: list[float], variants: list[float]) -> None:
    with pytest.raises(InputError):
        Histogram(np.array(frequencies), np.array(variants))


def test_frequencies_that_some_variant_has() -> None:
    """A frequency of 1 is one, and half a variant is some."""
    sparse = Histogram(np.array([0.25, 0.5, 1.0]), np.array([0.0, 0.5, 3.0])).sparse()
    assert (sparse.frequencies.tolist(), sparse.variants.tolist()) == ([0.5, 1.0], [0.5, 3.0])
    assert sparse.above(0.5) == (3.5, 3.25)
    assert sparse.above(0.51) == (3.0, 3.0)


def test_no_histogram_has_more_than_65_million_variants() -> None:
    rare = Programme([5.0, 1.0], smallest=1e-9)
    assert rare.grid[0] == 1e-9
    assert rare.bounds(np.ones_like).high == pytest.approx(65e6, rel=1e-6)


def test_a_fingerprint_of_two_samples_is_enough() -> None:
    assert Programme([2.0]).n == Programme([0.0, 1.0]).n == 2
