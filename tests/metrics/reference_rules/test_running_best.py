"""The running choice of annotator against the oracles, and inside resamples: by counts, and by weights as they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import _native, metric
from gecval.corpus.references import offsets_of
from gecval.metrics import Statistics
from gecval.metrics.cleme import BestChunks
from gecval.metrics.errant import MacroBest
from gecval.metrics.reference_rules import ExactBest, RunningBest, RunningRule
from gecval.runtime.run import Run
from oracles import m2, weighted

COUNT = st.integers(0, 4)
COUNTS = st.tuples(COUNT, COUNT, COUNT).map(lambda t: (min(t), t[1], t[2]))
# Multiples of 1/64 add up without rounding, so that ties are ties.
WEIGHT = st.integers(0, 40).map(lambda n: n / 64)
WEIGHTS = st.tuples(WEIGHT, WEIGHT, WEIGHT)


def sentences_of(row: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(st.lists(row, min_size=1, max_size=4), min_size=1, max_size=8)


TRIPLES = sentences_of(COUNTS)
KINDS = [(RunningBest, TRIPLES, m2.running_best), (ExactBest, sentences_of(WEIGHTS), weighted.running_best)]
with_oracles = pytest.mark.parametrize(("rule", "sentences", "oracle"), KINDS, ids=["counts", "weights"])


def statistics(triples: list[list[tuple[float, float, float]]]) -> Statistics:
    rows = np.array([row for sentence in triples for row in sentence], dtype=np.float64)
    return Statistics(rows, offsets_of(map(len, triples)))


def sums(triples: list, chosen: list[int]) -> list[float]:
    rows = [rows[row] for rows, row in zip(triples, chosen, strict=True)]
    return [sum(column) for column in zip(*rows, strict=True)] or [0.0, 0.0, 0.0]


@with_oracles
@given(data=st.data(), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_choice_equals_oracle(
    rule: type, sentences: st.SearchStrategy, oracle, data: st.DataObject, beta: float
) -> None:
    triples = data.draw(sentences)
    array = statistics(triples)
    chosen = rule(beta).choose_rows(array) - array.offsets[:-1]
    assert chosen.tolist() == oracle(triples, beta)


@with_oracles
@given(data=st.data())
def test_every_resample_chooses_anew(rule: type, sentences: st.SearchStrategy, oracle, data: st.DataObject) -> None:
    triples = data.draw(sentences)
    indices = st.lists(st.integers(0, len(triples) - 1), min_size=len(triples), max_size=len(triples))
    draws = data.draw(st.lists(indices, min_size=1, max_size=3))
    totals = rule().totals_over(statistics(triples), np.array(draws, dtype=np.int64), run=Run(jobs=1))
    for draw, total in zip(draws, totals.tolist(), strict=True):
        drawn = [triples[i] for i in draw]
        assert total == sums(drawn, oracle(drawn, 0.5))


@with_oracles
@given(data=st.data())
def test_sentences_left_out_leave_the_others_to_choose_anew(
    rule: type, sentences: st.SearchStrategy, oracle, data: st.DataObject
) -> None:
    triples = data.draw(sentences)
    start = data.draw(st.integers(0, len(triples) - 1))
    block = slice(start, data.draw(st.integers(start + 1, len(triples))))
    [total] = rule().totals_without(statistics(triples), [block], run=Run(jobs=1)).tolist()
    kept = triples[: block.start] + triples[block.stop :]
    assert total == sums(kept, oracle(kept, 0.5))


RULES: list[RunningRule] = [
    RunningBest(),
    RunningBest(2.0, "errant"),
    BestChunks(0.5),
    BestChunks(preference="cleme2", factors=(0.45, 0.35, 0.15, 0.05)),
]


@given(TRIPLES, st.sampled_from(RULES))
def test_blocks_left_out_equal_lists_without_them(triples: list, rule: RunningRule) -> None:
    array = statistics(triples)
    if isinstance(rule, BestChunks):
        array = Statistics(np.concatenate([array.rows, array.rows[:, 1:]], axis=1), array.offsets)
    blocks = [slice(i, stop) for i in range(len(triples)) for stop in (i + 1, len(triples))]
    without = rule.totals_without(array, blocks, run=Run(jobs=1))
    assert without.tolist() == RunningRule.totals_without(rule, array, blocks, run=Run(jobs=1)).tolist()


PREFERENCES = [("m2", 3), ("errant", 3), ("exact", 3), ("cleme", 5), ("cleme2", 5)]
SCALES = [1.0, 0.1, 1 / 3, 1e-4, 3e5, -1.0]


@given(
    st.lists(st.lists(st.lists(COUNT, min_size=5, max_size=5), min_size=1, max_size=4), min_size=1, max_size=12),
    st.sampled_from(PREFERENCES),
    st.sampled_from([0.05, 0.1, 0.5, 1.0, 2.0, 11.0]),
    st.sampled_from(SCALES),
    st.integers(0, 99),
)
def test_rows_left_out_from_the_start_are_never_chosen(
    sentences: list, preference: tuple[str, int], beta: float, scale: float, seed: int
) -> None:
    """Totals over lists leave rows out that others are always ahead of; the plain choice looks at all of them."""
    name, columns = preference
    rows = np.array([row[:columns] for sentence in sentences for row in sentence]) * scale
    array = Statistics(rows, offsets_of(map(len, sentences)))
    chooses = {"beta": beta, "preference": name, "factors": (0.45, 0.35, 0.15, 0.05)}
    draws = np.random.default_rng(seed).integers(len(array), size=(3, 2 * len(array)))
    sums = _native.running_best_totals(rows, array.offsets, draws, jobs=1, **chooses)
    for draw, total in zip(draws, sums, strict=True):
        drawn = array.take(draw)
        expected = np.zeros(columns)
        for row in _native.running_best(drawn.rows, drawn.offsets, **chooses):
            expected = expected + drawn.rows[row]
        assert total.tolist() == expected.tolist()


def f_score(tp: float, fp: float, fn: float, beta: float) -> float:
    precision, recall = tp / (tp + fp) if fp else 1.0, tp / (tp + fn) if fn else 1.0
    over = (1 + beta * beta) * precision * recall
    return over / (beta * beta * precision + recall) if precision + recall else 0.0


FACTORS = (0.45, 0.35, 0.15, 0.05)


def merit(preference: str, totals: list[float], beta: float) -> tuple[float, ...]:
    """What each rule compares, the most important first."""
    if preference == "errant":
        tp, fp, fn = totals
        return round(f_score(tp, fp, fn, beta), 4), tp, -fp, -fn
    hit, wrong, over, missed, kept = totals
    ties = hit, -wrong - over, -missed, kept
    if preference == "cleme":
        return round(f_score(hit, wrong + over, missed, beta), 4), *ties
    necessary, proposed = hit + wrong + missed or 1, hit + wrong + over or 1
    a, b, c, d = FACTORS
    score = a * (hit / necessary) + b * (1 - wrong / necessary) + c * (1 - missed / necessary)
    return score + d * (1 - over / proposed), *ties


@given(
    st.lists(st.lists(st.lists(COUNT, min_size=5, max_size=5), min_size=2, max_size=4), min_size=1, max_size=5),
    st.sampled_from([("errant", 3), ("cleme", 5), ("cleme2", 5)]),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_each_sentence_adds_the_best_row(sentences: list, preference: tuple[str, int], beta: float) -> None:
    name, columns = preference
    listed = [[row[:columns] for row in sentence] for sentence in sentences]
    array = Statistics(np.array([row for rows in listed for row in rows], dtype=float), offsets_of(map(len, listed)))
    chosen = _native.running_best(array.rows, array.offsets, beta=beta, preference=name, factors=FACTORS)
    before = [0.0] * columns
    for rows, place in zip(listed, (chosen - array.offsets[:-1]).tolist(), strict=True):
        sums = [[a + b for a, b in zip(before, row, strict=True)] for row in rows]
        merits = [merit(name, total, beta) for total in sums]
        assert place == merits.index(max(merits))
        before = sums[place]


def test_what_is_hardly_better_may_lose() -> None:
    """F to four decimals is 0.2 with and without a millionth of a missed edit: then more true positives win."""
    rows = np.array([[1.0, 4.0, 4.0], [1.0 + 1e-7, 4.0, 4.0 + 2e-7]])
    chooses = {"beta": 1.0, "preference": "errant"}
    assert _native.running_best(rows, np.array([0, 2]), **chooses).tolist() == [1]
    totals_ = _native.running_best_totals(rows, np.array([0, 2]), np.array([[0]]), jobs=1, **chooses)
    assert totals_.tolist() == rows[1:].tolist()


def test_a_row_that_is_not_chosen_may_decide() -> None:
    """Rows that differ by 0.9e-9 tie, by 1.8e-9 not. So a second row that is behind the last one stays: it beats the
    first, the third beats it, and the last does not beat the third."""
    before = [1e4, 1e4, 0.0, 1e4, 0.0]
    hits, wrong, missed = (1 + 1.8e-9, 1 + 0.9e-9, 1.0, 1 + 0.9e-9), (1.02, 1.01, 1.0, 1.01), (1.0, 1.0, 1.0, 0.99)
    rows = np.array([before, *([h, w, 0.0, m, 0.0] for h, w, m in zip(hits, wrong, missed, strict=True))])
    array, chooses = Statistics(rows, np.array([0, 1, 5])), {"beta": 0.5, "preference": "cleme"}
    assert _native.running_best(rows, array.offsets, **chooses).tolist() == [0, 3]
    totals_ = _native.running_best_totals(rows, array.offsets, np.array([[0, 1]]), jobs=1, **chooses)
    assert totals_.tolist() == [(rows[0] + rows[3]).tolist()]


def test_rules_weigh_precision_twice_unless_told_otherwise() -> None:
    assert (RunningBest(), MacroBest()) == (RunningBest(0.5), MacroBest(0.5))
    assert BestChunks() == BestChunks(0.5, factors=(0.0, 0.0, 0.0, 0.0))


# The choice by F as it is


def test_nearly_equal_rows_are_compared_with_the_best() -> None:
    """The third F is the highest. The second equals it but for rounding and has more tp; the first is worse."""
    best = (1.0, 0.5, 0.0)
    near = (1.0 + 4e-13, 0.5 + 2e-13, 0.0)
    assert ExactBest().choose_rows(statistics([[(0.9, 0.5, 0.0), near, best]])).tolist() == [1]
    assert ExactBest().choose_rows(statistics([[(0.9, 0.5, 0.0), best, near]])).tolist() == [1]
    assert ExactBest().choose_rows(statistics([[near, (2.0, 1.0, 0.0), best]])).tolist() == [1]


def test_f_is_not_rounded() -> None:
    """The second reference gives F higher by less than four decimals. ERRANT's own rule takes more tp."""
    sentences = [[(0.5, 0.5, 0.0), (0.49, 0.4899, 0.0)]]
    assert ExactBest().choose_rows(statistics(sentences)).tolist() == [1]
    assert metric("errant").rule.choose_rows(statistics(sentences)).tolist() == [0]  # type: ignore[attr-defined]


def test_rounding_is_no_difference() -> None:
    """0.1 + 0.2 is not 0.3 in binary: fp are equal, so fn decides."""
    sentences = [[(0.0, 0.3, 0.9)], [(0.0, 0.1 + 0.2, 0.5), (0.0, 0.3, 0.7)]]
    assert ExactBest().choose_rows(statistics(sentences)).tolist() == [0, 1]
