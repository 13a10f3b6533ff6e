"""Totals of resamples by products and tables, against sums over lists one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Metric, System, metric
from gecval.corpus.references import offsets_of
from gecval.errors import InputError
from gecval.metrics import Statistics
from gecval.metrics.base import Array
from gecval.metrics.reference_rules import any_draws, count_draws
from gecval.metrics.reference_rules.random_reference import DrawnSums, Sampled
from gecval.runtime.run import SERIAL, Run

SIZES = st.lists(st.integers(1, 3), min_size=1, max_size=6)


@dataclass(frozen=True, repr=False)
class FirstOfSecond(Metric):
    """Columns as they are: the score shows every rounding of the totals."""

    name: ClassVar[str] = "first-of-second"
    summary: ClassVar[str] = "a test's metric"
    paper: ClassVar[str] = "none"
    rule: ClassVar[Sampled] = Sampled(5)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        raise NotImplementedError

    def score(self, totals: Array) -> Array:
        scores: Array = totals[..., 0] - 1e-3 * totals[..., 1]
        return scores


def statistics(counts: list[int], seed: int, *, scale: float, copies: int = 1) -> Statistics:
    offsets = offsets_of(counts * copies)
    rows = np.random.default_rng(seed).integers(0, 9, (offsets[-1], 3)) * scale
    rows[:, 2] = 1  # does not depend on the reference
    return Statistics(rows, offsets, copies=copies)


def one_by_one(judge: Metric, array: Statistics, lists: list[list[int]]) -> list[float]:
    """The mean score of each list over all repetitions."""
    assert isinstance(judge.rule, Sampled)
    repetitions = list(judge.rule.repetitions(judge, array))
    return [float(np.mean([judge.score(rows[drawn].sum(axis=0)) for rows in repetitions])) for drawn in lists]


@given(SIZES, st.integers(0, 99), st.sampled_from([1.0, 0.1, 3e6]), st.sampled_from([1, 2]), st.data())
def test_resamples_and_jackknife(counts: list[int], seed: int, scale: float, copies: int, data: st.DataObject) -> None:
    array, judge = statistics(counts, seed, scale=scale, copies=copies), FirstOfSecond()
    size = len(array)
    lists = data.draw(st.lists(st.lists(st.integers(0, size - 1), min_size=4, max_size=4), min_size=1, max_size=4))
    expected = one_by_one(judge, array, lists)
    over = [judge.rule.scores_over(judge, array, np.array(lists), run=Run(jobs=jobs)).tolist() for jobs in (1, 3)]
    # Whole numbers add up without rounding, in whatever order: to the last bit.
    assert over[0] == over[1] == (pytest.approx(expected) if scale == 0.1 else expected)
    every = list(range(size))
    for blocks in ([slice(i, i + 1) for i in every], [slice(0, size)], [slice(0, 1), slice(1, size)][: min(2, size)]):
        without = judge.rule.scores_without(judge, array, blocks)
        assert without == pytest.approx(one_by_one(judge, array, [every[: b.start] + every[b.stop :] for b in blocks]))


@given(SIZES, st.integers(0, 99), st.sampled_from([1.0, 3e6]), st.data())
def test_swapped_sentences(counts: list[int], seed: int, scale: float, data: st.DataObject) -> None:
    """What one system lacks the other has: the totals of one give those of the other, to the last bit."""
    array, judge, size = statistics(counts, seed, scale=scale, copies=2), FirstOfSecond(), len(counts)
    swaps = data.draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=1, max_size=70))
    places = np.arange(size)
    first, second = np.where(swaps, places, places + size), np.where(swaps, places + size, places)
    scores = judge.rule.scores_swapped(judge, array, (first, second), run=Run(jobs=2))
    assert [of_list.tolist() for of_list in scores] == [
        one_by_one(judge, array, lists.tolist()) for lists in (first, second)
    ]


def test_numbers_that_single_precision_cannot_hold() -> None:
    """Three times 5 592 405 is 2²⁴ − 1, four times is beyond it, and so is a half."""
    for value in (5_592_405.0, 5_592_407.0, 2.0**24 + 1, 0.1):
        array = Statistics(np.array([[value, 0, 1], [value + 2, 0, 1], [1, 0, 1]]), np.array([0, 2, 3]))
        judge, lists = FirstOfSecond(), [[0, 0, 0, 1], [0, 0, 0, 0]]
        assert judge.rule.scores_over(judge, array, np.array(lists)).tolist() == one_by_one(judge, array, lists)
        blocks = [slice(0, 1), slice(1, 2)]
        assert judge.rule.scores_without(judge, array, blocks).tolist() == one_by_one(judge, array, [[1], [0]])


@pytest.mark.parametrize("largest", [2.0**15 - 1, 2.0**15, 2.0**31 - 1, 2.0**31, np.nan])
def test_sums_at_the_limits_of_integers(largest: float) -> None:
    array = Statistics(np.array([[0.0], [largest]]), np.array([0, 2]))
    totals = DrawnSums.of(array, np.ones((1, 1))).totals(np.array([[0, 1]], dtype=np.uint16), slice(None))
    assert totals.ravel() == pytest.approx([0.0, largest], rel=0, nan_ok=True)


def test_fractions_that_add_up_to_zero_are_zero() -> None:
    """0.1 + 0.2 − 0.1 − 0.2 is not 0. A score of such a rest would be any number."""

    class Share(FirstOfSecond):
        def score(self, totals: Array) -> Array:
            return np.where(
                totals[..., 1] == 0, 0.25, totals[..., 0] / np.where(totals[..., 1] == 0, 1, totals[..., 1])
            )

    first = [[[0.1, 0.1, 1], [0, 0, 1]], [[0.2, 0.2, 1], [0, 0, 1]], [[0.3, 0.3, 1], [0, 0, 1]]]
    array = Statistics(np.array([first, [[[0.0, 0, 1]] * 2] * 3]).reshape(-1, 3), np.arange(0, 13, 2), copies=2)
    judge, ours, theirs = Share(), [[0, 1, 2], [0, 4, 2], [3, 4, 5]], [[3, 4, 5], [3, 1, 5], [0, 1, 2]]
    expected = [one_by_one(judge, array, lists) for lists in (ours, theirs)]
    assert expected[0][2] == 0.25
    assert judge.rule.scores_over(judge, array, np.array(ours)).tolist() == pytest.approx(expected[0])
    swapped = judge.rule.scores_swapped(judge, array, (np.array(ours), np.array(theirs)))
    assert [of_list.tolist() for of_list in swapped] == [pytest.approx(scores) for scores in expected]


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=30),
    st.integers(0, 99),
    st.sampled_from([1.0, 4000.0, 3e8, 0.1]),
    st.sampled_from([1, 2]),
    st.sampled_from([1, 7, 80, 600]),
    st.sampled_from([1, 15, 70]),
)
def test_drawn_sums(counts: list[int], seed: int, scale: float, copies: int, repetitions: int, lists: int) -> None:
    """Against a loop over all sentences: groups of several sentences, single ones, and tables of any size."""
    array, rng = statistics(counts, seed, scale=scale, copies=copies), np.random.default_rng(seed)
    weights = rng.integers(0, 3, (lists, len(array))).astype(np.float64)
    choices = (rng.random((len(counts), repetitions)) * np.array(counts)[:, None]).astype(np.uint16)
    totals = DrawnSums.of(array, weights).totals(choices, slice(0, None))
    expected = np.zeros((lists, repetitions, 3))
    for i, start in enumerate(array.offsets[:-1]):
        expected += weights[:, i, None, None] * array.rows[start + choices[i % len(counts)]]
    assert totals.shape == expected.shape
    if scale == 0.1:
        assert totals == pytest.approx(expected, abs=1e-12)
    else:
        assert (totals == expected).all()
    some = DrawnSums.of(array, weights).totals(choices, slice(1, 3))
    assert some.tolist() == totals[1:3].tolist()


def test_a_sentence_with_more_references_than_a_table_has_rows() -> None:
    array = statistics([2, 300, 3], 1, scale=1.0)
    choices = np.array([[0, 1, 1], [299, 0, 255], [2, 1, 0]], dtype=np.uint16)
    totals = DrawnSums.of(array, np.array([[1.0, 2.0, 3.0]])).totals(choices, slice(None))
    [expected] = [[array.rows[a] + 2 * array.rows[2 + b] + 3 * array.rows[302 + c] for a, b, c in choices.T.tolist()]]
    assert totals[0].tolist() == np.array(expected).tolist()


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_as_many_references_as_can_be_drawn(scale: float) -> None:
    judge, lists = FirstOfSecond(), [[0]]
    array = statistics([65_535], 1, scale=scale)
    assert judge.rule.scores_over(judge, array, np.array(lists)).tolist() == one_by_one(judge, array, lists)
    with pytest.raises(InputError, match="more than 65,535 references"):
        judge.rule.scores_over(judge, statistics([1, 65_536], 1, scale=scale), np.array(lists))


@pytest.mark.parametrize(("counts", "repetitions"), [([1, 1, 1], 1), ([1, 2, 1], 5), ([3, 2, 2], 5)])
def test_one_repetition_serves_single_references(counts: list[int], repetitions: int) -> None:
    judge, array = FirstOfSecond(), statistics(counts, 1, scale=1.0)
    assert len(list(judge.rule.repetitions(judge, array))) == repetitions
    assert judge.rule.totals(judge, array).shape == (repetitions, 3)


@pytest.mark.parametrize("value", [3.0, 0.1])
def test_references_that_make_no_difference(value: float) -> None:
    array = Statistics(np.array([[value, 7, 1], [value, 7, 1], [2, 0, 1]]), np.array([0, 2, 3]))
    judge, lists = FirstOfSecond(), [[0, 1], [1, 1]]
    assert judge.rule.scores_over(judge, array, np.array(lists)).tolist() == one_by_one(judge, array, lists)
    blocks = [slice(0, 1), slice(1, 2)]
    assert judge.rule.scores_without(judge, array, blocks).tolist() == pytest.approx(
        one_by_one(judge, array, [[1], [0]])
    )


def test_more_repetitions_than_are_drawn_at_once() -> None:
    """A million random numbers at a time: of 800 000 sentences, one repetition."""
    array, judge = statistics([2] * 800_000, 1, scale=1.0), FirstOfSecond()
    every = np.arange(800_000)
    [score] = judge.rule.scores_over(judge, array, every[None], run=Run(jobs=2))
    assert score == judge.score(judge.rule.totals(judge, array)).mean()


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=4))
def test_how_often_lists_have_a_sentence(lists: list[list[int]]) -> None:
    draws = np.array(lists)
    expected = [[float(drawn.count(i)) for i in range(5)] for drawn in lists]
    assert count_draws(draws, 5).tolist() == expected
    draws.setflags(write=False)
    cached = count_draws(draws, 5)
    assert cached.tolist() == expected
    assert count_draws(draws, 5) is cached
    assert not cached.flags.writeable
    assert count_draws(draws, 6).shape == (len(lists), 6)
    for same in (draws, draws.copy()):
        assert [any_draws(same, i) for i in range(6)] == [any(i in drawn for drawn in lists) for i in range(6)]


@pytest.mark.parametrize("wrong", [[[0, 2]], [[-1, 0]]])
def test_sentences_that_do_not_exist(wrong: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="no sentence"):
        count_draws(np.array(wrong), 2)


@pytest.mark.parametrize("n", range(1, 12))
def test_gleu_is_the_same_to_the_last_bit(n: int) -> None:
    """The mean of logarithms is numpy's, also where fewer than eight are added by hand."""
    totals = np.random.default_rng(n).integers(1, 1000, (50, 4, 2 + 2 * n)).astype(np.float64)
    brevity = np.minimum(0.0, 1 - totals[..., 1] / totals[..., 0])
    expected = np.exp(brevity + np.log(totals[..., 2::2] / totals[..., 3::2]).mean(axis=-1))
    judge = metric(f"gleu(n={n})")
    assert (judge.score(totals) == expected).all()
    columns_first = np.moveaxis(np.moveaxis(totals, -1, 0).copy(), 0, -1)
    assert (judge.score(columns_first) == expected).all()
    totals[3, 2, 0], totals[4, 1, 1 + 2 * n], totals[5, 0, 2] = 0, -1, 0
    expected[3, 2], expected[4, 1], expected[5, 0] = 0, 0, 0
    assert (judge.score(totals) == expected).all()
