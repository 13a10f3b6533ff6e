"""Margins and looks: what an interval says, and what all looks together spend."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Resampling
from gecval.errors import InputError
from gecval.stats import Interval
from gecval.stats.noninferiority import interval_of_difference, level_at, verdict
from gecval.stats.resampling import TOLERANCE, SentenceMean

ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)


@given(ENDS, st.floats(0, 1))
def test_the_verdict_is_where_the_margin_lies(ends, margin: float) -> None:
    low, high = ends
    expected = "undecided"
    if low > -margin + TOLERANCE:
        expected = "equivalent" if high < margin - TOLERANCE else "not worse"
    if high < -margin - TOLERANCE:
        expected = "worse"
    assert verdict(Interval(low, high), margin) == expected
    assert verdict(Interval(-high, -low), margin, higher_is_better=False) == expected


@pytest.mark.parametrize("planned", [0, 1, 100])
def test_all_looks_together_spend_what_one_may(planned: int) -> None:
    spent = Fraction(planned, planned + 1)
    spent += Fraction(1, planned + 1) * sum(Fraction(1, k * (k + 1)) for k in range(1, 1001))
    assert spent == 1 - Fraction(1, 1001) / (planned + 1)
    looks = range(1, planned + 1001)
    assert sum(1 - level_at(k, 0.95, planned=planned) for k in looks) == pytest.approx(0.05 * float(spent))
    with pytest.raises(InputError, match="from 1"):
        level_at(0, 0.95)


def test_of_many_sentences_blocks_are_left_out_2000_at_most() -> None:
    values = np.random.default_rng(1).exponential(size=4500)
    a, b = SentenceMean(np.zeros(4500)), SentenceMean(values)
    plain, blocks, others = (
        interval_of_difference(a, b, 0.9, Resampling(**how))
        for how in ({}, {"jackknife_blocks": 2000}, {"jackknife_blocks": 2001})
    )
    assert plain == blocks != others
    assert blocks == pytest.approx(others, abs=2e-3)
