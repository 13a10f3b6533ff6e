"""Figures of sums, beside the mean of one number a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from gecval.stats.resampling import Resampling, SentenceMean, SentenceSums, bootstrap_interval

VALUES = np.random.default_rng(4).exponential(size=30)


def share(totals: np.ndarray) -> np.ndarray:
    return totals[..., 0] / totals[..., 1]


@pytest.mark.parametrize(
    "resampling",
    [
        Resampling(300),
        Resampling(300, method="percentile", level=0.8, seed=5),
        Resampling(300, jackknife_blocks=7),
        Resampling(300, documents=(0, 4, 5, 11, 20, 26)),
    ],
)
def test_a_mean_has_the_interval_of_its_sentences(resampling: Resampling) -> None:
    """Also where whole documents are drawn, of which lists have more or fewer sentences."""
    rows = np.stack([VALUES, np.ones(30)], axis=1)
    value, interval = SentenceSums(rows, resampling).figure(share)
    assert value == pytest.approx(VALUES.mean())
    assert interval == pytest.approx(bootstrap_interval(SentenceMean(VALUES), resampling))


def test_another_level_than_that_of_the_resampling() -> None:
    rows = np.stack([VALUES, np.ones(30)], axis=1)
    sums = SentenceSums(rows, Resampling(300))
    assert sums.figure(share, level=0.5)[1] == pytest.approx(
        bootstrap_interval(SentenceMean(VALUES), Resampling(300, level=0.5))
    )
    assert sums.figure(share, level=0.5)[1] != sums.figure(share)[1]


def test_a_sentence_without_which_there_is_no_figure_shifts_nothing() -> None:
    """Both resamples have the first sentence, so they have a figure: 1/2 + 0 or 1. The jackknife leaves it out."""
    rows = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    few = next(made for made in (Resampling(2, seed=seed) for seed in range(99)) if _first_in_all(made))
    value, interval = SentenceSums(rows, few).figure(lambda totals: share(totals) + totals[..., 2])
    assert value == 1.5
    assert interval == (0.5, 1.5)


def _first_in_all(resampling: Resampling) -> bool:
    [draws] = resampling.draws(2)
    return sorted(draws.sum(axis=1).tolist()) == [0, 1]
