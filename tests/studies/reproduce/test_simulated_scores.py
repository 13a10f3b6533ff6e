"""Simulations of scores: populations whose truth is known, and rows that say what is promised."""

from __future__ import annotations

import numpy as np
import pytest

from gecval.metrics import metric
from gecval.studies.reproduce import simulated_scores
from gecval.studies.reproduce.result import Promise


def test_timid_and_bold_are_unlike_and_have_one_f() -> None:
    timid, bold = simulated_scores.timid_and_bold()
    scores = [float(metric("m2").score(rows.sum(axis=0))) for rows in (timid, bold)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-3)
    precision = [rows[:, 0].sum() / rows[:, 1].sum() for rows in (timid, bold)]
    assert precision[0] > 1.5 * precision[1]
    assert np.array_equal(timid[:, 2], bold[:, 2])


def test_gates_at_the_margin() -> None:
    found = [row for row in simulated_scores.simulate_gates(40) if isinstance(row, Promise)]
    undecided = [row for row in found if row.at_least]
    assert {row.settings.partition(",")[0] for row in undecided} == {"accuracy", "F0.5"}
    assert min(row.measured for row in undecided) >= 0.8  # of those with fewer than ten sentences that differ
    assert all(20 < row.experiments <= 40 for row in undecided)
    rows = [row for row in found if not row.at_least]
    assert len(rows) == 2 * 2 * len(simulated_scores.SPOILT)
    assert {row.promised for row in rows} == {0.025}
    spoilt = [row.measured for row in rows if "1% of 200 outputs worse, 0%" in row.settings]
    assert spoilt == [0, 0, 0, 0]  # with BCa's interval about six of 40 would ship
    assert max(row.measured for row in rows) <= 0.15


def test_intervals_and_tests_have_rows_for_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_scores, "SIZES", (30, 250))
    monkeypatch.setattr(simulated_scores, "DOCUMENTS", (5,))
    monkeypatch.setattr(simulated_scores, "TESTED", (50, 60))
    rows = [row for row in simulated_scores.simulate_intervals(4) if isinstance(row, Promise)]
    assert [(row.size, row.warned) for row in rows] == [*[(30, 1.0)] * 3, *[(250, 0.0)] * 3, (None, 1.0)]
    assert [row.warnings for row in rows[2:4]] == [
        ("30 sentences are few: intervals and p-values are rough below 100",),
        (),
    ]
    assert 0.25 <= min(row.measured for row in rows) <= max(row.measured for row in rows) <= 1
    found = list(simulated_scores.simulate_tests(4))
    assert sum(isinstance(row, Promise) for row in found) == 5
    names = [row.test for row in found if not isinstance(row, Promise)]
    assert names == [
        "exchangeable, 50 sentences",
        "unlike, 50 sentences",
        "unlike, 60 sentences",
        "unlike, 60 sentences, swapped outputs",
    ]


def test_looks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_scores, "LOOKED_AT", (50,))
    rows = list(simulated_scores.simulate_looks(2))
    assert [row.settings for row in rows if isinstance(row, Promise)] == [
        "50 other sentences each, no plan",
        "50 other sentences each, 100 planned",
    ]
