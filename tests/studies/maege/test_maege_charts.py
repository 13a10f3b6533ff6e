"""MAEGE's charts: what they show, and that it can be read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gecval import InputError
from gecval.corpus.edit import Edit
from gecval.results import theme
from gecval.results.table import P
from gecval.results.theme import heading
from gecval.sample import load_sample
from gecval.stats import Interval
from gecval.studies.maege import charts
from gecval.studies.maege.charts import CHARTS, _colour_end, draw_lattice, maege_chart, type_heat_map
from gecval.studies.maege.lattices import Lattice
from gecval.studies.maege.result import FIGURES, Maege, ReplicateMean, TypeDelta
from gecval.studies.maege.study import maege
from gecval.studies.maege.tables import maege_tables

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


def test_few_metrics_share_the_width_of_the_title(study: Maege) -> None:
    assert type_heat_map(study).to_dict()["width"] == {"step": theme.WIDTH / 2}
    wide = tuple(replace(study.types[0], metric=f"metric{i}") for i in range(20))
    assert type_heat_map(replace(study, types=wide)).to_dict()["width"] == {"step": 64}


def test_tables_have_three_decimals(study: Maege) -> None:
    digits = {table.title: table.digits for table in maege_tables(study)}
    expected = ["Agreement with the lattices", "Metric against metric", "Δ of the score by type of edit"]
    assert digits == dict.fromkeys(expected, 3)


def test_deltas_whose_interval_excludes_zero_are_bold(study: Maege) -> None:
    """A row per type, a column per metric; for other programs a row per type and metric."""

    def delta(kind: str, name: str, mean: float, interval: Interval | None) -> TypeDelta:
        return TypeDelta(
            type=kind, metric=name, edits=7, delta=ReplicateMean(mean=mean, interval=interval, deviation=0)
        )

    types = (
        delta("DET", "ld", 0.5, Interval(0.25, 0.75)),
        delta("DET", "gleu", 0.25, Interval(0.0, 0.5)),
        delta("VERB", "ld", -0.5, Interval(-0.75, 0.0)),
        delta("VERB", "gleu", -0.25, Interval(-0.5, -0.125)),
        delta("NOUN", "ld", 1.0, None),
        delta("NOUN", "gleu", 2.0, Interval(1.0, 3.0)),
    )
    table = maege_tables(replace(study, types=types))[-1]
    assert table.columns == ["type", "ld", "gleu"]
    assert table.rows == [["DET", 0.5, 0.25], ["VERB", -0.5, -0.25], ["NOUN", 1.0, 2.0]]
    assert table.bold == {(0, 1), (1, 2), (2, 2)}
    long = maege_tables(replace(study, types=types), "tsv")[-1]
    assert long.columns == ["type", "metric", "Δ", "interval", "edits"]
    assert long.rows[0] == ["DET", "ld", 0.5, Interval(0.25, 0.75), 7]
    assert len(long.rows) == 6


def test_the_best_of_each_figure_is_bold(study: Maege) -> None:
    """With several replicates every figure has its interval beside it, and there is metric against metric."""
    agreement, differences, *_ = maege_tables(study)
    figures = ["corpus ρ", "corpus r", "sentence τ", "sentence r"]
    assert agreement.columns == ["metric", *(name for figure in figures for name in (figure, f"{figure} 95%")), "ties"]
    for r, summary in enumerate(study):
        cells = [summary.corpus_spearman, summary.corpus_pearson, summary.sentence_tau, summary.sentence_pearson]
        shown = [cell for value in cells for cell in (value.mean, value.interval)]
        assert agreement.rows[r] == [summary.metric, *shown, summary.tie_rate]
        best = {1 + 2 * FIGURES.index(figure) for figure in summary.best}
        assert {column for row, column in agreement.bold if row == r} == best
    assert agreement.bold
    assert agreement.footnotes[0].startswith(f"2 replicates of {study.sentences} sentences, ")
    assert differences.columns[:5] == ["figure", "metric", "against", "better by", "95%"]
    first = study.differences[0]
    assert differences.rows[0][:5] == [
        *("corpus ρ", first.metric, first.against, first.difference.mean, first.difference.interval)
    ]
    assert len(differences.columns) == 5  # two replicates are too few for p
    tested = replace(study, differences=(first, replace(first, p=0.04)))  # of figures that are defined often enough
    _, differences, *_ = maege_tables(tested)
    assert differences.columns[5:] == ["p"]
    assert [row[5:] for row in differences.rows] == [[None], [P(0.04)]]
    assert len(maege_tables(replace(study, differences=(), types=()))) == 1
    [alone] = maege_tables(replace(study, replicates=1, differences=(), types=()))
    assert alone.columns == ["metric", *figures, "ties"]
    assert alone.footnotes[0].startswith(f"1 replicate of {study.sentences} sentences, ")


def test_where_colours_are_darkest() -> None:
    assert _colour_end([-1.0, *[0.5] * 10, 0.0]) == 0.5
    assert _colour_end([*[0.0] * 19, -2.0]) == 2.0  # the quantile is 0
    assert _colour_end([0.0, 0.0]) == 1.0


def test_figures_on_dark_squares_are_white(study: Maege) -> None:
    [colour] = [layer["encoding"]["color"] for layer in type_heat_map(study).to_dict()["layer"][1:]]
    assert colour["condition"] == {"test": "abs(datum.share) > 0.7", "value": theme.ON_DARK_CELL}
    assert colour["value"] == theme.ON_LIGHT_CELL


def test_sentences_stand_above_and_below_the_lattice() -> None:
    edits = (Edit(0, 1, ("A",)), Edit(1, 1, ("x",)), Edit(2, 3, ("",)))
    chart = draw_lattice(Lattice(("a", "b", "c"), edits)).to_dict()
    shifts = {
        chart["datasets"][layer["data"]["name"]][0]["text"]: layer["mark"]["dy"]
        for layer in chart["layer"]
        if layer["mark"].get("fontWeight") == "bold"
    }
    assert shifts == {"a b c": 18, "A x b": -14}


def test_edges_of_the_chain_say_what_they_change() -> None:
    edits = (Edit(0, 1, ("A",)), Edit(1, 1, ("x",)), Edit(2, 3, ("",)))
    chart = draw_lattice(Lattice(("a", "b", "c"), edits)).to_dict()
    rows = [row for dataset in chart["datasets"].values() for row in dataset]
    assert [(row["x"], row["y"], row["text"]) for row in rows if "→" in row.get("text", "")] == [
        (-0.5, 0.5, "a → A"),
        (-1, 1.5, "∅ → x"),
        (-0.5, 2.5, "c → ∅"),
    ]
    dots = {(row["x"], row["y"]) for row in rows if set(row) == {"x", "y"}}
    assert dots == {(0, 0), (-1, 1), (0, 1), (1, 1), (-1, 2), (0, 2), (1, 2), (0, 3)}  # around the middle
    assert chart["height"] == 3 * 90
    assert "a subset of 3 edits" in " ".join(chart["title"]["subtitle"])


def test_a_lattice_says_how_many_of_its_edits_are_shown() -> None:
    edits = tuple(Edit(i, i + 1, ("x",)) for i in range(7))
    chart = draw_lattice(Lattice(tuple("abcdefg"), edits)).to_dict()
    assert "a subset of the first 5 of 7 edits" in " ".join(chart["title"]["subtitle"])


def test_a_panel_per_metric_with_means_and_bands(study: Maege) -> None:
    chart = maege_chart("corpora", study).to_dict()
    assert [panel["title"]["text"] for panel in chart["concat"]] == ["ld", "gleu"]
    for panel, metric in zip(chart["concat"], ("ld", "gleu"), strict=True):
        rows = values(chart, panel)
        expected = [row for row in study.corpora if row.metric == metric]
        assert [(row["model"], row["score"], row["low"], row["high"]) for row in rows] == [
            (row.model, row.score.mean, row.score.interval.low, row.score.interval.high)
            for row in expected
            if row.score.interval
        ]
        assert [layer["mark"]["type"] for layer in panel["layer"]] == ["area", "line"]
        assert len(expected) == 11
    assert "mean score of 2 corpora" in " ".join(chart["title"]["subtitle"])
    assert "middle 95%" in " ".join(chart["title"]["subtitle"])


def test_the_title_of_a_heat_map_is_as_wide_as_its_cells(monkeypatch: pytest.MonkeyPatch, study: Maege) -> None:
    widths = []
    monkeypatch.setattr(charts, "heading", lambda title, explained, width: widths.append(width) or title)
    [first, *_] = study.types
    for metrics in (1, 20):
        type_heat_map(replace(study, types=tuple(replace(first, metric=f"metric {k}") for k in range(metrics))))
    assert widths == [charts.WIDTH, 20 * charts.CELL]


def test_titles_are_as_wide_as_the_panels(monkeypatch: pytest.MonkeyPatch, study: Maege) -> None:
    widths = []
    monkeypatch.setattr(charts, "heading", lambda title, explained, width: widths.append(width) or title)
    maege_chart("corpora", study)
    maege_chart("corpora", replace(study, corpora=tuple(row for row in study.corpora if row.metric == "ld")))
    assert widths == [2 * charts.PANEL_WIDTH + charts.GAP, theme.WIDTH]


def test_one_replicate_has_no_band() -> None:
    corpus, _ = load_sample()
    chart = maege_chart("corpora", maege(corpus, corpus, ["ld"])).to_dict()
    [panel] = chart["concat"]
    assert panel["mark"]["type"] == "line"
    assert "band" not in " ".join(chart["title"]["subtitle"])


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


@pytest.mark.parametrize("kind", [*CHARTS, "human"])
def test_every_chart_says_what_it_asks_and_how_to_read_it(kind: str, study: Maege) -> None:
    chart = maege_chart(kind, study, {"gleu": 0.5}).to_dict()
    title = next(part["title"] for part in (chart, *chart.get("layer", ())) if "title" in part)
    assert len(" ".join(title["text"])) > 20
    assert len(" ".join(title["subtitle"])) > 40


def test_lines_of_titles_are_no_wider_than_the_chart() -> None:
    title = heading("A title of some words that is long", "And an explanation that is a good deal longer.", 200)
    assert title.text == ["A title of some words that", "is long"]
    assert all(len(line) * 0.5 * theme.SUBTITLE_SIZE <= 200 for line in title.subtitle)
