"""MAEGE's charts: types of edits, corpora by number of edits, originals by number of errors, MAEGE against people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from gecval.errors import InputError
from gecval.results.table import percent
from gecval.results.theme import (
    AXIS_SIZE,
    BAND_OPACITY,
    DIVERGING,
    FAINT,
    FONT_SIZE,
    HEIGHT,
    HIGHLIGHT,
    ON_DARK_CELL,
    ON_LIGHT_CELL,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    PAPER,
    WIDTH,
    beside_points,
    heading,
)
from gecval.studies.maege.lattices import Lattice
from gecval.studies.maege.result import Maege

if TYPE_CHECKING:
    from altair import Chart, TitleParams, TopLevelMixin


# A picture of one lattice (Figures 2 and 3 of the paper): all subsets of the edits of a sentence, by their number.


MOST_EDITS = 5  # a lattice with more has too many corrections to look at
LATTICE_WIDTH, LEVEL_HEIGHT = 720, 90  # pixels


def lattice_chart(study: Maege) -> TopLevelMixin:
    """The lattice that the study names as its example."""
    if study.example is None:
        raise InputError("no annotation has three edits or more, so no lattice is worth drawing", parameter="plots")
    return draw_lattice(study.example)


def draw_lattice(lattice: Lattice) -> TopLevelMixin:
    """Corrections by number of edits, one chain drawn through them."""
    import altair as alt

    shown = Lattice(lattice.tokens, lattice.edits[:MOST_EDITS])
    size = len(shown.edits)
    places = _places(size)
    arrows, steps = [], []
    for subset, (x, y) in places.items():
        for i in (i for i in range(size) if not subset >> i & 1):
            x2, y2 = places[subset | 1 << i]
            in_chain = subset == (1 << i) - 1
            arrows.append({"x": x, "y": y, "x2": x2, "y2": y2, "chain": in_chain})
            if in_chain:
                edit = shown.edits[i]
                before = " ".join(shown.tokens[edit.start : edit.end])
                step = f"{before or '∅'} → {edit.correction or '∅'}"
                steps.append({"x": (x + x2) / 2, "y": (y + y2) / 2, "text": step})
    across = alt.X("x:Q", axis=None, scale=alt.Scale(padding=60))
    up = alt.Y("y:Q", title="edits applied", axis=alt.Axis(tickMinStep=1))
    colour = alt.condition("datum.chain", alt.value(HIGHLIGHT), alt.value(FAINT))
    lines = alt.Chart({"values": arrows}, width=LATTICE_WIDTH, height=LEVEL_HEIGHT * size).mark_rule()
    dots = alt.Chart({"values": [{"x": x, "y": y} for x, y in places.values()]}).mark_circle(size=80, opacity=1)
    words = alt.Chart({"values": steps}).encode(x="x:Q", y="y:Q", text="text:N")
    chart: TopLevelMixin = (
        lines.encode(x=across, y=up, x2="x2:Q", y2="y2:Q", color=colour)
        + dots.encode(x="x:Q", y="y:Q")
        + words.mark_text(stroke=PAPER, strokeWidth=8)  # so that edges do not run through the words
        + words.mark_text(color=HIGHLIGHT)
        + _sentence(places[0], shown.correction(()), 18)
        + _sentence(places[(1 << size) - 1], shown.correction(range(size)), -14)
    ).properties(title=_title(size, len(lattice.edits)))
    return chart


def _title(size: int, edits: int) -> TitleParams:
    which = f"the first {size} of {edits}" if size < edits else f"{size}"
    return heading(
        "The lattice of a sentence: the more edits are applied, the better",
        f"A dot is a correction: a subset of {which} edits of an annotator. A line adds one edit. "
        "In colour: one chain, edit by edit from the original up.",
        LATTICE_WIDTH,
    )


def _sentence(place: tuple[float, int], text: str, below: int) -> Chart:
    """A correction in full, so many pixels below its dot: outside the lattice, where no edge is."""
    import altair as alt

    named = alt.Chart({"values": [{"x": place[0], "y": place[1], "text": text}]})
    chart: Chart = named.mark_text(dy=below, fontWeight="bold").encode(x="x:Q", y="y:Q", text="text:N")
    return chart


def _places(size: int) -> dict[int, tuple[float, int]]:
    """Where each subset of the edits stands: by its number of edits, side by side around the middle."""
    levels: dict[int, list[int]] = {}
    for subset in range(1 << size):
        levels.setdefault(subset.bit_count(), []).append(subset)
    return {
        subset: (place - (len(subsets) - 1) / 2, level)
        for level, subsets in levels.items()
        for place, subset in enumerate(subsets)
    }


QUANTILE = 0.9  # of a metric's |Δ|: one outlier would leave all other types without colour
CELL = 64  # pixels
MOST_PANELS = 3  # in a row
GAP = 60  # pixels between panels, with the axis of the right one
SQUARE = 360  # pixels


def maege_chart(
    kind: str, study: Maege, people: Mapping[str, float] | None = None, names: Mapping[str, str] | None = None
) -> TopLevelMixin:
    """A chart by its name; ``people`` has each metric's correlation with people, for the chart ``human``.

    ``names`` are those of the metrics as papers write them, by their spelling.
    """
    if kind == "human":
        if people is None:
            raise InputError("the chart human needs the correlations of metrics with people", parameter="human")
        return human_chart(study, people)
    if kind not in CHARTS:
        raise InputError(f"there is no chart {kind!r}; there is {', '.join([*CHARTS, 'human'])}", parameter="plots")
    return CHARTS[kind](_with_names(study, names) if names else study)


def _with_names(study: Maege, names: Mapping[str, str]) -> Maege:
    """The study with other names of its metrics."""

    def renamed(rows: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(replace(row, metric=names.get(row.metric, row.metric)) for row in rows)

    return replace(
        study, types=renamed(study.types), corpora=renamed(study.corpora), originals=renamed(study.originals)
    )


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
        size=alt.Size("sentences:Q", title="originals", legend=alt.Legend(values=_spread_sizes(study))),
    )
    explained = (
        "A dot is the mean score of all originals with so many errors, that is edits of an annotator; its size shows "
        "how many originals these are. A coherent metric falls."
    )
    return _panels(dots, values, title="Do originals with more errors score lower?", explained=explained)


def _spread_sizes(study: Maege) -> list[int]:
    """A few of the sizes that dots have, for the legend."""
    sizes = sorted({row.sentences for row in study.originals})
    return [sizes[round(k * (len(sizes) - 1) / 3)] for k in range(4)] if len(sizes) > 4 else sizes


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
