"""The running choice by F as it is, against the oracle, and inside resamples."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gecval import metric
from gecval.corpus.references import offsets_of
from gecval.metrics import Statistics
from gecval.metrics.reference_rules import ExactBest
from gecval.runtime.run import Run
from oracles.weighted import Row, running_best

# Multiples of 1/64 add up without rounding, so that ties are ties.
WEIGHT = st.integers(0, 40).map(lambda n: n / 64)
SENTENCES = st.lists(
    st.lists(st.tuples(WEIGHT, WEIGHT, WEIGHT), min_size=1, max_size=4),
    min_size=1,
    max_size=8,
)


def statistics(sentences: list[list[Row]]) -> Statistics:
    rows = np.array([row for sentence in sentences for row in sentence], dtype=np.float64)
    return Statistics(rows, offsets_of(map(len, sentences)))


@given(SENTENCES, st.sampled_from([0.5, 1.0, 2.0]))
def test_choice_equals_oracle(sentences: list[list[Row]], beta: float) -> None:
    array = statistics(sentences)
    chosen = ExactBest(beta).chosen(array) - array.offsets[:-1]
    assert chosen.tolist() == running_best(sentences, beta)


@given(SENTENCES, st.data())
def test_every_resample_chooses_anew(sentences: list[list[Row]], data: st.DataObject) -> None:
    indices = st.lists(st.integers(0, len(sentences) - 1), min_size=len(sentences), max_size=len(sentences))
    draws = data.draw(st.lists(indices, min_size=1, max_size=3))
    totals = ExactBest().totals_over(statistics(sentences), np.array(draws, dtype=np.int64), run=Run(jobs=1))
    for draw, total in zip(draws, totals.tolist(), strict=True):
        drawn = [sentences[i] for i in draw]
        rows = [rows[row] for rows, row in zip(drawn, running_best(drawn, 0.5), strict=True)]
        assert total == [sum(column) for column in zip(*rows, strict=True)]


@given(SENTENCES, st.data())
def test_sentences_left_out_leave_the_others_to_choose_anew(sentences: list[list[Row]], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(sentences) - 1))
    block = slice(start, data.draw(st.integers(start + 1, len(sentences))))
    [total] = ExactBest().totals_without(statistics(sentences), [block], run=Run(jobs=1)).tolist()
    kept = sentences[: block.start] + sentences[block.stop :]
    rows = [rows[row] for rows, row in zip(kept, running_best(kept, 0.5), strict=True)]
    assert total == ([sum(column) for column in zip(*rows, strict=True)] or [0.0, 0.0, 0.0])


def test_nearly_equal_rows_are_compared_with_the_best() -> None:
    """The third F is the highest. The second equals it but for rounding and has more tp; the first is worse."""
    best = (1.0, 0.5, 0.0)
    near = (1.0 + 4e-13, 0.5 + 2e-13, 0.0)
    assert ExactBest().chosen(statistics([[(0.9, 0.5, 0.0), near, best]])).tolist() == [1]
    assert ExactBest().chosen(statistics([[(0.9, 0.5, 0.0), best, near]])).tolist() == [1]
    assert ExactBest().chosen(statistics([[near, (2.0, 1.0, 0.0), best]])).tolist() == [1]


def test_f_is_not_rounded() -> None:
    """The second reference gives F higher by less than four decimals. ERRANT's own rule takes more tp."""
    sentences = [[(0.5, 0.5, 0.0), (0.49, 0.4899, 0.0)]]
    assert ExactBest().chosen(statistics(sentences)).tolist() == [1]
    assert metric("errant").rule.chosen(statistics(sentences)).tolist() == [0]  # type: ignore[attr-defined]


def test_rounding_is_no_difference() -> None:
    """0.1 + 0.2 is not 0.3 in binary: fp are equal, so fn decides."""
    sentences = [[(0.0, 0.3, 0.9)], [(0.0, 0.1 + 0.2, 0.5), (0.0, 0.3, 0.7)]]
    assert ExactBest().chosen(statistics(sentences)).tolist() == [0, 1]
