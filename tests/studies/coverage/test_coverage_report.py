"""Coverage as tables and charts: what cannot be told is a dash with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gecval import CrowdCoverage, Interval, ReferenceCoverage
from gecval.studies.coverage.charts import crowd_chart, people_chart
from gecval.studies.coverage.own_references import break_even_values
from gecval.studies.coverage.result import Coverage, CrowdSummary, PerfectScore, SimulatedTestSet, Threshold, TrueScore
from gecval.studies.coverage.tables import (
    answer_table,
    coverage_table,
    people_table,
    reference_tables,
    threshold_table,
    true_score_table,
)
from gecval.studies.scores.people import AgainstPeople

RANGE = Interval(0.4, 0.5)
NO_INTERVAL = "no interval: one sentence does not show how much sentences differ"


def covered(changed: float | None, unchanged: float | None, to_halve: Interval | None) -> ReferenceCoverage:
    return ReferenceCoverage(
        sentences=4,
        references=10,
        coverage=0.45,
        range=RANGE,
        changed=changed,
        unchanged=unchanged,
        to_halve=to_halve,
        alpha=0.0,
        break_even=break_even_values(changed, alpha=0.0),
        level=0.9,
    )


def point(interval: Interval | None) -> Coverage:
    return Coverage(references=1, with_replacement=0.5, interval=interval, without_replacement=0.5)


def curve(interval: Interval | None) -> CrowdCoverage:
    thresholds = (Threshold(frequency=0.0, variants=2.0, mass=1.0),)
    return CrowdCoverage(sentences=1, thresholds=thresholds, curve=(point(interval),), level=0.9)


def beside(score: float, people: float, **fields: object) -> AgainstPeople:
    return AgainstPeople(system="a", metric="gleu", score=score, people=people, signature="", **fields)


def answers(result: ReferenceCoverage) -> list[tuple[object, object]]:
    return [(row["answer"], row["remark"]) for row in answer_table(result).to_object()["rows"]]


def test_answers_are_numbers_and_intervals() -> None:
    result = covered(0.25, 0.9, Interval(100, 2720))
    assert answers(result)[:5] == [
        (0.45, None),
        ([0.4, 0.5], None),
        (0.25, None),
        (0.9, None),
        ([100, 2720], "at least, and at most"),
    ]
    assert answers(result)[5:] == [
        (2.0, "above 1: never"),
        (pytest.approx(0.8), None),
        (pytest.approx(0.4), None),
        (pytest.approx(0.2), None),
    ]
    assert "[100, 2720]" in answer_table(result).render("text")
    header, *rows = [line.split("\t") for line in answer_table(result, "tsv").render("tsv").splitlines()]
    assert header == ["question", "answer", "answer low", "answer high", "remark"]
    assert [row[1:] for row in rows[:2]] == [["0.45", "", "", ""], ["", "0.4", "0.5", ""]]


def test_what_cannot_be_told_has_a_reason() -> None:
    shown = answers(covered(None, 1.0, None))
    assert shown[2] == (None, "no reference changes it")
    assert shown[4] == (None, "all references agree: what they miss does not show")
    assert shown[5:] == [(None, "no reference changes the source")] * 4
    shown = answers(covered(0.0, None, Interval(5, 3466)))
    assert shown[3] == (None, "no reference leaves it alone")
    assert shown[5:] == [(None, "no two references agree on a change")] * 4


def test_the_price_of_a_wrong_correction_is_named() -> None:
    last = answer_table(replace(covered(0.25, 0.9, None), alpha=0.5)).rows[-1]
    assert last[0] == "p_correct from which correcting pays if p_detect is 0.95 (a wrong one costs 0.5)"


def test_only_what_was_asked_for_is_shown() -> None:
    result = covered(0.25, 0.9, None)
    assert [table.title for table in reference_tables(result)] == ["10 references a sentence"]


def scored(interval: Interval | None) -> ReferenceCoverage:
    score = TrueScore(
        system="mine", accuracy=1.0, interval=interval, true_accuracy=1.0, true_interval=interval, signature=""
    )
    return replace(covered(0.25, 0.9, None), true_scores=(score,))


def test_one_sentence_has_dashes_for_intervals() -> None:
    made = true_score_table(scored(None))
    assert made.columns == ["system", "accuracy", "90% interval", "true accuracy", "true 90% interval"]
    assert made.footnotes[-1] == NO_INTERVAL
    assert made.render("markdown").split("\n")[4] == "| mine | 1.000 | – | 1.000 | – |"
    assert NO_INTERVAL not in true_score_table(scored(RANGE)).footnotes
    made = coverage_table(curve(None))
    assert made.to_object()["rows"][0] == {
        "references": 1,
        "coverage": 0.5,
        "90% interval": None,
        "different references": 0.5,
        "observed": None,
        "hidden": 0.5,
    }
    assert made.footnotes[-1] == NO_INTERVAL
    header, row = [line.split("\t") for line in coverage_table(curve(RANGE)).render("tsv").splitlines()]
    assert header[:5] == ["references", "coverage", "coverage low", "coverage high", "level"]
    assert row[:5] == ["1", "0.5", "0.4", "0.5", "0.9"]


def test_a_crowd_is_summed_up() -> None:
    assert threshold_table(curve(RANGE)).footnotes == ["from 1 histograms"]
    summary = CrowdSummary(corrections=50.88, different=27.3, variants=Interval(190.2, 2047.9))
    assert threshold_table(replace(curve(RANGE), sentences=52, summary=summary)).footnotes == [
        "52 sentences, 50.9 corrections each, 27.3 of them different",
        "190 to 2048 variants would explain the corrections nearly as well: their number is uncertain, coverage is "
        "less so",
    ]


def test_numbers_of_variants_have_two_decimals() -> None:
    thresholds = (Threshold(frequency=0.001, variants=2.3456, mass=0.5),)
    assert threshold_table(replace(curve(RANGE), thresholds=thresholds)).rows == [[0.001, 2.35, 0.5]]


def test_scores_of_a_perfect_system_stand_beside_coverage() -> None:
    result = replace(
        curve(RANGE),
        test_set=SimulatedTestSet(sentences=100, correct=10, replacement=False, seed=1),
        scores=(
            PerfectScore(metric="ld", references=1, score=3.5, interval=RANGE, signature="", higher_is_better=False),
        ),
    )
    made = coverage_table(result)
    assert made.rows[0][-2:] == [3.5, RANGE]
    assert made.columns[-2:] == ["ld", "ld 90% interval"]
    assert made.footnotes[-2:] == [
        "scores: on a simulated test set of 100 sentences, 10 of them correct, each person's correction drawn once at "
        "most",
        "ld: lower is better",
    ]


def test_above_people_is_below_them_where_lower_is_better() -> None:
    rows = tuple(beside(*scores, higher_is_better=up) for up in (True, False) for scores in ((3, 2), (1, 2)))
    made = people_table(replace(covered(0.25, 0.9, None), people=rows))
    assert made.bold == {(0, 2), (3, 2)}
    assert made.footnotes[-1] == "gleu: lower is better"


def test_people_have_intervals() -> None:
    rows = (beside(0.5, 0.25, interval=RANGE, people_interval=Interval(0.1, 0.3)),)
    [row] = people_table(replace(covered(0.25, 0.9, None), people=rows)).to_object()["rows"]
    assert (row["ratio"], row["90% interval"], row["people's 90% interval"]) == (2, [0.4, 0.5], [0.1, 0.3])
    mixed = people_table(replace(covered(0.25, 0.9, None), people=(*rows, beside(0.5, 0.25)))).to_object()["rows"]
    assert [row["90% interval"] for row in mixed] == [[0.4, 0.5], None]


def test_numbers_have_three_decimals() -> None:
    result = replace(scored(RANGE), people=(beside(0.5, 0.25),))
    tables = [*reference_tables(result), threshold_table(curve(RANGE)), coverage_table(curve(RANGE))]
    assert [table.digits for table in tables] == [3] * 5


def values(spec: dict) -> list[dict]:
    return [row for dataset in spec["datasets"].values() for row in dataset]


def test_a_curve_without_intervals() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    spec = crowd_chart(curve(None)).to_dict()
    assert values(spec) == [{"references": 1, "series": "accuracy", "score": 0.5, "low": 0.5, "high": 0.5}]
    title = spec["layer"][0]["title"]
    assert title["text"] == "What a perfect system scores with M references"
    assert title["subtitle"] == ["accuracy: the share of valid corrections that M references cover"]
    with_intervals = crowd_chart(curve(RANGE)).to_dict()["layer"][0]["title"]["subtitle"]
    assert with_intervals[1] == "bands: 90% intervals over sentences"


@pytest.mark.parametrize(("low", "high", "domain"), [(0.0, 1.0, [0, 1]), (-0.1, 0.9, None), (0.1, 1.5, None)])
def test_shares_have_an_axis_from_0_to_1(low: float, high: float, domain: list[int] | None) -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    band = crowd_chart(curve(Interval(low, high))).to_dict()["layer"][0]
    assert band["encoding"]["y"]["scale"].get("domain") == domain


def test_people_are_a_bar_of_their_own_under_every_metric() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    rows = (beside(0.5, 0.25), replace(beside(0.1, 0.25), metric="m2"))
    spec = people_chart(replace(covered(0.25, 0.9, None), people=rows)).to_dict()
    titles = [panel["layer"][0]["title"] for panel in spec["vconcat"]]
    assert [title["text"] for title in titles] == ["Systems and people: gleu", "Systems and people: m2"]
    assert all("intervals" not in line for title in titles for line in title["subtitle"])
    assert [(row["name"], row["who"], row["score"]) for row in values(spec)] == [
        ("a", "system", 0.5),
        ("(people)", "people", 0.25),
        ("(people)", "people", 0.25),
        ("a", "system", 0.1),
    ]
