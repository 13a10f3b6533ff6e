"""What charts say: names that can be read, colours that mean something."""

from __future__ import annotations

import json
import math
import re
import struct
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import InputError
from gecval.results import theme
from gecval.results.chart_files import SUFFIXES, check_plot_path, save_plot
from gecval.results.chart_layout import Size
from gecval.results.theme import LABEL_HEIGHT, Box, beside_points, heading, spread
from gecval.stats.resampling import Interval
from gecval.studies.human.charts import scatter_chart
from gecval.studies.human.result import HumanCorrelation, SystemScore
from results.examples import correlated, fill

pytest.importorskip("altair", reason="needs the extra [report]")


def rows(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All data of a chart."""
    return [row for values in spec["datasets"].values() for row in values]


def correlation(value: float, metric: list[float]) -> HumanCorrelation:
    systems = tuple(
        fill(SystemScore, system=f"SYS{i}", metric=score, metric_interval=Interval(score - 1e-17, score))
        for i, score in enumerate(metric)
    )
    coefficient = replace(correlated("gleu").pearson, value=value)
    return replace(correlated("gleu"), pearson=coefficient, spearman=coefficient, kendall=coefficient, systems=systems)


def test_systems_at_one_place_have_names_at_different_places() -> None:
    spec = scatter_chart([correlation(0.5, [0.2, 0.2, 0.2, 0.4])]).to_dict()
    named = {row["system"]: (row["label x"], row["label y"]) for row in rows(spec)}
    assert len(set(named.values())) == len(named) == 4


def test_a_constant_metric_is_called_so_and_not_zoomed_into_its_rounding() -> None:
    chart = scatter_chart([correlation(math.nan, [0.3, 0.3, 0.3, 0.3])], level=0.9).to_dict()
    assert chart["title"]["subtitle"] == "lines: 90% intervals of the scores"
    (panel,) = chart["concat"]
    assert panel["title"] == "judgments: constant, so no correlation"
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == pytest.approx([0.27, 0.33])


@pytest.mark.parametrize(
    ("scores", "domain"),
    [([1e6, 1e6 + 1e-7], [0.9e6, 1.1e6]), ([1.0, 3.0], [0.9, 3.1]), ([-3.0, -1.0], [-3.1, -0.9])],
)
def test_a_margin_is_a_twentieth_of_what_is_shown(scores: list[float], domain: list[float]) -> None:
    """Or a tenth of the scores, where they differ by rounding only."""
    (panel,) = scatter_chart([correlation(0.5, scores)]).to_dict()["concat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == pytest.approx(domain)


def test_systems_without_a_single_point_have_an_axis_around_0() -> None:
    nothing = correlation(math.nan, [0.0, 0.0])
    nothing = replace(nothing, systems=tuple(replace(system, metric_interval=None) for system in nothing.systems))
    (panel,) = scatter_chart([nothing]).to_dict()["concat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == [-1, 1]


# Titles of charts: lines of 24 letters at least, which break between words.


@pytest.mark.parametrize(("letters", "lines"), [(12, 1), (13, 2)])
def test_a_narrow_chart_has_lines_of_24_letters(letters: int, lines: int) -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    made = heading("eleven long " + "w" * letters, "eleven long " + "w" * letters, 10).to_dict()
    assert (len(made["text"]), len(made["subtitle"])) == (lines, lines)


def test_a_long_word_stays_whole() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    assert heading("a " + "w" * 30, "", 10).to_dict()["text"] == ["a", "w" * 30]


# No name lies on another or on a point, whatever the points.


PIXELS = st.integers(0, 40).map(float)


@given(st.lists(st.tuples(PIXELS, PIXELS), min_size=1, max_size=14))
def test_names_avoid_each_other_and_all_points(points: list[tuple[float, float]]) -> None:
    names = [f"SYS{i}" for i in range(len(points))]
    boxes = beside_points(points, names, 280)
    for a, b in combinations(boxes, 2):
        assert not a.overlaps(b)
    for point in points:
        assert not any(box.overlaps(Box.around(point)) for box in boxes)
    assert all(box.left >= 0 for box in boxes)
    assert beside_points(points[::-1], names[::-1], 280) == boxes[::-1]  # the order of systems does not matter


def test_a_point_alone_has_its_name_on_the_right_above_the_bar_of_its_interval() -> None:
    (box,) = beside_points([(100.0, 50.0)], ["AMU"], 280)
    assert (box.left, box.middle) == (104.0, 44.0)
    assert box.right == pytest.approx(104 + 3 * 6.2)


def test_a_box_lies_around_its_point() -> None:
    assert Box.around((10.0, 20.0)) == Box(6.0, 16.0, 14.0, 24.0)


@pytest.mark.parametrize(("right", "down"), [(8, 0), (-8, 0), (0, 8), (0, -8), (8, 8)])
def test_boxes_that_touch_do_not_overlap(right: float, down: float) -> None:
    box = Box.around((50.0, 50.0))
    assert not box.overlaps(Box.around((50.0 + right, 50.0 + down)))
    assert box.overlaps(Box.around((50.0 + right * 0.9, 50.0 + down * 0.9)))


def test_names_of_one_point_go_right_and_left_above_and_below_then_farther() -> None:
    boxes = beside_points([(100.0, 50.0)] * 5, ["A1", "A2", "A3", "A4", "A5"], 280)
    right, left = 104.0, 96 - 2 * 6.2
    places = [(box.left, box.middle) for box in boxes]
    assert places == [(right, 44.0), (left, 44.0), (right, 56.0), (left, 56.0), (right, 32.0)]
    assert all((box.right - box.left, box.bottom - box.top) == pytest.approx((2 * 6.2, LABEL_HEIGHT)) for box in boxes)


def test_a_point_at_the_right_edge_has_its_name_on_the_left() -> None:
    (box,) = beside_points([(278.0, 50.0)], ["AMU"], 280)
    assert box.right == pytest.approx(274)


@given(st.lists(st.integers(0, 200).map(float), min_size=1, max_size=20))
def test_spread_places_are_apart_in_order_and_before_the_end(places: list[float]) -> None:
    moved = spread(places, 200)
    in_order = sorted(range(len(places)), key=lambda i: moved[i])
    assert [places[i] for i in in_order] == sorted(places)
    assert all(b - a >= LABEL_HEIGHT - 1e-9 for a, b in pairwise(sorted(moved)))
    assert max(moved) <= 200


# Saved plots: complete, whole in themselves, and in our theme.


alt = pytest.importorskip("altair", reason="needs the extra [report]")
pytest.importorskip("vl_convert", reason="needs the extra [report]")


def chart(text: str = "x") -> alt.Chart:
    drawn = alt.Chart({"values": [{"x": 1, "y": 2, "t": text}]}, width=200, height=100)
    return drawn.mark_text(stroke=theme.PAPER).encode(x="x:Q", y="y:Q", text="t:N")


def png_width(path: Path) -> int:
    return int(struct.unpack(">I", path.read_bytes()[16:20])[0])


def test_a_page_loads_nothing_from_elsewhere_and_has_a_chart_for_dark_screens_too(tmp_path: Path) -> None:
    save_plot(chart("</script><b>"), tmp_path / "plot.html")
    page = (tmp_path / "plot.html").read_text()
    assert re.findall(r"<script[^>]*\bsrc\b[^>]*>|<link[^>]*>", page) == []
    assert "vegaEmbed" in page
    assert "</script><b>" not in page
    charts = json.loads(re.findall(r"^const charts = (.*);$", page, re.MULTILINE)[0])
    assert charts["light"]["config"] == theme.theme()
    assert charts["dark"]["config"] == theme.theme(dark=True)
    assert charts["light"]["mark"]["stroke"] == theme.PAPER
    assert charts["dark"]["mark"]["stroke"] == theme.DARK_PAPER


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_saved_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plot{suffix}"
    check_plot_path(path)
    save_plot(chart(), path)
    assert path.stat().st_size > 300
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_theme_is_applied(tmp_path: Path) -> None:
    save_plot(chart(), tmp_path / "plot.json")
    assert json.loads((tmp_path / "plot.json").read_text())["config"] == theme.theme()
    save_plot(chart(), tmp_path / "plot.svg")
    assert theme.PAPER in (tmp_path / "plot.svg").read_text()


@pytest.mark.parametrize(("size", "width", "pixels"), [("slide", 1280, 1920), ("column", 321, 1003)])
def test_a_picture_fills_a_slide_or_a_column(tmp_path: Path, size: Size, width: int, pixels: int) -> None:
    save_plot(chart(), tmp_path / "plot.svg", size=size)
    drawn = re.search(r'width="([\d.]+)" height="([\d.]+)"', (tmp_path / "plot.svg").read_text())
    assert drawn
    height = float(drawn[2]) * width / float(drawn[1])
    assert float(drawn[1]) == pytest.approx(width, abs=0.1) or (height > 720 and float(drawn[2]) == pytest.approx(720))
    save_plot(chart(), tmp_path / "plot.png", size=size)
    assert png_width(tmp_path / "plot.png") == pytest.approx(float(drawn[1]) * pixels / width, abs=2)


def test_a_png_has_two_pixels_for_one_or_as_many_as_asked_for(tmp_path: Path) -> None:
    save_plot(chart(), tmp_path / "plot.png")
    save_plot(chart(), tmp_path / "small.png", size=1)
    save_plot(chart(), tmp_path / "large.png", size=4)
    width = png_width(tmp_path / "small.png")
    assert width > 200
    assert png_width(tmp_path / "plot.png") == pytest.approx(2 * width, abs=2)
    assert png_width(tmp_path / "large.png") == pytest.approx(4 * width, abs=4)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"plot\.svg: No such file or directory$"):
        save_plot(chart(), tmp_path / "nowhere" / "plot.svg")


def test_what_a_chart_is_of_stands_below_the_title_of_its_layers(tmp_path: Path) -> None:
    """Altair leaves the title where it was given: at every layer."""
    drawn = alt.Chart({"values": [{"x": 1}]}, title=alt.TitleParams("Question", subtitle=["how"]), width=alt.Step(9))
    save_plot(drawn.mark_bar().encode(x="x:N") + drawn.mark_text(), tmp_path / "plot.json", about="corpus")
    spec = json.loads((tmp_path / "plot.json").read_text())
    assert (spec["title"]["text"], spec["title"]["subtitle"]) == ("Question", ["corpus", "how"])
    assert not any("title" in layer for layer in spec["layer"])
