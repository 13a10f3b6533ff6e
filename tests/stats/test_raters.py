"""κ against textbook examples and against counting by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.formats.judgments import read_judgments
from gecval.stats import Resampling
from gecval.stats.kappa import cohen_kappa, fleiss_kappa, fleiss_rows, judge_kappa
from gecval.stats.resampling import SentenceSums
from oracles import agreement as oracle

OPINIONS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12)


def near(ours: float, exact) -> bool:
    return bool(np.isnan(ours)) if exact is None else ours == pytest.approx(float(exact), abs=1e-12)


@given(OPINIONS)
def test_cohen(pairs) -> None:
    counts = [pairs.count(cell) for cell in [(True, True), (True, False), (False, True), (False, False)]]
    assert near(float(cohen_kappa(np.array(counts, float))), oracle.cohen(*zip(*pairs, strict=True)))


@given(st.lists(st.lists(st.booleans(), max_size=5), min_size=1, max_size=10))
def test_fleiss_with_raters_who_lack_units(units) -> None:
    rows = sum(fleiss_rows(np.array([sum(opinions)]), len(opinions)) for opinions in units)
    assert near(float(fleiss_kappa(rows)), oracle.fleiss(units))


def test_kappa_is_undefined_though_rounding_says_that_few_disagree() -> None:
    """Without the first sentence nobody marks anything; its agreement does not go without a rest."""
    rows = np.array([fleiss_rows(np.array(marked), 3) for marked in ([1, 0, 2], [0] * 5, [0] * 7)])
    agreeing, marking, units = rows.sum(axis=0) - rows[0]
    assert (agreeing, marking, units) == (pytest.approx(12, abs=1e-9), 0, 12)
    for rest in (agreeing, np.nextafter(12, 0), np.nextafter(12, 13)):
        assert np.isnan(fleiss_kappa(np.array([rest, marking, units])))


def test_an_interval_leaves_out_resamples_without_a_figure() -> None:
    rows = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 1.0]])  # 0 / 0 where only the second sentence is drawn
    value, interval = SentenceSums(rows, Resampling(200)).figure(lambda totals: totals[..., 0] / totals[..., 1])
    assert value == pytest.approx(2 / 3)
    assert interval == (0.5, 1.0)
    undefined = SentenceSums(rows[1:2].repeat(3, axis=0), Resampling(20)).figure(lambda t: t[..., 0] / t[..., 1])
    assert np.isnan(undefined[0])
    assert undefined[1] is None


def test_two_sentences_have_an_interval_and_one_has_none() -> None:
    rows = np.array([[1.0, 2.0], [1.0, 1.0]])
    for size, expected in ((2, (0.5, 1.0)), (1, None)):
        sums = SentenceSums(rows[:size], Resampling(200))
        assert sums.figure(lambda totals: totals[..., 0] / totals[..., 1])[1] == expected


def test_tables_of_several_pairs_at_once() -> None:
    counts = np.array([[20.0, 5.0, 10.0, 15.0], [1.0, 0.0, 0.0, 1.0], [3.0, 0.0, 0.0, 0.0]])
    assert cohen_kappa(counts) == pytest.approx([0.4, 1.0, np.nan], nan_ok=True)
    # Two thirds of pairs agree, half of all marks: (2/3 − 1/2) / (1/2). All marks, then no units at all.
    totals = np.array([[2.0, 1.5, 3.0], [3.0, 3.0, 3.0], [0.0, 0.0, 0.0], [1.0, 0.5, 2.0]])
    assert fleiss_kappa(totals) == pytest.approx([1 / 3, np.nan, np.nan, (0.5 - 0.625) / 0.375], nan_ok=True)


# Agreement of judges: the published figure, a small case by hand, and where there is none.


def test_kappa_of_gjg15_is_near_the_published(data: Path) -> None:
    """Published: 0.29 between judges, 0.46 within."""
    gjg15 = read_judgments(data / "gjg15" / "judgments.xml")
    for same, published in ((False, 0.29), (True, 0.46)):
        kappa = judge_kappa(gjg15.output_preferences, gjg15.sentences, gjg15.judges, same_judge=same)
        assert kappa.kappa == pytest.approx(published, abs=0.02)


def test_kappa_is_undefined_where_all_is_tied_or_nothing_compared() -> None:
    sentences, judges = np.array([1, 1]), np.array(["a", "b"])
    tied = judge_kappa(np.ones((2, 2)), sentences, judges, same_judge=False)
    assert (tied.agree, tied.comparisons) == (1.0, 1)
    assert np.isnan(tied.kappa)
    alone = judge_kappa(np.array([[1.0, np.nan]] * 2), sentences, judges, same_judge=False)
    assert np.isnan([alone.kappa, alone.agree]).all()
    # They agree on a > b alone, and one pair in six is tied: P(A) = 1/3, P(E) = 1/36 + 25/72 = 3/8.
    both = judge_kappa(np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 3.0]]), sentences, judges, same_judge=False)
    assert both.comparisons == 3
    assert both.kappa == pytest.approx((1 / 3 - 3 / 8) / (5 / 8))
