"""A paper's figures and tables as charts: which are drawn, and how panels are laid out. Snapshots have the rest."""

from __future__ import annotations

import pytest

from gecval.studies.reproduce.charts import beside_chart, file_name, paper_charts
from gecval.studies.reproduce.result import Curve, Figure, PaperChart, PaperTable, Point, Reproduction

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
    [panel] = beside_chart(PaperTable(title="T", columns=("x",), rows=rows)).to_dict()["concat"]
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
