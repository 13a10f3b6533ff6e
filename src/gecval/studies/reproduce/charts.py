"""A paper's figures drawn again, and its tables as charts: published figures next to ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil, isfinite, log10, pi, sin
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from gecval.results import theme
from gecval.results.table import percent
from gecval.stats import Interval
from gecval.studies.reproduce.result import LEVEL, PaperChart, PaperTable, Reproduction

if TYPE_CHECKING:
    from altair import ConcatChart, LayerChart, TopLevelMixin


ROW = 16  # pixels from one row of a table to the next
ABREAST = 4  # panels in a row, at most
TICKS = 4  # about so many numbers under a panel: more run into each other
SEPARATION = 12  # pixels between these numbers, by a narrow font; where there are fewer, every second one is left out
WIDE = 1000.0  # largest over smallest number of a panel from which its scale is logarithmic
LONGEST = 60  # characters of a file's name, and of a line of a title
ARC_STEPS = 24  # straight pieces of an arc
LOOKS = {"published": (theme.REFERENCE, "diamond"), "ours": (theme.SYSTEM, "circle")}
PUBLISHED_SIZE, OUR_SIZE = 110, 36  # square pixels: the corners of the published figure show where ours is the same
ENDS = ("low", "high")  # columns that are an interval of the column score


def paper_charts(reproduction: Reproduction) -> Iterator[tuple[str, TopLevelMixin]]:
    """Every figure and every table with figures of ours as a chart, with a name for its file."""
    for table in reproduction:
        if table.chart is not None and table.chart.edges:
            yield file_name(table.title), lattice_chart(table.title, table.chart)
        elif table.chart is not None and table.chart.spots:
            yield file_name(table.title), scatter_chart(table.title, table.chart)
        elif table.chart is not None:
            yield file_name(table.title), curve_chart(table.title, table.chart)
        elif any(figure.ours is not None for cells in table.rows.values() for figure in cells.values()):
            yield file_name(table.title), published_chart(table)


def file_name(title: str) -> str:
    """A title as the name of a file.

    >>> file_name("Figure 1b: a perfect system's F0.5, M = 2"), file_name("§4: oracle")
    ('figure-1b-a-perfect-system-s-f0-5-m-2', '4-oracle')
    """
    words = re.findall("[a-z0-9]+", title.lower())
    while len("-".join(words)) > LONGEST:
        words.pop()
    return "-".join(words)


def lines_of(title: str) -> list[str]:
    """A title in lines that no chart is too narrow for."""
    return wrap(title, LONGEST)


def curve_chart(title: str, chart: PaperChart) -> LayerChart:
    """Lines with bands. Where there are more systems than colours, people are in colour and all systems in grey."""
    import altair as alt

    values = [
        {"curve": curve.name, "x": point.x, "y": point.y, **_ends(point.interval, point.y)}
        for curve in chart.curves
        for point in curve.points
        if isfinite(point.y)
    ]
    # Without people nobody would be in colour, and an empty legend makes a picture without end.
    crowded = len(chart.curves) > len(theme.CATEGORIES) and any(curve.people for curve in chart.curves)
    names = [curve.name for curve in chart.curves]
    drawn: dict[str, Any] = {"sort": names, "legend": alt.Legend(symbolOpacity=1)}
    if crowded:
        colours = [theme.PEOPLE if curve.people else theme.REMAINDER for curve in chart.curves]
        shown = [curve.name for curve in chart.curves if curve.people]
        drawn |= {"scale": alt.Scale(domain=names, range=colours), "legend": alt.Legend(values=shown, symbolOpacity=1)}
    banded = any(point.interval for curve in chart.curves for point in curve.points)
    subtitle = [f"bands: {percent(LEVEL)} intervals"] if banded else []
    subtitle += ["grey: the systems"] if crowded else []
    axis = (
        alt.Axis(tickMinStep=1)
        if all(float(point.x).is_integer() for curve in chart.curves for point in curve.points)
        else alt.Axis()
    )
    base = alt.Chart(
        {"values": values},
        title=alt.TitleParams(lines_of(title), subtitle=subtitle),
        width=theme.WIDTH,
        height=theme.HEIGHT,
    ).encode(alt.X("x:Q", title=chart.x, axis=axis), alt.Color("curve:N", title=None, **drawn))
    scale = alt.Scale(zero=False)
    band = base.mark_errorband().encode(alt.Y("low:Q", title=chart.y, scale=scale), alt.Y2("high:Q"))
    layered: LayerChart = band + base.mark_line(point=not crowded).encode(
        alt.Y("y:Q", title=chart.y, scale=scale), tooltip=["curve:N", "x:Q", "y:Q"]
    )
    return layered


def lattice_chart(title: str, chart: PaperChart) -> LayerChart:
    """Vertices in a row. Edges of one step lie between them, longer ones are arcs; the cheapest is marked."""
    import altair as alt

    values: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    cheapest = min(edge.cost for edge in chart.edges)
    for edge in chart.edges:
        length, name = edge.end - edge.start, f"{edge.label} ({edge.cost:g})"
        # Arcs that cross take turns above and below, so that their labels have room.
        side = 1 if (edge.start + edge.end) % 2 else -1
        height = 0.0 if length == 1 else side * (length - 1 + 0.4 * (edge.start % 2))
        who = "matches the gold annotation" if edge.cost == cheapest else "other edges"
        for step in range(ARC_STEPS + 1):
            part = step / ARC_STEPS
            x, y = edge.start + length * part, height * sin(pi * part)
            values.append({"edge": name, "x": x, "y": y, "who": who, "step": step})
        labels.append({"edge": name, "x": (edge.start + edge.end) / 2, "y": height + (0.22 if height >= 0 else -0.22)})
    vertices = [{"x": place, "y": 0} for place in range(max(edge.end for edge in chart.edges) + 1)]
    domain, colours = ["matches the gold annotation", "other edges"], [theme.HIGHLIGHT, theme.FAINT]
    x_axis, y_axis = alt.X("x:Q", axis=None), alt.Y("y:Q", axis=None)
    colour = alt.Color("who:N", title=None, scale=alt.Scale(domain=domain, range=colours))
    shown = alt.TitleParams(lines_of(title))
    lines = (
        alt.Chart({"values": values}, title=shown, width=2 * theme.WIDTH, height=theme.HEIGHT)
        .mark_line()
        .encode(x_axis, y_axis, order="step:Q", detail="edge:N", color=colour)
    )
    dots = (
        alt.Chart({"values": vertices})
        .mark_point(filled=True, opacity=1, color=theme.REFERENCE)
        .encode(x_axis, y_axis, tooltip=["x:Q"])
    )
    words = alt.Chart({"values": labels}).mark_text(fontSize=10).encode(x_axis, y_axis, text="edge:N")
    layered: LayerChart = lines + dots + words
    return layered


def scatter_chart(title: str, chart: PaperChart) -> ConcatChart:
    """A panel for each set: every metric by two figures, which are equal on the grey line; controls in colour."""
    import altair as alt

    spots = [spot for spot in chart.spots if isfinite(spot.x) and isfinite(spot.y)]
    width, height = 1.2 * theme.WIDTH, 1.4 * theme.HEIGHT
    across = theme.PixelAxis.over([spot.x for spot in spots], width)
    down = theme.PixelAxis.over([spot.y for spot in spots], height, upwards=True)
    scales: list[dict[str, Any]] = [{"scale": alt.Scale(domain=axis.domain, nice=False)} for axis in (across, down)]
    x_axis, y_axis = alt.X("x:Q", title=chart.x, **scales[0]), alt.Y("y:Q", title=chart.y, **scales[1])
    who = alt.Scale(domain=["metric", "control"], range=[theme.SYSTEM, theme.HIGHLIGHT])
    ends = zip(across.domain, down.domain, strict=True)
    line = [{"x": value, "y": value} for value in (end(pair) for end, pair in zip((max, min), ends, strict=True))]
    panels = []
    for panel in dict.fromkeys(spot.panel for spot in spots):
        listed = [spot for spot in spots if spot.panel == panel]
        names = [spot.name.removeprefix("control: ") for spot in listed]
        points = [(across.pixel(spot.x), down.pixel(spot.y)) for spot in listed]
        values: list[dict[str, Any]] = [
            {
                "name": name,
                "x": spot.x,
                "y": spot.y,
                "who": "control" if name != spot.name else "metric",
                "name x": across.value(box.left),
                "name y": down.value(box.middle),
                # The side of the name that its spot is on: a line ties them.
                "tie x": across.value(box.left if box.left > point[0] else box.right),
            }
            for name, spot, point, box in zip(
                names, listed, points, theme.beside_points(points, names, width), strict=True
            )
        ]
        base = alt.Chart({"values": values}, title=panel, width=width, height=height).encode(
            color=alt.Color("who:N", title=None, scale=who), tooltip=["name:N", "x:Q", "y:Q"]
        )
        ties = base.mark_rule(opacity=0.5, strokeWidth=0.5).encode(x_axis, y_axis, x2="tie x:Q", y2="name y:Q")
        words = base.mark_text(align="left").encode(
            alt.X("name x:Q", **scales[0]), alt.Y("name y:Q", **scales[1]), text="name:N"
        )
        equal = alt.Chart({"values": line}).mark_line(color=theme.FAINT).encode(x_axis, y_axis)
        panels.append(equal + ties + base.mark_circle(opacity=1).encode(x_axis, y_axis) + words)
    made: ConcatChart = alt.concat(*panels, columns=2, title=alt.TitleParams(lines_of(title)))
    return made


def published_chart(table: PaperTable) -> ConcatChart:
    """A panel per column: the published figure and ours, with its interval, row by row."""
    import altair as alt

    columns = [column for column in table.columns if column not in ENDS or "score" not in table.columns]
    abreast = ceil(len(columns) / ceil(len(columns) / ABREAST))  # rows of panels are about equally long
    drawn = {row["who"] for column in columns for row in _rows(table, column)}
    who = [name for name in LOOKS if name in drawn]
    panels = [_panel(table, column, who, first=place % abreast == 0) for place, column in enumerate(columns)]
    with_intervals = any(row["low"] != row["high"] for column in columns for row in _rows(table, column))
    subtitle = [f"lines: {percent(LEVEL)} intervals"] if with_intervals else []
    chart: ConcatChart = alt.concat(
        *panels,
        columns=abreast,
        title=alt.TitleParams(lines_of(table.title), subtitle=subtitle),
        padding=theme.padding(table.rows),
    ).resolve_scale(x="independent")
    return chart


def _panel(table: PaperTable, column: str, who: list[str], *, first: bool) -> LayerChart:
    import altair as alt

    rows, names = _rows(table, column), list(table.rows)
    numbers = [abs(row[name]) for row in rows for name in ("value", "low", "high") if row[name]]
    spans = bool(numbers) and max(numbers) > WIDE * min(numbers) and max(numbers) > 10
    logarithmic = spans and all(row["value"] >= 0 for row in rows)
    scale = alt.Scale(type="symlog") if logarithmic else alt.Scale(zero=False, padding=8)
    colours, shapes = ([LOOKS[name][place] for name in who] for place in (0, 1))
    size = alt.when(alt.datum.who == "published").then(alt.value(PUBLISHED_SIZE)).otherwise(alt.value(OUR_SIZE))
    legend: dict[str, Any] = {} if len(who) > 1 else {"legend": None}
    axis = alt.Axis(labels=first, ticks=first, grid=True, labelLimit=320)
    base: Any = alt.Chart({"values": rows}, width=theme.PANEL_WIDTH, height=alt.Step(ROW)).encode(
        y=alt.Y("row:N", sort=names, title=None, scale=alt.Scale(domain=names), axis=axis),
        color=alt.Color("who:N", title=None, sort=who, scale=alt.Scale(domain=who, range=colours), **legend),
    )
    ticks: dict[str, Any] = {"values": _powers(max(numbers))} if logarithmic else {"tickCount": TICKS}
    numbers_axis = alt.Axis(labelFlush=False, labelSeparation=SEPARATION, **ticks)
    lines = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=column, scale=scale, axis=numbers_axis), x2="high:Q"
    )
    dots = base.mark_point(opacity=1).encode(
        x=alt.X("value:Q", title=column, scale=scale, axis=numbers_axis),
        shape=alt.Shape("who:N", title=None, sort=who, scale=alt.Scale(domain=who, range=shapes), **legend),
        size=size,
        tooltip=["row:N", "who:N", "value:Q"],
    )
    layered: LayerChart = lines + dots
    return layered


def _powers(largest: float) -> list[int]:
    """Ticks of a logarithmic scale from 0; vega's own lie close together at its end.

    >>> _powers(72_000), _powers(3e7)
    ([0, 10, 100, 1000, 10000], [0, 100, 10000, 1000000])
    """
    most = int(log10(largest))
    step = ceil(most / TICKS)
    return [0, *(10**exponent for exponent in range(step, most + 1, step))]


def _rows(table: PaperTable, column: str) -> list[dict[str, Any]]:
    """The published figure and ours of every row; a table with columns low and high has its intervals there."""
    rows: list[dict[str, Any]] = []
    for name, cells in table.rows.items():
        figure = cells.get(column)
        if figure is None:
            continue
        ends = [cells.get(end) for end in ENDS] if column == "score" else []
        for who in ("published", "ours"):
            known = [getattr(end, who) for end in ends if end is not None and getattr(end, who) is not None]
            interval = Interval(*known) if len(known) == 2 else figure.interval if who == "ours" else None
            value = getattr(figure, who)
            if value is None and interval is not None:
                value = (interval.low + interval.high) / 2  # the paper names the interval only
            if value is not None and isfinite(value):
                rows.append({"row": name, "who": who, "value": value, **_ends(interval, value)})
    return rows


def _ends(interval: Interval | None, value: float) -> dict[str, float]:
    """The ends of an interval; where there is none, a band or a line of no length shows none."""
    low, high = interval if interval and all(map(isfinite, interval)) else (value, value)
    return {"low": low, "high": high}
