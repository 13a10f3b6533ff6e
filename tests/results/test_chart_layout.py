"""Charts for slides and columns: the same numbers, with text that can be read where they stand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from results.examples import CHARTS

pytest.importorskip("altair", reason="needs the extra [report]")
vl_convert = pytest.importorskip("vl_convert", reason="needs the extra [report]")

from gecval.results.chart_files import apply_theme  # noqa: E402
from gecval.results.chart_layout import SIZES, Drawn, Size, arrange  # noqa: E402

POINT = 96 / 72  # pixels
SEVERAL = ("scores", "comparisons", "rankings", "maege corpora", "maege originals", "undercorrection", "paper table")


def smallest_text(spec: dict[str, Any], size: Size) -> float:
    """Points of the smallest text, in the picture as large as it is printed."""
    svg = str(vl_convert.vegalite_to_svg(spec))
    return min(map(float, re.findall(r'font-size="([\d.]+)px"', svg))) * Drawn.of(svg).scale(size) / POINT


def values(spec: dict[str, Any]) -> Any:
    return spec.get("datasets"), re.findall(r"'field': '[^']*'", str(spec))


@pytest.mark.parametrize("name", CHARTS)
def test_a_column_has_text_that_can_be_read(name: str) -> None:
    made = arrange(apply_theme(CHARTS[name]()), "column")
    assert smallest_text(made, "column") >= 6.5
    assert Drawn.measure(made).width <= SIZES["column"][0] * 1.04


@pytest.mark.parametrize("name", CHARTS)
def test_a_slide_has_text_no_smaller_than_the_chart_as_it_was(name: str) -> None:
    drawn = apply_theme(CHARTS[name]())
    assert smallest_text(arrange(drawn, "slide"), "slide") >= smallest_text(drawn, "slide") * 0.999


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SEVERAL)
def test_what_is_drawn_stays(name: str, size: Size) -> None:
    drawn = apply_theme(CHARTS[name]())
    before = str(drawn)
    made = arrange(drawn, size)
    assert str(drawn) == before
    assert values(made) == values(drawn)


def test_panels_of_a_column_each_name_their_systems() -> None:
    panels = arrange(apply_theme(CHARTS["scores"]()), "column")["concat"]
    assert len(panels) > 1
    for panel in panels:
        assert panel["layer"][0]["encoding"]["y"]["axis"].get("labels") is not False
