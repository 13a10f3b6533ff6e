"""Margins, looks, and a standard error that is exact for a mean."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Interval
from gecval.errors import InputError
from gecval.stats.noninferiority import jackknife_error, level_at, normal_interval, verdict
from gecval.stats.resampling import SentenceMean

ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)


@given(ENDS, st.floats(0, 1))
def test_the_verdict_is_where_the_margin_lies(ends, margin: float) -> None:
    low, high = ends
    expected = "worse" if -margin > high else "not worse" if -margin <= low else "undecided"
    assert verdict(Interval(low, high), margin) == expected
    assert verdict(Interval(-high, -low), margin, higher_is_better=False) == expected


def test_all_looks_together_spend_what_one_may() -> None:
    spent = sum(Fraction(1, k * (k + 1)) for k in range(1, 1001))
    assert spent == 1 - Fraction(1, 1001)
    assert sum(1 - level_at(k, 0.95) for k in range(1, 1001)) == pytest.approx(0.05 * float(spent))
    with pytest.raises(InputError, match="from 1"):
        level_at(0, 0.95)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=30))
def test_the_error_of_a_mean_is_the_textbooks(values) -> None:
    a, b = SentenceMean(np.zeros(len(values))), SentenceMean(np.array(values, float))
    low, high = normal_interval(a, b, 0.95)
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert (low + high) / 2 == pytest.approx(np.mean(values), abs=1e-9)
    assert (high - low) / 2 == pytest.approx(1.959963985 * error, abs=1e-6)


def test_of_many_sentences_blocks_are_left_out_2000_at_most() -> None:
    values = np.random.default_rng(1).exponential(size=4500)
    a, b = SentenceMean(np.zeros(4500)), SentenceMean(values)
    plain, blocks, others = (
        normal_interval(a, b, 0.9, **how) for how in ({}, {"most_blocks": 2000}, {"most_blocks": 2001})
    )
    assert plain == blocks != others
    assert blocks == pytest.approx(others, abs=1e-3)


def test_errors_of_several_rows_at_once() -> None:
    """√(2/3 · Σ(d − d̄)²): of 1, 2, 3 the sum is 2; of 0, 0, 6 it is 24."""
    assert jackknife_error(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 6.0]])) == pytest.approx([(4 / 3) ** 0.5, 4.0])
