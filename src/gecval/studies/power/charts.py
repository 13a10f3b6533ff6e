"""The chance to find a difference, as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gecval.results import theme
from gecval.results.table import percent
from gecval.studies.power.study import Power, PowerCurve

if TYPE_CHECKING:
    from altair import LayerChart, VConcatChart


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
    subtitle = f"dashed: {percent(wanted)}; dotted: the {curves[0].sentences:,} sentences of the corpus"
    title = alt.TitleParams(f"The chance to find a difference of {curves[0].metric}", subtitle=subtitle)
    y = alt.Y("chance:Q", title="chance", scale=alt.Scale(domain=[0, 1]))
    x = alt.X("sentences:Q", title="sentences", scale=alt.Scale(type="log", nice=False))
    colour, tooltip = alt.Color("curve:N", title=None, sort=labels), ["curve:N", "sentences:Q", "chance:Q"]
    lines: Any = alt.Chart({"values": values}).mark_line(point=True).encode(x, y, colour, tooltip=tooltip)
    level: Any = alt.Chart({"values": [{"chance": wanted}]}).mark_rule(color=theme.REFERENCE, strokeDash=[6, 3])
    available: Any = alt.Chart({"values": [{"sentences": curves[0].sentences}]})
    available = available.mark_rule(color=theme.REFERENCE, strokeDash=[2, 2])
    chart: Any = alt.layer(level.encode(y=y), available.encode(x=x), lines)
    sized: LayerChart = chart.properties(title=title, width=theme.WIDTH, height=theme.HEIGHT)
    return sized


def _label(curve: PowerCurve) -> str:
    references = "" if curve.annotators is None else f", {curve.annotators} references"
    return f"{curve.system} − {curve.baseline}: {curve.difference:+.4f}{references}"
