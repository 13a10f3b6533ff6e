"""The chance to find a difference: formulas against numbers known otherwise, and the simulation against an oracle."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, metric
from gecval.metrics.evaluation import Evaluation
from gecval.stats.power import MOST_SENTENCES, Spread, carriers, chance_at, simulate_spread
from gecval.stats.resampling import SentenceMean

EVEN = Spread(difference=0.1, sizes=(100,), means=(0.1,), errors=(0.05,))


@given(st.floats(-8, 8))
def test_chance_is_that_of_a_two_sided_test_at_5_percent(distance: float) -> None:
    drawn = NormalDist(mu=distance)
    assert chance_at(distance) == pytest.approx(1 - drawn.cdf(1.9599639845) + drawn.cdf(-1.9599639845), abs=1e-9)


def test_the_textbook_number_of_sentences() -> None:
    # n = ((z₀.₉₇₅ + z₀.₈) σ / d)², σ = 0.5; the far tail adds nothing that counts.
    assert EVEN.needed(0.1, 0.8) == 197
    assert EVEN.needed(0.05, 0.8) == 785
    assert EVEN.needed(0.1, 0.9) == 263
    assert EVEN.needed(0.1, 0.06) == 3
    assert EVEN.needed(5.0, 0.8) == 2  # one sentence does not vary
    assert EVEN.needed(0.0, 0.8) is None
    assert EVEN.needed(1e-9, 0.8) is None
    assert EVEN.chance(0.1, MOST_SENTENCES) == pytest.approx(1)


def test_what_can_be_detected_is_found_with_this_chance() -> None:
    assert EVEN.detectable(100, 0.8) == pytest.approx(0.05 * 2.8015852, rel=1e-5)
    for chance in (0.06, 0.3, 0.7, 0.999):
        assert EVEN.chance(EVEN.detectable(400, chance), 400) == pytest.approx(chance)
    assert EVEN.detectable(400, 0.05) == pytest.approx(0, abs=1e-4)


@given(st.floats(0.001, 0.2))
def test_needed_is_the_first_that_is_enough(difference: float) -> None:
    needed = EVEN.needed(difference, 0.8)
    assert needed is not None
    assert EVEN.chance(difference, needed) >= 0.8
    assert needed == 2 or EVEN.chance(difference, needed - 1) < 0.8


def test_error_and_bias_between_and_beyond_the_sizes() -> None:
    spread = Spread(difference=0.1, sizes=(25, 100), means=(0.14, 0.11), errors=(0.2, 0.08))
    assert spread.error(25) == pytest.approx(0.2)
    assert spread.error(100) == pytest.approx(0.08)
    assert spread.error(400) == pytest.approx(0.04)
    assert spread.error(50) == pytest.approx((0.2 * 5 + 0.08 * 10) / 2 / sqrt(50))
    assert spread.bias(25) == pytest.approx(0.04)
    assert spread.bias(1000) == pytest.approx(0.001)
    assert spread.chance(0.1, 25) == pytest.approx(chance_at(0.14 / 0.2))
    assert spread.chance(-0.1, 100) == pytest.approx(chance_at(0.09 / 0.08))


def accuracy(right: list[int]) -> Evaluation:
    corpus = Corpus.from_texts(["a"] * len(right), [["b"]] * len(right))
    return Evaluation.of(metric("accuracy"), corpus, corpus.system("s", ["b" if r else "a" for r in right]))


def test_the_spread_of_a_mean_is_known() -> None:
    old, new = accuracy([0] * 50 + [1] * 50), accuracy([0] * 30 + [1] * 60 + [0] * 10)
    spread = simulate_spread([(old, new)], [25, 400], simulations=4000)
    deviation = sqrt(0.3 - 0.1**2)  # 20 sentences won, 10 lost
    assert spread.sizes == (25, 100)  # more than those at hand are not simulated
    assert spread.difference == pytest.approx(0.1)
    assert spread.means == pytest.approx((0.1, 0.1), abs=0.006)
    assert spread.errors == pytest.approx((deviation / 5, deviation / 10), rel=0.05)


def test_the_simulation_scores_draws_of_each_size() -> None:
    old, new = accuracy([0, 0, 1, 1, 0]), accuracy([1, 0, 0, 1, 1])
    spread = simulate_spread([(old, new)], [3], simulations=7, seed=4)
    moves = np.array([1, 0, -1, 0, 1])
    for size, mean, error in zip(spread.sizes, spread.means, spread.errors, strict=True):
        drawn = moves[np.random.default_rng([4, size]).integers(5, size=(7, size))].mean(axis=1)
        assert (mean, error) == (pytest.approx(drawn.mean()), pytest.approx(drawn.std(ddof=1)))


def test_several_pairs_share_the_simulations() -> None:
    same, better = accuracy([0, 1, 0, 1]), accuracy([1, 1, 1, 1])
    spread = simulate_spread([(same, same), (same, better)], [], simulations=1001)
    assert spread.difference == 0.25
    assert spread.means[0] == pytest.approx(0.25, abs=0.03)


def test_carriers() -> None:
    assert carriers(np.array([2.0, -2.0] * 5)) == pytest.approx(10)
    assert carriers(np.array([9.0] + [0.0] * 99)) == pytest.approx(1.0, abs=0.05)
    assert carriers(np.array([1e-3, -1e-3] * 5)) == pytest.approx(10)
    assert carriers(np.zeros(3)) == 0


def test_what_is_simulated_by_default() -> None:
    pair = [(accuracy([0, 1, 0, 1, 1]), accuracy([1, 1, 0, 1, 0]))]
    plain = simulate_spread(pair, [3])
    assert plain == simulate_spread(pair, [3], simulations=1000, seed=1)
    assert plain != simulate_spread(pair, [3], simulations=1000, seed=2)
    assert plain != simulate_spread(pair, [3], simulations=999)
    assert MOST_SENTENCES == 10**9


def test_more_sentences_than_are_drawn_at_a_time() -> None:
    size = 2_000_001
    spread = simulate_spread([(SentenceMean(np.zeros(size)), SentenceMean(np.ones(size)))], [], simulations=2)
    assert (spread.sizes, spread.means, spread.errors) == ((size,), (1.0,), (0.0,))


def test_outputs_that_score_alike_on_every_sentence_have_no_error() -> None:
    spread = Spread(difference=0.0, sizes=(50, 100), means=(0.0, 0.0), errors=(0.0, 0.0))
    assert (spread.chance(0.0, 100), spread.chance(0.01, 100)) == (0.0, 1.0)
