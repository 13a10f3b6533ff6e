"""Charts of scores and differences: what is drawn, in which order, in the colour of which role."""

from __future__ import annotations

from typing import Any

import pytest

from gecval import Corpus, compare, compare_all, score
from gecval.results import theme
from gecval.stats import Resampling
from gecval.studies.scores.charts import comparison_chart, score_chart

pytest.importorskip("altair", reason="needs the extra [report]")

SENTENCES = 40
CORPUS = Corpus.from_texts([f"a{i} b" for i in range(SENTENCES)], [[f"a{i} c"] for i in range(SENTENCES)])


def outputs(right: int) -> list[str]:
    return [f"a{i} {'c' if i < right else 'b'}" for i in range(SENTENCES)]


SYSTEMS = {"poor": outputs(5), "good": outputs(35), "like": outputs(34)}


def panels(chart: Any) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each panel with the rows that it draws."""
    drawn = chart.to_dict()
    listed = []
    for panel in drawn["vconcat"]:
        # Altair moves data that all layers or panels share upwards.
        data = next(part["data"] for part in (panel["layer"][-1], panel, drawn) if "data" in part)
        listed.append((panel, drawn["datasets"][data["name"]]))
    return listed


def test_scores_from_best_to_worst_with_intervals() -> None:
    scores = score(CORPUS, SYSTEMS, ["accuracy", "ld"], resampling=Resampling(200, level=0.9))
    (accuracy, rows), (ld, _) = panels(score_chart(scores))
    assert (accuracy["title"]["text"], ld["title"]["text"]) == ("accuracy", "ld")
    assert accuracy["title"]["subtitle"] == "lines: 90% intervals"
    assert [row["system"] for row in rows] == ["good", "like", "poor"]
    assert rows[0]["score"] == 35 / 40
    assert (rows[0]["low"], rows[0]["high"]) == scores["good", "accuracy"].interval


def test_scores_without_intervals_are_dots() -> None:
    [(panel, rows)] = panels(score_chart(score(CORPUS, SYSTEMS, ["accuracy"])))
    assert all(row["low"] == row["high"] == row["score"] for row in rows)
    assert panel["title"]["subtitle"] == ""
    assert panel["layer"][0]["encoding"]["color"]["value"] == theme.SYSTEM


def test_clusters_have_colours() -> None:
    [(panel, rows)] = panels(score_chart(score(CORPUS, SYSTEMS, ["accuracy"], clusters=True)))
    assert [row["cluster"] for row in rows] == ["1", "1", "2"]
    assert panel["layer"][0]["encoding"]["color"]["field"] == "cluster"


def test_differences_have_the_colours_of_better_worse_and_chance() -> None:
    good = CORPUS.system("good", SYSTEMS["good"])
    others = {name: SYSTEMS[name] for name in ("poor", "like")} | {"best": outputs(40)}
    [(panel, rows)] = panels(comparison_chart(compare(CORPUS, good, others, ["accuracy"])))
    assert [(row["pair"], row["kind"]) for row in rows] == [
        ("poor − good", "worse"),
        ("like − good", "may be chance"),
        ("best − good", "better"),
    ]
    scale = panel["layer"][1]["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True)) == {
        "better": theme.POSITIVE,
        "worse": theme.NEGATIVE,
        "may be chance": theme.REFERENCE,
    }
    assert panel["title"]["subtitle"] == "lines: 95% intervals; colours: p < 0.05"


def test_all_pairs() -> None:
    [(panel, rows)] = panels(comparison_chart(compare_all(CORPUS, SYSTEMS, ["accuracy"])))
    assert [row["pair"] for row in rows] == ["good − like", "good − poor", "like − poor"]
    assert panel["title"]["subtitle"].endswith("p < 0.05 after Holm's correction")
