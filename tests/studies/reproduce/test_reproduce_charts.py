"""A paper's figures and tables as charts: what is drawn, by the values in the specification."""

from __future__ import annotations

from typing import Any

import pytest

from gecval.results import theme
from gecval.stats import Interval
from gecval.studies.reproduce.charts import beside_chart, curve_chart, file_name, paper_charts
from gecval.studies.reproduce.result import Curve, Figure, PaperChart, PaperTable, Point, Reproduction

pytest.importorskip("altair")

CURVES = PaperChart(
    x="references",
    y="score",
    curves=(
        Curve(name="ours", points=(Point(x=1, y=0.25, interval=Interval(0.125, 0.5)), Point(x=2, y=0.75))),
        Curve(name="gap", points=(Point(x=1, y=float("nan")), Point(x=2, y=0.5))),
    ),
)
TABLE = PaperTable(
    title="Table 1: ρ",
    columns=("ρ", "size"),
    rows={
        "gleu": {"ρ": Figure(published=0.5, ours=0.25, interval=Interval(0.0, 0.5)), "size": Figure(ours=1.0)},
        "lost": {"ρ": Figure(published=0.75), "size": Figure(published=5000.0)},
    },
)


def values(spec: dict[str, Any], panel: dict[str, Any]) -> list[dict[str, Any]]:
    """What a panel draws; altair keeps data that several parts share at the top."""
    data = panel.get("data") or spec["data"]
    listed: list[dict[str, Any]] = data["values"] if "values" in data else spec["datasets"][data["name"]]
    return listed


def test_curves() -> None:
    drawn = curve_chart("Figure 1", CURVES).to_dict()
    assert values(drawn, drawn["layer"][0]) == [
        {"curve": "ours", "x": 1, "y": 0.25, "low": 0.125, "high": 0.5},
        {"curve": "ours", "x": 2, "y": 0.75, "low": 0.75, "high": 0.75},
        {"curve": "gap", "x": 2, "y": 0.5, "low": 0.5, "high": 0.5},
    ]
    assert drawn["layer"][0]["title"]["subtitle"] == ["bands: 95% intervals"]
    plain = curve_chart("Figure 1", PaperChart(x="x", y="y", curves=CURVES.curves[1:])).to_dict()
    assert plain["layer"][0]["title"]["subtitle"] == []


def test_as_many_systems_as_colours() -> None:
    systems = [Curve(name=f"system {k}", points=(Point(x=1, y=k),)) for k in range(len(theme.CATEGORIES))]
    assert "grey: the systems" not in str(curve_chart("F", PaperChart(x="x", y="y", curves=tuple(systems))).to_dict())


def test_more_systems_than_colours() -> None:
    systems = [Curve(name=f"system {k}", points=(Point(x=1, y=k),)) for k in range(7)]
    people = Curve(name="people", points=(Point(x=1, y=9.0),), people=True)
    drawn = str(curve_chart("Figure 3", PaperChart(x="x", y="y", curves=(people, *systems))).to_dict())
    assert "'values': ['people']" in drawn  # the legend names people only
    assert "grey: the systems" in drawn


def test_published_beside_ours() -> None:
    drawn = beside_chart(TABLE).to_dict()
    assert len(drawn["concat"]) == 2
    first, second = (values(drawn, panel) for panel in drawn["concat"])
    assert first == [
        {"row": "gleu", "who": "published", "value": 0.5, "low": 0.5, "high": 0.5},
        {"row": "gleu", "who": "ours", "value": 0.25, "low": 0.0, "high": 0.5},
        {"row": "lost", "who": "published", "value": 0.75, "low": 0.75, "high": 0.75},
    ]
    assert [row["value"] for row in second] == [1.0, 5000.0]
    scales = [panel["layer"][1]["encoding"]["x"]["scale"] for panel in drawn["concat"]]
    assert "type" not in scales[0]
    assert scales[1]["type"] == "symlog"
    assert drawn["concat"][1]["layer"][1]["encoding"]["x"]["axis"]["values"] == [0, 10, 100, 1000]
    assert drawn["title"]["subtitle"] == ["lines: 95% intervals"]


@pytest.mark.parametrize(
    ("figures", "logarithmic"),
    [
        ([1.0, 1001.0], True),
        ([1.0, 1000.0], False),  # a thousand times as large, and no more
        ([2.0, 1500.0], False),
        ([0.0, 1.0, 1001.0], True),
        ([-1.0, 5000.0], False),
        ([0.001, 10.0], False),  # small numbers are read as they are
        ([0.001, 10.5], True),
        ([0.0], False),
    ],
)
def test_a_scale_is_logarithmic_where_numbers_are_far_apart(figures: list[float], logarithmic: bool) -> None:
    rows = {f"row {k}": {"x": Figure(ours=figure)} for k, figure in enumerate(figures)}
    [panel] = beside_chart(PaperTable(title="T", columns=("x",), rows=rows)).to_dict()["concat"]
    assert (panel["layer"][1]["encoding"]["x"]["scale"].get("type") == "symlog") == logarithmic


def test_an_interval_with_one_end_is_none() -> None:
    figure = Figure(ours=0.5, interval=Interval(0.25, float("nan")))
    drawn = beside_chart(PaperTable(title="T", columns=("x",), rows={"gleu": {"x": figure}})).to_dict()
    assert values(drawn, drawn["concat"][0]) == [{"row": "gleu", "who": "ours", "value": 0.5, "low": 0.5, "high": 0.5}]


def test_columns_that_are_an_interval() -> None:
    cells = {
        "score": Figure(ours=0.35),
        "low": Figure(published=0.25, ours=0.3),
        "high": Figure(published=0.75, ours=0.4),
    }
    table = PaperTable(title="Figure 2", columns=("score", "low", "high"), rows={"AMU": cells}, row_name="system")
    drawn = beside_chart(table).to_dict()
    [panel] = drawn["concat"]
    assert values(drawn, panel) == [
        {"row": "AMU", "who": "published", "value": 0.5, "low": 0.25, "high": 0.75},
        {"row": "AMU", "who": "ours", "value": 0.35, "low": 0.3, "high": 0.4},
    ]


def test_an_interval_needs_both_ends() -> None:
    cells = {"score": Figure(published=0.5, ours=0.5), "low": Figure(published=0.25)}
    table = PaperTable(title="Figure 2", columns=("score", "low", "high"), rows={"AMU": cells})
    drawn = beside_chart(table).to_dict()
    assert [(row["low"], row["high"]) for row in values(drawn, drawn["concat"][0])] == [(0.5, 0.5)] * 2


def test_what_is_drawn() -> None:
    figure = PaperTable(title="Figure 1: curves", columns=("x",), rows={}, chart=CURVES)
    nothing = PaperTable(title="Table 7", columns=("x",), rows={"lost": {"x": Figure(published=1.0)}})
    result = Reproduction(paper="human", about="people", tables=(TABLE, figure, nothing))
    assert [name for name, _ in paper_charts(result)] == ["table-1", "figure-1-curves"]


def test_long_titles_are_cut_between_words() -> None:
    assert file_name("word " * 30) == "-".join(["word"] * 12)
    assert file_name(f"{'a' * 30} {'b' * 29}") == f"{'a' * 30}-{'b' * 29}"  # 60 signs
    assert file_name(f"{'a' * 30} {'b' * 30}") == "a" * 30


@pytest.mark.parametrize(("columns", "abreast"), [(1, 1), (4, 4), (5, 3), (7, 4), (9, 3), (10, 4)])
def test_rows_of_panels_are_about_equally_long(columns: int, abreast: int) -> None:
    names = tuple(f"column {k}" for k in range(columns))
    drawn = beside_chart(
        PaperTable(title="T", columns=names, rows={"gleu": {name: Figure(ours=1.0) for name in names}})
    ).to_dict()
    assert drawn["columns"] == abreast
    labelled = [panel["layer"][0]["encoding"]["y"]["axis"]["labels"] for panel in drawn["concat"]]
    assert labelled == [k % abreast == 0 for k in range(columns)]  # names of rows stand at the left


def test_a_legend_only_where_there_are_two_kinds_of_figures() -> None:
    [panel] = beside_chart(PaperTable(title="T", columns=("x",), rows={"gleu": {"x": Figure(ours=1.0)}})).to_dict()[
        "concat"
    ]
    dots = panel["layer"][1]["encoding"]
    assert dots["color"]["legend"] is None
    assert dots["shape"]["legend"] is None
    assert dots["color"]["scale"] == {"domain": ["ours"], "range": [theme.SYSTEM]}
    both = beside_chart(TABLE).to_dict()["concat"][0]["layer"][1]["encoding"]
    assert "legend" not in both["color"]
    assert both["color"]["scale"] == {"domain": ["published", "ours"], "range": [theme.REFERENCE, theme.SYSTEM]}
    assert both["shape"]["scale"]["range"] == ["diamond", "circle"]
    # The published figure is larger: it is seen behind ours where the two agree.
    assert both["size"]["condition"][0]["value"] > 2 * both["size"]["value"]


def test_a_long_title_has_several_lines() -> None:
    title = "Table 1: correlation of metrics (20 references, means of sentence scores) with the TrueSkill ranking"
    lines = [
        "Table 1: correlation of metrics (20 references, means of",
        "sentence scores) with the TrueSkill ranking",
    ]
    assert curve_chart(title, CURVES).to_dict()["layer"][0]["title"]["text"] == lines
    assert beside_chart(PaperTable(title=title, columns=("ρ",), rows=TABLE.rows)).to_dict()["title"]["text"] == lines


def test_numbers_under_a_panel_keep_apart() -> None:
    [panel, *_] = beside_chart(TABLE).to_dict()["concat"]
    assert panel["layer"][0]["encoding"]["x"]["axis"]["labelSeparation"] == 12


def test_long_labels_have_room_in_a_wider_font() -> None:
    assert beside_chart(TABLE).to_dict()["padding"]["left"] == 26
    long = PaperTable(title="Table 1", columns=("ρ",), rows={"m" * 43: TABLE.rows["gleu"], "gleu": TABLE.rows["gleu"]})
    assert beside_chart(long).to_dict()["padding"]["left"] == 43
