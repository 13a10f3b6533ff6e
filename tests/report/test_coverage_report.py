"""Coverage as tables and charts: what cannot be told is a dash with its reason."""

from __future__ import annotations

import pytest

from gecval.report.coverage.tables import (
    as_scores,
    coverage_table,
    curve_chart,
    people_table,
    reference_table,
    true_score_table,
)
from gecval.stats import Interval
from gecval.studies.coverage.annotators import AgainstPeople
from gecval.studies.coverage.true_score import ReferenceCoverage, TrueScore
from gecval.studies.coverage.variants import Coverage

RANGE = Interval(0.4, 0.5)
NO_INTERVAL = "no interval: one sentence does not show how much sentences differ"


def answers(covered: ReferenceCoverage, *, alpha: float = 0.0) -> list[tuple[object, object]]:
    return [(row["answer"], row["remark"]) for row in reference_table(covered, alpha=alpha).to_object()["rows"]]


def test_answers_are_numbers_and_intervals() -> None:
    covered = ReferenceCoverage(10, 0.45, RANGE, 0.25, 0.9, Interval(100, 2720))
    assert answers(covered)[:5] == [
        (0.45, None),
        ([0.4, 0.5], None),
        (0.25, None),
        (0.9, None),
        ([100, 2720], "at least, and at most"),
    ]
    assert answers(covered)[5:] == [
        (2.0, "above 1: never"),
        (pytest.approx(0.8), None),
        (pytest.approx(0.4), None),
        (pytest.approx(0.2), None),
    ]
    assert "[100, 2720]" in reference_table(covered, alpha=0).render("text")


def test_what_cannot_be_told_has_a_reason() -> None:
    found = answers(ReferenceCoverage(2, 1.0, RANGE, None, 1.0, None))
    assert found[2] == (None, "no reference changes it")
    assert found[4] == (None, "all references agree: what they miss does not show")
    assert found[5:] == [(None, "no reference changes the source")] * 4
    found = answers(ReferenceCoverage(2, 0.0, RANGE, 0.0, None, Interval(5, 3466)))
    assert found[3] == (None, "no reference leaves it alone")
    assert found[5:] == [(None, "no two references agree on a change")] * 4


def test_one_sentence_has_dashes_for_intervals() -> None:
    alone = TrueScore("mine", 1.0, None, 1.0, None)
    made = true_score_table([alone])
    assert made.footnotes[-1] == NO_INTERVAL
    assert made.render("markdown").split("\n")[4] == "| mine | 1.000 | – | 1.000 | – |"
    assert NO_INTERVAL not in true_score_table([TrueScore("mine", 1.0, RANGE, 1.0, RANGE)]).footnotes
    curve = [Coverage(1, 0.5, None, 0.5)]
    made = coverage_table(curve, {})
    assert made.to_object()["rows"][0] == {
        "references": 1,
        "coverage": 0.5,
        "interval": None,
        "different references": 0.5,
        "observed": None,
        "hidden": 0.5,
    }
    assert made.footnotes[-1] == NO_INTERVAL


def test_a_curve_without_intervals() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    chart = curve_chart({"accuracy": as_scores([Coverage(1, 0.5, None, 0.5)])}, title="t").to_dict()
    [values] = chart["datasets"].values()
    assert values == [{"references": 1, "what": "accuracy", "score": 0.5, "low": 0.5, "high": 0.5}]


def test_above_people_is_below_them_where_lower_is_better() -> None:
    listed = [
        AgainstPeople("a", "m", *scores, higher_is_better=up) for up in (True, False) for scores in ((3, 2), (1, 2))
    ]
    assert people_table(listed).bold == {(0, 2), (3, 2)}


def test_people_have_intervals() -> None:
    [row] = people_table([AgainstPeople("a", "gleu", 0.5, 0.25, RANGE, Interval(0.1, 0.3))]).to_object()["rows"]
    assert (row["ratio"], row["interval"], row["people's interval"]) == (2, [0.4, 0.5], [0.1, 0.3])
