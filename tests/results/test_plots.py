"""Saved plots: complete, whole in themselves, and in our theme."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest

from gecval import InputError
from gecval.results import theme
from gecval.results.plots import SUFFIXES, check_plot_path, save_plot

alt = pytest.importorskip("altair", reason="needs the extra [report]")
pytest.importorskip("vl_convert", reason="needs the extra [report]")


def chart(text: str = "x") -> alt.Chart:
    drawn = alt.Chart({"values": [{"x": 1, "y": 2, "t": text}]}, width=200, height=100)
    return drawn.mark_text(stroke=theme.PAPER).encode(x="x:Q", y="y:Q", text="t:N")


def png_width(path: Path) -> int:
    return int(struct.unpack(">I", path.read_bytes()[16:20])[0])


def test_a_page_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    save_plot(chart(), tmp_path / "plot.html")
    page = (tmp_path / "plot.html").read_text()
    assert re.findall(r"<script[^>]*\bsrc\b[^>]*>|<link[^>]*>", page) == []
    assert "vegaEmbed" in page


def test_a_page_has_a_chart_for_dark_screens_too(tmp_path: Path) -> None:
    save_plot(chart("</script><b>"), tmp_path / "plot.html")
    page = (tmp_path / "plot.html").read_text()
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


def test_a_png_has_two_pixels_for_one_or_as_many_as_asked_for(tmp_path: Path) -> None:
    save_plot(chart(), tmp_path / "plot.png")
    save_plot(chart(), tmp_path / "small.png", scale=1)
    save_plot(chart(), tmp_path / "large.png", scale=4)
    width = png_width(tmp_path / "small.png")
    assert width > 200
    assert png_width(tmp_path / "plot.png") == pytest.approx(2 * width, abs=2)
    assert png_width(tmp_path / "large.png") == pytest.approx(4 * width, abs=4)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"plot\.svg: No such file or directory$"):
        save_plot(chart(), tmp_path / "nowhere" / "plot.svg")
