"""MAEGE's charts: types of edits, corpora by number of edits, originals by number of errors, MAEGE beside people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from gecval.errors import InputError
from gecval.report.headings import heading
from gecval.report.labels import FONT_SIZE, beside_points
from gecval.report.maege.lattice_chart import lattice_chart
from gecval.report.table import percent
from gecval.report.theme import (
    AXIS_SIZE,
    BAND_OPACITY,
    DIVERGING,
    HEIGHT,
    ON_DARK_CELL,
    ON_LIGHT_CELL,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    WIDTH,
)
from gecval.studies.maege.results import Maege

if TYPE_CHECKING:
    from altair import TopLevelMixin

QUANTILE = 0.9  # of a metric's |Δ|: one outlier would leave all other types without colour
CELL = 64  # pixels
MOST_PANELS = 3  # in a row
GAP = 60  # pixels between panels, with the axis of the right one
SQUARE = 360  # pixels


def maege_chart(kind: str, study: Maege, people: Mapping[str, float] | None = None) -> TopLevelMixin:
    """A chart by its name; ``people`` has each metric's correlation with people, for the chart ``human``."""
    if kind == "human":
        if people is None:
            raise InputError("the chart human needs the correlations of metrics with people", parameter="human")
        return human_chart(study, people)
    if kind not in CHARTS:
        raise InputError(f"there is no chart {kind!r}; there is {', '.join([*CHARTS, 'human'])}", parameter="plots")
    return CHARTS[kind](study)


def type_heat_map(study: Maege) -> TopLevelMixin:
    """Δ by type and metric in colours, each metric on its own scale, which a few large ones do not stretch."""
    import altair as alt

    metrics = list(dict.fromkeys(delta.metric for delta in study.types))
    ends = {name: _colour_end([row.delta.mean for row in study.types if row.metric == name]) for name in metrics}
    values = [
        {
            "type": row.type,
            "metric": row.metric,
            "delta": row.delta.mean,
            "share": float(np.clip(row.delta.mean / ends[row.metric], -1, 1)),
        }
        for row in study.types
    ]
    title = heading(
        "Is an edit of this type rewarded (blue) or punished (red)?",
        "Δ: mean change of the score. Each metric has its own colours, darkest from the "
        f"{QUANTILE:.0%} quantile of its |Δ| on.",
        max(WIDTH, CELL * len(metrics)),
    )
    # Few metrics share the width that the title needs.
    width: Any = alt.Step(max(CELL, WIDTH / len(metrics)))
    base = alt.Chart({"values": values}, title=title, width=width).encode(
        x=alt.X("metric:N", sort=metrics, title=None, axis=alt.Axis(labelAngle=-30)),
        y=alt.Y("type:N", title="type of edit"),
    )
    scale = alt.Scale(scheme={"name": DIVERGING}, domain=[-1, 1])
    squares = base.mark_rect().encode(color=alt.Color("share:Q", scale=scale, title="share of that |Δ|"))
    ink = alt.condition("abs(datum.share) > 0.7", alt.value(ON_DARK_CELL), alt.value(ON_LIGHT_CELL))
    figures = base.mark_text(fontSize=FONT_SIZE).encode(text=alt.Text("delta:Q", format=".3f"), color=ink)
    chart: TopLevelMixin = squares + figures
    return chart


def _colour_end(deltas: Sequence[float]) -> float:
    """The |Δ| from which colours are darkest: a quantile, or the largest where most are 0."""
    sizes = np.abs(deltas)
    return float(np.quantile(sizes, QUANTILE) or sizes.max() or 1.0)


def corpus_chart(study: Maege) -> TopLevelMixin:
    """The score of corpora against the mean number of edits: does it rise, and how early does it saturate?"""
    import altair as alt

    values = [
        {
            "metric": row.metric,
            "model": row.model,
            "score": row.score.mean,
            "low": row.score.interval.low if row.score.interval else None,
            "high": row.score.interval.high if row.score.interval else None,
        }
        for row in study.corpora
    ]
    explained = "A dot is the score of a corpus of corrections, each with M edits on average."
    if study.replicates > 1:
        explained = (
            f"A dot is the mean score of {study.replicates} corpora of corrections, each with M edits on average; the "
            f"band holds the middle {percent(study.level)} of these scores."
        )
    x = alt.X("model:Q", title="mean number of edits M")
    free = alt.Scale(zero=False)
    base: Any = alt.Chart()
    band = base.mark_area(opacity=BAND_OPACITY).encode(
        x=x, y=alt.Y("low:Q", scale=free, title="corpus score"), y2="high:Q"
    )
    line = base.mark_line(point=True).encode(x=x, y=alt.Y("score:Q", scale=free, title="corpus score"))
    panel = band + line if study.replicates > 1 else line
    return _panels(
        panel, values, title="Does the score of a corpus rise with its number of edits?", explained=explained
    )


def originals_chart(study: Maege) -> TopLevelMixin:
    """The mean score of originals against the number of their errors (Figure 5): is a metric coherent over them?"""
    import altair as alt

    values = [
        {"metric": row.metric, "errors": row.errors, "score": row.score, "sentences": row.sentences}
        for row in study.originals
    ]
    dots: Any = alt.Chart().mark_circle(opacity=0.7)
    dots = dots.encode(
        x=alt.X("errors:Q", title="errors of the original"),
        y=alt.Y("score:Q", scale=alt.Scale(zero=False), title="mean score"),
        size=alt.Size("sentences:Q", title="originals"),
    )
    explained = (
        "A dot is the mean score of all originals with so many errors, that is edits of an annotator; its size shows "
        "how many originals these are. A coherent metric falls."
    )
    return _panels(dots, values, title="Do originals with more errors score lower?", explained=explained)


def _panels(panel: Any, values: list[dict[str, Any]], *, title: str, explained: str) -> TopLevelMixin:
    """A panel per metric, each with its own scale of scores."""
    import altair as alt

    metrics = list(dict.fromkeys(row["metric"] for row in values))
    columns = min(MOST_PANELS, len(metrics))
    size = (WIDTH, HEIGHT) if columns == 1 else (PANEL_WIDTH, PANEL_HEIGHT)
    panels = [
        panel.properties(
            data={"values": [row for row in values if row["metric"] == metric]},
            title=alt.TitleParams(metric, anchor="middle", fontSize=AXIS_SIZE),
            width=size[0],
            height=size[1],
        )
        for metric in metrics
    ]
    width = columns * size[0] + (columns - 1) * GAP
    chart: TopLevelMixin = alt.concat(*panels, columns=columns, title=heading(title, explained, width))
    return chart


def human_chart(study: Maege, people: Mapping[str, float]) -> TopLevelMixin:
    """Corpus-level agreement with the lattices against correlation with people (Figure 4)."""
    import altair as alt

    shown = [row for row in study if row.metric in people and not isnan(row.corpus_spearman.mean)]
    if not shown:
        raise InputError(
            f"no metric has both a corpus ρ here and a correlation with people; there, these have one: "
            f"{', '.join(people) or 'none'}",
            parameter="human",
        )
    points = [(SQUARE * (people[row.metric] + 1) / 2, SQUARE * (1 - row.corpus_spearman.mean) / 2) for row in shown]
    boxes = beside_points(points, [row.metric for row in shown], SQUARE)
    values = [
        {
            "metric": row.metric,
            "maege": row.corpus_spearman.mean,
            "human": people[row.metric],
            "label x": 2 * box.left / SQUARE - 1,
            "label y": 1 - 2 * box.middle / SQUARE,
        }
        for row, box in zip(shown, boxes, strict=True)
    ]
    scale = alt.Scale(domain=[-1, 1])
    base: Any = alt.Chart({"values": values}, width=SQUARE, height=SQUARE).properties(
        title=heading(
            "Do metrics that agree with people agree with the lattices?",
            "A dot is a metric: its Spearman ρ with people's ranking of systems and with the order of MAEGE's corpora.",
            SQUARE,
        )
    )
    x, y = (
        alt.X("human:Q", scale=scale, title="ρ with human rankings"),
        alt.Y("maege:Q", scale=scale, title="corpus ρ of MAEGE"),
    )
    names = base.mark_text(align="left", fontSize=FONT_SIZE).encode(x="label x:Q", y="label y:Q", text="metric:N")
    chart: TopLevelMixin = base.mark_circle(size=60, opacity=1).encode(x=x, y=y) + names
    return chart


CHARTS: dict[str, Callable[[Maege], TopLevelMixin]] = {
    "types": type_heat_map,
    "corpora": corpus_chart,
    "originals": originals_chart,
    "lattice": lattice_chart,
}
