"""How likely differences are to be found: as tables, and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gecval.report import theme
from gecval.report.grid import Signed
from gecval.report.table import DELIMITED, Cell, Table, percent
from gecval.studies.power.results import Power, PowerCurve

if TYPE_CHECKING:
    from altair import LayerChart, VConcatChart


def power_tables(power: Power, style: str = "text") -> list[Table]:
    """A row per difference: the chance with the sentences at hand, and how many it takes; then the curves."""
    subset = any(curve.annotators is not None for curve in power)
    if style in DELIMITED:
        return [_long_table(power, subset)]
    names = [*_names(subset), "sentences", "chance"]
    columns = [*names, f"needed for {percent(power.wanted)}", "more", f"found with {percent(power.wanted)}"]
    rows: list[Sequence[Cell]] = [
        [*_named(curve, subset), curve.sentences, curve.chance, curve.needed, curve.more, curve.detectable]
        for curve in power
    ]
    numbers = [point.sentences for point in power[0].points]
    chances: list[Sequence[Cell]] = [
        [*_named(curve, subset), *(point.chance for point in curve.points)] for curve in power
    ]
    title = "The chance to find a difference (p < 0.05 in both tests)"
    notes = [
        f"found with {percent(power.wanted)}: the smallest difference that these sentences find with this chance",
        *(["the observed difference is itself a guess: ask for one that matters to you"] * power[0].observed),
    ]
    curves = Table([*_names(subset), *(f"{number:,}" for number in numbers)], chances, digits=3)
    curves.title = "By number of sentences"
    curves.footnotes = list(dict.fromkeys(curve.signature for curve in power))
    return [Table(columns, rows, title=title, footnotes=notes), curves]


def _names(subset: bool) -> list[str]:
    return ["metric", "baseline", "system", *(["references"] if subset else []), "difference"]


def _named(curve: PowerCurve, subset: bool) -> list[Cell]:
    references: list[Cell] = [curve.annotators] if subset else []
    return [curve.metric, curve.baseline, curve.system, *references, Signed(curve.difference)]


def _long_table(power: Power, subset: bool) -> Table:
    """A row per point of a curve: for other programs."""
    rows: list[Sequence[Cell]] = [
        [*_named(curve, subset), point.sentences, point.chance, curve.needed, power.wanted, curve.detectable]
        for curve in power
        for point in curve.points
    ]
    return Table([*_names(subset), "sentences", "chance", "needed", "wanted chance", "detectable"], rows)


def power_chart(power: Power) -> VConcatChart:
    """A panel per metric: the chance over the number of sentences, a curve per difference."""
    import altair as alt

    metrics = dict.fromkeys(curve.metric for curve in power)
    panels = [_panel([curve for curve in power if curve.metric == metric], power.wanted) for metric in metrics]
    chart: VConcatChart = alt.vconcat(*panels).resolve_scale(x="independent", color="independent")
    return chart


def _panel(curves: Sequence[PowerCurve], wanted: float) -> LayerChart:
    import altair as alt

    labels = [_label(curve) for curve in curves]
    values = [
        {"curve": label, "sentences": point.sentences, "chance": point.chance}
        for label, curve in zip(labels, curves, strict=True)
        for point in curve.points
    ]
    subtitle = f"dashed: {percent(wanted)}; dotted: the {curves[0].sentences:,} sentences at hand"
    title = alt.TitleParams(f"The chance to find a difference of {curves[0].metric}", subtitle=subtitle)
    y = alt.Y("chance:Q", title="chance", scale=alt.Scale(domain=[0, 1]))
    x = alt.X("sentences:Q", title="sentences", scale=alt.Scale(type="log", nice=False))
    colour, tooltip = alt.Color("curve:N", title=None, sort=labels), ["curve:N", "sentences:Q", "chance:Q"]
    lines: Any = alt.Chart({"values": values}).mark_line(point=True).encode(x, y, colour, tooltip=tooltip)
    level: Any = alt.Chart({"values": [{"chance": wanted}]}).mark_rule(color=theme.REFERENCE, strokeDash=[6, 3])
    at_hand: Any = alt.Chart({"values": [{"sentences": curves[0].sentences}]})
    at_hand = at_hand.mark_rule(color=theme.REFERENCE, strokeDash=[2, 2])
    chart: Any = alt.layer(level.encode(y=y), at_hand.encode(x=x), lines)
    sized: LayerChart = chart.properties(title=title, width=theme.WIDTH, height=theme.HEIGHT)
    return sized


def _label(curve: PowerCurve) -> str:
    references = "" if curve.annotators is None else f", {curve.annotators} references"
    return f"{curve.system} − {curve.baseline}: {curve.difference:+.4f}{references}"
