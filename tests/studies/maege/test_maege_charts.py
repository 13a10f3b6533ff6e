"""MAEGE's charts: what they show, and that it can be read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gecval import InputError
from gecval.corpus.edit import Edit
from gecval.results import theme
from gecval.results.theme import heading
from gecval.sample import load_sample
from gecval.studies.maege.charts import _colour_end, draw_lattice, maege_chart, type_heat_map
from gecval.studies.maege.lattices import Lattice
from gecval.studies.maege.result import Maege
from gecval.studies.maege.study import maege

pytest.importorskip("altair", reason="needs the extra [report]")


@pytest.fixture(scope="module")
def study() -> Maege:
    corpus, _ = load_sample()
    result = maege(corpus, corpus, ["ld", "gleu"], replicates=2, by_type=True)
    largest = max(abs(row.delta.mean) for row in result.types if row.metric == "ld")
    # One type whose Δ is a hundred times any other's.
    outlier = [
        replace(row, delta=replace(row.delta, mean=100 * largest)) if (row.type, row.metric) == ("M:DET", "ld") else row
        for row in result.types
    ]
    return replace(result, types=tuple(outlier))


def values(chart: dict[str, Any], layer: dict[str, Any]) -> list[dict[str, Any]]:
    named = layer.get("data") or chart["data"]
    return chart["datasets"][named["name"]] if "name" in named else named["values"]


def test_an_outlier_does_not_take_the_colour_from_other_types(study: Maege) -> None:
    chart = type_heat_map(study).to_dict()
    [listed] = chart["datasets"].values()
    cells = {(cell["type"], cell["metric"]): cell for cell in listed}
    assert cells["M:DET", "ld"]["share"] == 1
    sizes = [abs(row.delta.mean) for row in study.types if row.metric == "ld"]
    assert len(cells) == len(study.types)
    for row in study.types:
        cell = cells[row.type, row.metric]
        assert cell["delta"] == row.delta.mean
        assert row.metric == "gleu" or cell["share"] == pytest.approx(
            float(np.clip(cell["delta"] / np.quantile(sizes, 0.9), -1, 1))
        )
    assert sum(abs(cell["share"]) > 0.1 for (_, name), cell in cells.items() if name == "ld") > 5
    assert "darkest from the 90% quantile of its |Δ| on" in " ".join(chart["layer"][0]["title"]["subtitle"])


def test_where_colours_are_darkest() -> None:
    assert _colour_end([-1.0, *[0.5] * 10, 0.0]) == 0.5
    assert _colour_end([*[0.0] * 19, -2.0]) == 2.0  # the quantile is 0
    assert _colour_end([0.0, 0.0]) == 1.0


def test_a_lattice_says_how_many_of_its_edits_are_shown() -> None:
    edits = tuple(Edit(i, i + 1, ("x",)) for i in range(7))
    chart = draw_lattice(Lattice(tuple("abcdefg"), edits)).to_dict()
    assert "a subset of the first 5 of 7 edits" in " ".join(chart["title"]["subtitle"])


def test_metrics_beside_people(study: Maege) -> None:
    chart = maege_chart("human", study, {"gleu": 0.5, "other": 0.1}).to_dict()
    [listed] = chart["datasets"].values()
    assert [(row["metric"], row["human"]) for row in listed] == [("gleu", 0.5)]
    assert listed[0]["maege"] == study["gleu"].corpus_spearman.mean
    with pytest.raises(InputError, match=r"no metric has both .*; there, these have one: other"):
        maege_chart("human", study, {"other": 0.1})
    with pytest.raises(InputError, match="the chart human needs the correlations of metrics with people"):
        maege_chart("human", study)
    with pytest.raises(InputError, match="there is no chart 'pie'; there is types, corpora, originals, lattice, human"):
        maege_chart("pie", study)


def test_lines_of_titles_are_no_wider_than_the_chart() -> None:
    title = heading("A title of some words that is long", "And an explanation that is a good deal longer.", 200)
    assert title.text == ["A title of some words that", "is long"]
    assert all(len(line) * 0.5 * theme.SUBTITLE_SIZE <= 200 for line in title.subtitle)
