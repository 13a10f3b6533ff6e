"""Scores and differences with their intervals, as charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from gecval.results import theme
from gecval.results.table import percent
from gecval.stats.paired import NAMES
from gecval.studies.compare.result import Comparison
from gecval.studies.scores.result import Score, Scores

if TYPE_CHECKING:
    from altair import Chart, LayerChart, VConcatChart


ROW = 18  # pixels for a system or a pair


def score_chart(scores: Scores) -> VConcatChart:
    """A panel per metric, a dot per system with its interval, the best on top; clusters in colours."""
    import altair as alt

    panels = [_score_panel([scores[system, metric] for system in scores.systems]) for metric in scores.metrics]
    chart: VConcatChart = alt.vconcat(*panels).resolve_scale(x="independent", y="independent", color="independent")
    return chart


def _score_panel(scores: Sequence[Score]) -> LayerChart:
    import altair as alt

    first = scores[0]
    ordered = sorted(scores, key=lambda score: -score.score if first.higher_is_better else score.score)
    rows = [
        {
            "system": score.system,
            "score": score.score,
            "low": score.interval.low if score.interval else score.score,
            "high": score.interval.high if score.interval else score.score,
            "cluster": str(score.cluster or ""),
        }
        for score in ordered
    ]
    level = f"lines: {percent(first.level)} intervals" if first.level else ""
    clusters = "colours: clusters of systems that are not significantly different" if first.cluster else ""
    better = "" if first.higher_is_better else "lower is better"
    title = alt.TitleParams(first.metric, subtitle="; ".join(filter(None, [level, clusters, better])))
    base: Any = alt.Chart({"values": rows}).encode(
        y=alt.Y("system:N", sort=[score.system for score in ordered], title=None),
        color=alt.Color("cluster:N", sort=None, legend=alt.Legend(title="cluster"))
        if first.cluster
        else alt.value(theme.SYSTEM),
    )
    free = alt.Scale(zero=False, nice=False, padding=12)
    chart: Any = alt.layer(*_with_intervals(base, "score", "score", free))
    sized: LayerChart = chart.properties(title=title, width=theme.WIDTH, height=ROW * len(rows))
    return sized


def comparison_chart(comparisons: Iterable[Comparison]) -> VConcatChart:
    """A panel per metric: the difference of each pair with its interval; those beyond chance are coloured."""
    import altair as alt

    by_metric: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        by_metric.setdefault(comparison.metric, []).append(comparison)
    chart: VConcatChart = alt.vconcat(*map(_difference_panel, by_metric.values())).resolve_scale(
        x="independent", y="independent"
    )
    return chart


def _difference_panel(comparisons: Sequence[Comparison]) -> LayerChart:
    import altair as alt

    first = comparisons[0]
    rows = [
        {
            "pair": _pair(comparison),
            "difference": comparison.difference,
            "low": comparison.interval.low,
            "high": comparison.interval.high,
            "kind": _kind(comparison),
        }
        for comparison in comparisons
    ]
    colours = {"better": theme.POSITIVE, "worse": theme.NEGATIVE, "may be chance": theme.REFERENCE}
    corrected = f" after {NAMES[first.correction]} correction" if first.correction != "none" else ""
    subtitle = f"lines: {percent(first.level)} intervals; colours: p < 0.05{corrected}"
    title = alt.TitleParams(f"Differences of {first.metric}", subtitle=subtitle)
    base: Any = alt.Chart({"values": rows}).encode(
        y=alt.Y("pair:N", sort=list(map(_pair, comparisons)), title=None),
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(colours), range=list(colours.values())),
            sort=list(colours),
        ),
    )
    zero: Chart = alt.Chart({"values": [{"zero": 0}]}).mark_rule(color=theme.REFERENCE, strokeDash=[3, 3])
    drawn = _with_intervals(base, "difference", "difference of the scores", alt.Scale(nice=False, padding=12))
    chart: Any = alt.layer(zero.encode(x="zero:Q"), *drawn)
    sized: LayerChart = chart.properties(title=title, width=theme.WIDTH, height=ROW * len(rows))
    return sized


def _with_intervals(base: Any, value: str, title: str, scale: Any) -> tuple[Chart, Chart]:
    """A line from end to end of the interval, and a dot for the value."""
    import altair as alt

    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=title, scale=scale), x2="high:Q")
    return lines, base.mark_point(opacity=1).encode(x=alt.X(f"{value}:Q", title=title, scale=scale))


def _pair(comparison: Comparison) -> str:
    """Who against whom; by type of error, for which type."""
    pair = f"{comparison.system} − {comparison.baseline}"
    return pair if comparison.type is None else f"{comparison.type}: {pair}"


def _kind(comparison: Comparison) -> str:
    if not comparison.significant:
        return "may be chance"
    return "better" if comparison.system_is_better else "worse"
