"""What one more reference changes, beside plain ways to compute it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import InputError
from gecval.stats.coverage import expected_gains, gain_curve, left_out_pairs, value_rows
from oracles import next_reference as oracle

U, V = np.array([1.25, 0.0, 0.0]), np.array([1.25, 1.0, 0.25])  # F0.5 of tp, fp and fn


@st.composite
def tables(draw):
    counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    systems = draw(st.integers(1, 2))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    rows = rng.integers(0, 3, size=(systems, len(counts), max(counts), 3)).astype(float)
    there = np.arange(max(counts)) < np.array(counts)[:, None]
    return rows * there[..., None], there, counts


@settings(max_examples=60)
@given(tables())
def test_scores_are_those_of_the_best_choice(table) -> None:
    rows, there, counts = table
    made = value_rows(rows, there, (U, V))
    for s in range(len(rows)):
        listed = [[rows[s, i, r] for r in range(count)] for i, count in enumerate(counts)]
        assert made.scores[s] == pytest.approx(oracle.best_ratio(listed, U, V))
    assert np.isneginf(made.values[:, ~there]).all()
    points = rows @ U - made.scores[:, None, None] * (rows @ V)
    for s in range(len(rows)):
        # All values of a system are its points over one number: v·T of its best choice.
        known = np.abs(points[s][there]) > 1e-9
        totals = points[s][there][known] / made.values[s][there][known]
        assert totals == pytest.approx(np.full(len(totals), totals[:1].sum()))
        assert (totals > 0).all()
    assert made.wrong == pytest.approx(rows @ (V - U))
    for i, count in enumerate(counts):
        chosen = [max(range(count), key=values[i].__getitem__) for values in made.values]
        assert made.best_wrong[i] == pytest.approx(np.mean([w[i, r] for w, r in zip(made.wrong, chosen, strict=True)]))


@settings(max_examples=60)
@given(tables())
def test_pairs_of_references_left_out(table) -> None:
    rows, there, counts = table
    made = value_rows(rows, there, (U, V))
    if max(counts) == 1:
        with pytest.raises(InputError, match="no sentence has two references"):
            left_out_pairs(made, there)
        return
    wrong, gains = left_out_pairs(made, there)
    expected = oracle.pairs(np.nan_to_num(made.values, neginf=-1e9), made.wrong, counts)
    ours, theirs = (sorted(np.round(pairs, 9).tolist()) for pairs in (np.column_stack([wrong, gains]), expected))
    assert np.array(ours) == pytest.approx(np.array(theirs), abs=1e-8)
    assert (gains >= 0).all()
    means, variances = expected_gains(made, there)
    curve = gain_curve(wrong, gains)
    for i, count in enumerate(counts):
        mean, variance = curve.at(made.best_wrong[i : i + 1])
        assert means[i] == pytest.approx(mean[0] * count / (count + 1))
        assert variances[i] == pytest.approx(variance[0] * (count / (count + 1)) ** 2)


def test_the_curve_has_ten_groups() -> None:
    rng = np.random.default_rng(1)
    wrong = rng.random(1000)
    gains = wrong**2 + rng.normal(0, 0.1, 1000)
    curve = gain_curve(wrong, gains)
    assert len(curve.edges) == 9
    low, high = curve.edges[3:5]
    inside = (wrong >= low) & (wrong < high)
    mean, variance = curve.at(np.array([(low + high) / 2]))
    assert mean[0] == pytest.approx(gains[inside].mean())
    assert variance[0] == pytest.approx(gains[inside].var())
    assert curve.at(np.array([-1.0]))[0][0] == pytest.approx(gains[wrong < curve.edges[0]].mean())
    assert curve.at(np.array([9.0]))[0][0] == pytest.approx(gains[wrong >= curve.edges[-1]].mean())


def test_a_group_may_have_one_pair() -> None:
    means, variances = gain_curve(np.array([0.0, 1.0]), np.array([2.0, 6.0])).at(np.array([0.0, 1.0]))
    assert (means.tolist(), variances.tolist()) == ([2.0, 6.0], [0.0, 0.0])


def test_nothing_wrong_and_nothing_right() -> None:
    rows, there = np.zeros((1, 2, 2, 3)), np.ones((2, 2), dtype=bool)
    made = value_rows(rows, there, (U, V))
    assert made.scores.tolist() == [0.0]
    gains, variances = expected_gains(made, there)
    assert gains.tolist() == [0.0, 0.0]
    assert variances.tolist() == [0.0, 0.0]


def test_a_score_may_be_below_nothing() -> None:
    """Where a wrong edit takes from the score, the best rows may score less than 0."""
    rows = np.array([[[[1.0, 3.0, 0.0], [0.0, 4.0, 0.0]], [[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]]]])
    made = value_rows(rows, np.ones((2, 2), dtype=bool), (np.array([1.0, -1.0, 0.0]), np.array([1.0, 1.0, 0.0])))
    assert made.scores.tolist() == [-0.6]  # (1 - 3 - 1) / (1 + 3 + 1)
    assert made.values[0, 0] == pytest.approx([0.08, -0.32])
    assert made.values[0, 1] == pytest.approx([-0.08, -0.16])
