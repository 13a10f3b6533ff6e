"""Saved plots: complete, and whole in themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gecval import InputError
from gecval.report.plots import SUFFIXES, check_plot_path, save_plot

alt = pytest.importorskip("altair", reason="needs the extra [report]")
pytest.importorskip("vl_convert", reason="needs the extra [report]")


def chart() -> alt.Chart:
    return alt.Chart({"values": [{"x": 1, "y": 2}]}).mark_point().encode(x="x:Q", y="y:Q")


def test_a_page_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    save_plot(chart(), tmp_path / "plot.html")
    page = (tmp_path / "plot.html").read_text()
    assert re.findall(r"<script[^>]*\bsrc\b[^>]*>|<link[^>]*>", page) == []
    assert "vegaEmbed" in page


@pytest.mark.filterwarnings("error:inline")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_saved_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plot{suffix}"
    check_plot_path(path)
    save_plot(chart(), path)
    assert path.stat().st_size > 300
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"plot\.svg: No such file or directory$"):
        save_plot(chart(), tmp_path / "nowhere" / "plot.svg")
