"""Holm's correction by its definition, Benjamini and Hochberg's as scipy has it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from gecval import Corpus, InputError, compare, metric
from gecval.stats.paired_tests import correct_p_values

P_VALUES = st.lists(st.floats(0, 1), max_size=12)


def holm(p_values: list[float]) -> list[float]:
    """The definition, one p-value at a time."""
    m = len(p_values)
    ordered = sorted(p_values)
    return [max(min(1.0, (m - j) * ordered[j]) for j in range(m) if ordered[j] <= p) for p in p_values]


@given(P_VALUES)
def test_holm(p_values: list[float]) -> None:
    assert correct_p_values(p_values, "holm") == holm(p_values)


@given(P_VALUES)
def test_benjamini_hochberg(p_values: list[float]) -> None:
    theirs = false_discovery_control(p_values, method="bh") if p_values else []
    assert correct_p_values(p_values, "bh") == pytest.approx(list(theirs), rel=1e-12, abs=1e-300)


def test_by_hand() -> None:
    # Smallest first: 4 · 0.005, 3 · 0.01, 2 · 0.03, 1 · 0.04 which is less than the one before.
    assert correct_p_values([0.01, 0.04, 0.03, 0.005], "holm") == [0.03, 0.06, 0.06, 0.02]
    assert correct_p_values([0.7, 0.6], "holm") == [1.0, 1.0]
    assert correct_p_values([0.2], "holm") == [0.2]
    assert correct_p_values([], "holm") == []
    # 4/1 · 0.005, 4/2 · 0.01, 4/3 · 0.03 = 4/4 · 0.04.
    assert correct_p_values([0.01, 0.04, 0.03, 0.005], "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert correct_p_values([0.7, 0.6], "bh") == [0.7, 0.7]
    assert correct_p_values([], "bh") == []


@given(P_VALUES)
def test_no_correction(p_values: list[float]) -> None:
    assert correct_p_values(p_values, "none") == p_values
    assert all(after >= before for before, after in zip(p_values, correct_p_values(p_values, "bh"), strict=True))
    # Holm never says less.
    both = zip(correct_p_values(p_values, "bh"), correct_p_values(p_values, "holm"), strict=True)
    assert all(mild <= strict or mild == pytest.approx(strict) for mild, strict in both)


def test_an_unknown_correction() -> None:
    with pytest.raises(InputError, match="the correction must be one of none, holm, bh, not 'bonferroni'"):
        correct_p_values([0.5], "bonferroni")  # type: ignore[arg-type]


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_an_undefined_p_counts_as_1_and_spoils_no_other(correction) -> None:
    assert correct_p_values([0.01, 0.02, float("nan")], correction)[1:] == [{"holm": 0.04, "bh": 0.03}[correction], 1.0]


def test_an_undefined_p_spoils_no_other() -> None:
    assert correct_p_values([math.nan, 0.01], "holm") == [1.0, 0.02]
    assert correct_p_values([0.03, math.nan, 0.01], "bh") == pytest.approx([0.045, 1.0, 0.03])


def test_ties_of_large_scores_are_ties() -> None:
    """Six of many sentences are one better: p does not depend on how large all scores are."""
    better = np.zeros(400)
    better[:6] = 1
    corpus = Corpus.from_texts(["a"] * 400)
    p_values = []
    for base in (0, 300, 10_000):
        outputs = {"a": [f"{base}"] * 400, "b": [f"{base + gain:.0f}" for gain in better]}
        number = metric(lambda source, output, references: float(output), name="number")
        [row] = compare(corpus, corpus.system("a", outputs["a"]), {"b": outputs["b"]}, [number])
        p_values.append(row.p)
    assert p_values[1:] == p_values[:1] * 2
