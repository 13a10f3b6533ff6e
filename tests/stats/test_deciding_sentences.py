"""The sentences that decide, against all subsets; the influence of a sentence, against scoring without it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import InputError, Statistics, metric
from gecval.metrics.evaluation import Evaluation
from gecval.stats.deciding_sentences import (
    ALL_SETS,
    RatioLead,
    deciding_set,
    first_set,
    influence,
    influences,
    least_removals,
)
from oracles.deciding import lead_without, smallest, turns

FEW = settings(max_examples=60, deadline=None)


@st.composite
def rows_of_m2(draw: st.DrawFn) -> list[float]:
    proposed, gold = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return [draw(st.integers(0, min(proposed, gold))), proposed, gold]


@st.composite
def rows_of_gleu(draw: st.DrawFn) -> list[float]:
    length = draw(st.integers(4, 9))
    orders = [[draw(st.integers(1, length - n)), length - n] for n in range(4)]
    return [length, draw(st.integers(4, 9)), *(number for order in orders for number in order)]


@st.composite
def pairs(draw: st.DrawFn, name: str, references: int, *, most: int = 8) -> tuple[Evaluation, Evaluation]:
    """Two systems on the same sentences."""
    scored, size = metric(name), draw(st.integers(2, most))
    counts = [draw(st.integers(1, references)) for _ in range(size)]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = rows_of_m2() if name == "m2" else rows_of_gleu()
    if name == "accuracy":
        row = st.tuples(st.integers(0, 1), st.just(1))
    drawn = (draw(st.lists(row, min_size=sum(counts), max_size=sum(counts))) for _ in "ab")
    a, b = (Evaluation(scored, Statistics(np.array(rows, dtype=np.float64), offsets)) for rows in drawn)
    return a, b


def check(a: Evaluation, b: Evaluation, *, all_sets: int) -> tuple[int | None, int | None]:
    """What must hold of every answer; returns its size and the smallest."""
    deciding, least = deciding_set(a, b, all_sets=all_sets), smallest(a, b)
    assert deciding.difference == lead_without(a, b, ())
    size = None if deciding.sentences is None else len(deciding.sentences)
    if deciding.sentences is not None:
        assert turns(a, b, deciding.sentences)
        assert deciding.difference_without == lead_without(a, b, deciding.sentences)
        assert least is not None
        assert deciding.at_least <= least <= len(deciding.sentences)
    if deciding.proven:
        assert size == least
    return size, least


@pytest.mark.parametrize(("name", "references"), [("accuracy", 2), ("m2", 1), ("m2", 2)])
@FEW
@given(st.data())
def test_the_smallest_of_all_sets(name: str, references: int, data: st.DataObject) -> None:
    a, b = data.draw(pairs(name, references))
    size, least = check(a, b, all_sets=300)
    assert size == least


RULES = [("accuracy", 2), ("m2", 1), ("m2", 2), ("gleu", 1), ("gleu(iterations=20)", 2)]


@pytest.mark.parametrize(("name", "references"), RULES)
@FEW
@given(st.data())
def test_without_trying_all_sets(name: str, references: int, data: st.DataObject) -> None:
    a, b = data.draw(pairs(name, references, most=6))
    check(a, b, all_sets=0)


def drawn_pair(name: str, references: int, seed: int) -> tuple[Evaluation, Evaluation]:
    """Two systems on 9 sentences, from a seed."""
    rng = np.random.default_rng(seed)
    offsets = np.arange(0, 9 * references + 1, references)

    def rows() -> np.ndarray:
        proposed, gold = rng.integers(0, 4, (2, 9 * references))
        return np.stack([rng.integers(0, np.minimum(proposed, gold) + 1), proposed, gold], axis=1).astype(np.float64)

    a, b = (Evaluation(metric(name), Statistics(rows(), offsets)) for _ in "ab")
    return a, b


def test_how_often_the_search_misses_a_smaller_set() -> None:
    sizes = [check(*drawn_pair("m2", 2, seed), all_sets=0) for seed in range(50, 100)]
    larger = sum(size != least for size, least in sizes)
    assert larger == 2  # of these 50, and of the first 300; where all sets are tried, none


def test_with_one_reference_the_bound_proves_all_of_these() -> None:
    assert all(deciding_set(*drawn_pair("m2", 1, seed), all_sets=0).proven for seed in range(40))


@FEW
@given(st.data())
def test_no_smaller_set_while_references_stay_as_chosen(data: st.DataObject) -> None:
    a, b = data.draw(pairs("m2", 2, most=6))
    deciding = deciding_set(a, b, all_sets=0)
    if deciding.proven_as_chosen:
        assert deciding.sentences is not None
        kept = [a.metric.rule.choose_rows(side.statistics) for side in (a, b)]  # type: ignore[attr-defined]
        fixed = [
            Evaluation(side.metric, Statistics.one_per_sentence(side.statistics.rows[slots]))
            for side, slots in zip((a, b), kept, strict=True)
        ]
        least = smallest(*fixed)
        assert least is None or least >= len(deciding.sentences)


@FEW
@given(st.data())
def test_influence_is_the_score_less_that_without(data: st.DataObject) -> None:
    a, b = data.draw(pairs("m2", 2))
    alone = [b.score() - b.over(np.delete(np.arange(len(b)), i)).score() for i in range(len(b))]
    assert influence(b) == pytest.approx(alone, abs=1e-12)
    assert influences(a, b) == pytest.approx(influence(b) - influence(a), abs=1e-12)


def test_by_hand() -> None:
    # 3 of 6 and 1 of 6 right: two right ones less, and both have one of four.
    a, b = (
        Evaluation(metric("accuracy"), Statistics.one_per_sentence(np.array([[float(c), 1.0] for c in right])))
        for right in ("000001", "111000")
    )
    forwards, backwards = deciding_set(a, b), deciding_set(b, a)
    assert forwards.sentences == backwards.sentences == (0, 1)
    assert forwards.difference == -backwards.difference == pytest.approx(1 / 3)
    assert forwards.difference_without == 0
    assert (forwards.of, forwards.at_least, forwards.proven) == (6, 2, True)
    # Without sentence 1, b has 2 of 5 and a 1 of 5: the lead of 2/6 loses 2/6 − 1/5.
    assert influences(a, b) == pytest.approx([2 / 15] * 3 + [-1 / 15] * 2 + [-4 / 15])


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("needed", range(10))
def test_the_first_sentences_without_which_a_verdict_is_lost(needed: int, backwards: bool) -> None:
    """b is right about 3 to 10, a about 2: these 8 go first, then the first, about which nobody is right."""
    a, b = (
        Evaluation(metric("accuracy"), Statistics.one_per_sentence(np.array([[float(c), 1.0] for c in right])))
        for right in ("0100000000", "0011111111")
    )
    asked = []

    def lost(kept: np.ndarray) -> bool:
        asked.append(len(kept))
        return len(kept) <= 10 - needed

    made = first_set(*((b, a) if backwards else (a, b)), lost)
    sign = -1 if backwards else 1
    assert (made.of, made.difference) == (10, pytest.approx(sign * 0.7))
    assert min(asked) >= 2
    assert len(asked) == len(set(asked))
    if needed > 8:
        assert (made.sentences, made.difference_without, made.at_least) == (None, None, 1)
        return
    assert made.sentences == tuple(range(2, 2 + needed))
    assert made.difference_without == pytest.approx(sign * (7 - needed) / (10 - needed))
    assert (made.at_least, made.proven_as_chosen) == (min(needed, 1), False)


def test_one_sentence_may_decide() -> None:
    a, b = (
        Evaluation(metric("accuracy"), Statistics.one_per_sentence(np.array([[float(c), 1.0] for c in right])))
        for right in ("0000", "0010")
    )
    single = deciding_set(a, b)
    assert (single.sentences, single.difference_without, single.proven_as_chosen) == ((2,), 0.0, True)
    assert not deciding_set(a, a).proven_as_chosen


def test_so_many_sets_are_all_tried() -> None:
    assert ALL_SETS == 20_000


def test_a_tie_is_decided_by_nothing() -> None:
    a, _ = drawn_pair("m2", 2, 0)
    deciding = deciding_set(a, a)
    assert (deciding.sentences, deciding.at_least, deciding.proven, deciding.difference_without) == ((), 0, True, 0.0)


def test_better_everywhere() -> None:
    a, b = (
        Evaluation(metric("accuracy"), Statistics.one_per_sentence(np.tile([float(right), 1.0], (30, 1))))
        for right in (0, 1)
    )
    deciding = deciding_set(a, b)
    assert (deciding.sentences, deciding.difference_without, deciding.proven) == (None, None, True)


def test_refusals() -> None:
    a, b = drawn_pair("m2", 1, 0)
    with pytest.raises(InputError, match="of the same sentences, not of 9 and 2"):
        deciding_set(a, b.over(np.array([0, 1])))
    with pytest.raises(InputError, match="needs a second one"):
        influence(a.over(np.array([0])))


@FEW
@given(st.data())
def test_no_proof_is_wrong(data: st.DataObject) -> None:
    a, b = data.draw(pairs("m2", 1, most=7))
    if a.score() > b.score():
        a, b = b, a
    fractions = (a.fractions(), b.fractions())
    assert fractions[0] is not None
    assert fractions[1] is not None
    lead = RatioLead(a=fractions[0], b=fractions[1])
    least = smallest(a, b)
    for count in range(len(a)):
        if lead.unbeatable_by(count):
            assert least is None or least > count
    if least:
        assert least_removals(lead, least) <= least


def test_a_proof_for_long_lists() -> None:
    # One number a sentence: 60 × 1 against 20 × 1, on other sentences; 40 of them must go.
    right = np.zeros(200), np.zeros(200)
    right[0][:20], right[1][-60:] = 1, 1
    lead = RatioLead(a=(right[0], np.ones(200)), b=(right[1], np.ones(200)))
    assert lead.unbeatable_by(39)
    assert not lead.unbeatable_by(40)
    assert least_removals(lead, 60) == 40
