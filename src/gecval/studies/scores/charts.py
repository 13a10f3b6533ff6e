"""Scores and differences with their intervals, as charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gecval.results import theme
from gecval.results.table import percent
from gecval.stats.paired_tests import NAMES
from gecval.studies.compare.result import Comparison
from gecval.studies.scores.result import Score, Scores

if TYPE_CHECKING:
    from altair import Chart, HConcatChart, LayerChart, VConcatChart


ROW = 18  # pixels for a system or a pair


WIDTHS = {1: theme.WIDTH, 2: 250}  # pixels of a panel, by the number of metrics; of more, MANY
MANY = 170


def score_chart(scores: Scores, names: Mapping[str, str] | None = None) -> HConcatChart:
    """One leaderboard: a row per system, ordered by the first metric, and a panel per metric; clusters in colours.

    ``names`` are the metrics as papers write them, by their spelling.
    """
    import altair as alt

    names = names or {}
    first = scores.metrics[0]
    of_first = [scores[system, first] for system in scores.systems]
    ordered = sorted(of_first, key=lambda score: -score.score if score.higher_is_better else score.score)
    order = [score.system for score in ordered]
    panels = [
        _score_panel(
            [scores[system, metric] for system in order],
            name=names.get(metric, metric),
            width=WIDTHS.get(len(scores.metrics), MANY),
            place=place,
        )
        for place, metric in enumerate(scores.metrics)
    ]
    width = sum(WIDTHS.get(len(panels), MANY) for _ in panels)
    level = ordered[0].level
    said = [
        "dots: scores" if level is None else f"dots: scores; lines: {percent(level)} intervals",
        "colours: clusters of systems that are not significantly different" if ordered[0].cluster else "",
        f"systems from best to worst by {names.get(first, first)}" if len(panels) > 1 else "",
    ]
    systems = f"{len(order)} systems" if len(order) > 1 else order[0]
    title = theme.heading(f"Scores of {systems}", "; ".join(filter(None, said)), width)
    chart: HConcatChart = alt.hconcat(*panels, title=title, spacing=14).resolve_scale(
        x="independent", y="independent", color="independent"
    )
    return chart


def _score_panel(scores: Sequence[Score], *, name: str, width: int, place: int) -> LayerChart:
    """The systems in their order. Only the first panel names them."""
    import altair as alt

    first = scores[0]
    rows = [
        {
            "system": score.system,
            "score": score.score,
            "low": score.interval.low if score.interval else score.score,
            "high": score.interval.high if score.interval else score.score,
            # Neighbouring clusters differ in colour; of many, the colours come again.
            "colour": theme.CATEGORIES[((score.cluster or 1) - 1) % len(theme.CATEGORIES)],
        }
        for score in scores
    ]
    better = "" if first.higher_is_better else " (lower is better)"
    title = alt.TitleParams(name + better, frame="group", fontSize=theme.AXIS_SIZE + 1)
    axis = alt.Axis() if place == 0 else alt.Axis(labels=False, ticks=False, domain=False)
    base: Any = alt.Chart({"values": rows}).encode(
        y=alt.Y("system:N", sort=[score.system for score in scores], title=None, axis=axis),
        color=alt.Color("colour:N", scale=None),
    )
    free = alt.Scale(zero=False, nice=False, padding=12)
    chart: Any = alt.layer(*_with_intervals(base, "score", "score", free))
    sized: LayerChart = chart.properties(title=title, width=width, height=ROW * len(rows))
    return sized


def comparison_chart(comparisons: Iterable[Comparison], names: Mapping[str, str] | None = None) -> VConcatChart:
    """A panel per metric: the difference of each pair with its interval; those beyond chance are coloured."""
    import altair as alt

    listed = list(comparisons)
    by_metric: dict[str, list[Comparison]] = {}
    for comparison in listed:
        by_metric.setdefault(comparison.metric, []).append(comparison)
    kinds = [kind for kind in KINDS if kind in set(map(_kind, listed))]
    panels = [_difference_panel(of, (names or {}).get(metric, metric), kinds) for metric, of in by_metric.items()]
    first = listed[0]
    baselines = {comparison.baseline for comparison in listed}
    corrected = f" after {NAMES[first.correction]} correction" if first.correction != "none" else ""
    title = theme.heading(
        f"Differences from {first.baseline}" if len(baselines) == 1 else "Differences of systems",
        f"dots: differences; lines: {percent(first.level)} intervals; colours: p < 0.05{corrected}",
        theme.WIDTH,
    )
    chart: VConcatChart = alt.vconcat(*panels, title=title).resolve_scale(x="independent", y="independent")
    return chart


KINDS = {"better": theme.POSITIVE, "worse": theme.NEGATIVE, "may be chance": theme.REFERENCE}


def _difference_panel(comparisons: Sequence[Comparison], name: str, kinds: Sequence[str]) -> LayerChart:
    import altair as alt

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
    title = alt.TitleParams(name, frame="group", fontSize=theme.AXIS_SIZE + 1)
    base: Any = alt.Chart({"values": rows}).encode(
        y=alt.Y("pair:N", sort=list(map(_pair, comparisons)), title=None),
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=kinds, range=[KINDS[kind] for kind in kinds]),
            sort=kinds,
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

    axis = alt.Axis(tickCount=6)
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=title, scale=scale, axis=axis), x2="high:Q")
    return lines, base.mark_point(opacity=1).encode(x=alt.X(f"{value}:Q", title=title, scale=scale, axis=axis))


def _pair(comparison: Comparison) -> str:
    """Who against whom; by type of error, for which type."""
    pair = f"{comparison.system} − {comparison.baseline}"
    return pair if comparison.type is None else f"{comparison.type}: {pair}"


def _kind(comparison: Comparison) -> str:
    if not comparison.significant:
        return "may be chance"
    return "better" if comparison.system_is_better else "worse"
