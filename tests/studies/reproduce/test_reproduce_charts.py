"""A paper's figures and tables as charts: which are drawn, and how panels are laid out. Snapshots have the rest."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from gecval.results.chart_files import save_plots
from gecval.studies.reproduce.charts import curve_chart, file_name, paper_charts, published_chart, scatter_chart
from gecval.studies.reproduce.result import Curve, Figure, PaperChart, PaperTable, Point, Reproduction, Spot

pytest.importorskip("altair")


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
    [panel] = published_chart(PaperTable(title="T", columns=("x",), rows=rows)).to_dict()["concat"]
    assert (panel["layer"][1]["encoding"]["x"]["scale"].get("type") == "symlog") == logarithmic


def test_what_is_drawn() -> None:
    curve = Curve(name="ours", points=(Point(x=1, y=0.25),))
    figure = PaperTable(
        title="Figure 1: curves", columns=("x",), rows={}, chart=PaperChart(x="x", y="y", curves=(curve,))
    )
    table = PaperTable(title="Table 1: ρ", columns=("x",), rows={"gleu": {"x": Figure(ours=1.0)}})
    nothing = PaperTable(title="Table 7", columns=("x",), rows={"lost": {"x": Figure(published=1.0)}})
    result = Reproduction(paper="human", about="people", tables=(table, figure, nothing))
    assert [name for name, _ in paper_charts(result)] == ["table-1", "figure-1-curves"]


def test_more_curves_than_colours_are_grey_only_where_people_stand_out() -> None:
    """Without people the legend was empty, and the picture without end."""

    def legend_and_width(people: bool) -> tuple[object, str]:
        curves = tuple(
            Curve(name=f"c{k}", points=(Point(x=0.1, y=0.1), Point(x=0.2, y=k)), people=people and k == 0)
            for k in range(8)
        )
        drawn = curve_chart("T", PaperChart(x="x", y="y", curves=curves))
        svg = import_module("vl_convert").vegalite_to_svg(drawn.to_dict())
        return drawn.to_dict()["layer"][0]["encoding"]["color"]["legend"].get("values"), svg.partition('width="')[2]

    assert legend_and_width(people=True)[0] == ["c0"]
    values, width = legend_and_width(people=False)
    assert values is None
    assert int(width.partition('"')[0]) < 1000


def test_every_spot_has_its_name_also_where_spots_are_crowded(tmp_path: Path) -> None:
    """Names without room were left out, and the picture said "undefined" there."""
    names = [*(f"metric {k}" for k in range(20)), "control: longer"]
    spots = [
        Spot(panel=panel, name=name, x=middle, y=0.5 + 0.001 * k)
        for panel, middle in (("A", 0.4), ("B", 0.6))
        for k, name in enumerate(names)
    ]
    drawn = scatter_chart("T", PaperChart(x="x", y="y", curves=(), spots=tuple(spots)))
    save_plots({"spots": drawn}, tmp_path)
    svg = (tmp_path / "spots.svg").read_text()
    assert "undefined" not in svg
    assert [svg.count(f">{name.removeprefix('control: ')}</text>") for name in names] == [2] * len(names)
    placed = [values for values in drawn.to_dict()["datasets"].values() if "name x" in values[0]]
    assert [len({(value["name x"], value["name y"]) for value in values}) for values in placed] == [len(names)] * 2


def test_long_titles_are_cut_between_words() -> None:
    assert file_name("word " * 30) == "-".join(["word"] * 12)
    assert file_name(f"{'a' * 30} {'b' * 29}") == f"{'a' * 30}-{'b' * 29}"  # 60 signs
    assert file_name(f"{'a' * 30} {'b' * 30}") == "a" * 30


@pytest.mark.parametrize(("columns", "abreast"), [(1, 1), (4, 4), (5, 3), (7, 4), (9, 3), (10, 4)])
def test_rows_of_panels_are_about_equally_long(columns: int, abreast: int) -> None:
    names = tuple(f"column {k}" for k in range(columns))
    drawn = published_chart(
        PaperTable(title="T", columns=names, rows={"gleu": {name: Figure(ours=1.0) for name in names}})
    ).to_dict()
    assert drawn["columns"] == abreast
    labelled = [panel["layer"][0]["encoding"]["y"]["axis"]["labels"] for panel in drawn["concat"]]
    assert labelled == [k % abreast == 0 for k in range(columns)]  # names of rows stand at the left
