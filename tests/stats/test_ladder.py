"""The step of the Ladder, against its formula on means, and where it must not be taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.stats.ladder import Rung, climbs

SIZE, RESAMPLES = 200, 4000
DRAWS = np.random.default_rng(1).integers(SIZE, size=(RESAMPLES, SIZE))
SPREAD = np.array([-1.0, 0.0, 1.0])  # its standard deviation is 1


def mean(sentences: np.ndarray) -> Rung:
    return Rung(float(sentences.mean()), sentences[DRAWS].mean(axis=1))


def rung(score: float, error: float = 0.0) -> Rung:
    return Rung(score, score + error * SPREAD)


@given(st.integers(1, 100), st.integers(0, 100), st.sampled_from([1.0, 2.0, 3.0]))
def test_means_step_as_in_the_paper(better: int, worse: int, steps: float) -> None:
    """std(ℓ − ℓ_shown) / √n, where so many sentences get better and worse by 1."""
    shown, new = np.zeros(SIZE), np.zeros(SIZE)
    new[:better], new[better : better + worse] = 1.0, -1.0
    step = steps * np.std(new - shown) / np.sqrt(SIZE)
    gain = float(new.mean())
    if abs(gain - step) > 0.15 * step:  # nearer to it, the bootstrap may say one or the other
        assert climbs(mean(new), mean(shown), steps=steps, digits=6) == (gain > step)


@pytest.mark.parametrize(("gain", "climbed"), [(0.19, False), (0.21, True), (-0.5, False)])
def test_the_step_is_so_many_standard_errors(gain: float, climbed: bool) -> None:
    shown, new = rung(0.5), rung(0.5 + gain, error=0.1)
    assert climbs(new, shown, steps=2.0, digits=3) == climbed
    assert climbs(rung(-new.score, 0.1), rung(-0.5), steps=2.0, digits=3, higher_is_better=False) == climbed


def test_the_standard_error_is_that_of_the_difference() -> None:
    assert climbs(rung(0.6, error=5.0), rung(0.5, error=5.0), steps=3.0, digits=3)
    assert not climbs(rung(0.6, error=5.0), rung(0.5, error=-5.0), steps=3.0, digits=3)
    two = Rung(0.6, np.array([0.0, 0.1])), Rung(0.53, np.zeros(2))  # of two, σ is 0.0707; in a population, 0.05
    assert not climbs(*two, steps=1.0, digits=3)


def test_a_score_that_looks_the_same_stays() -> None:
    assert not climbs(rung(0.5004), rung(0.5), steps=1.0, digits=3)
    assert climbs(rung(0.5006), rung(0.5), steps=1.0, digits=3)
    assert climbs(rung(0.5004), rung(0.5), steps=1.0, digits=4)


def test_the_first_is_shown_if_it_is_a_number() -> None:
    assert climbs(Rung(-7.0, None), None, steps=1.0, digits=3)
    assert not climbs(Rung(float("nan"), None), None, steps=1.0, digits=3)


@pytest.mark.parametrize(
    ("new", "shown"),
    [
        (Rung(0.9, None), rung(0.1)),
        (rung(0.9), Rung(0.1, None)),
        (rung(0.9), Rung(0.1, np.zeros(4))),
        (Rung(0.9, np.array([np.nan, 0.9, 0.9])), rung(0.1)),
        (Rung(float("nan"), SPREAD), rung(0.1)),
        (rung(0.5), rung(0.5)),
        (rung(1.0, error=1.0), rung(0.0)),  # as far as chance goes, and no farther
    ],
)
def test_what_cannot_be_told_from_chance_does_not_climb(new: Rung, shown: Rung) -> None:
    assert not climbs(new, shown, steps=1.0, digits=3)
