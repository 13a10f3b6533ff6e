"""Charts of human rankings: bars of ranks with clusters, metric against human scores, and the curve over references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gecval.studies.human_ranking import Ranking
from gecval.studies.human_results import HumanCorrelation
from gecval.studies.interpolation import ReferencePoint

if TYPE_CHECKING:
    import altair as alt


def ranking_chart(rankings: Sequence[Ranking]) -> alt.HConcatChart:
    """Each system's range of ranks as a bar, best on top; systems of one colour cannot be told apart."""
    import altair as alt

    charts = []
    for ranking in rankings:
        order = [one.system for one in ranking.standings]
        rows = [
            {
                "system": one.system,
                "best": one.ranks[0] - 0.4,
                "worst": one.ranks[1] + 0.4,
                "cluster": str(one.cluster),
                "score": f"{one.score:.3f}",
            }
            for one in ranking.standings
        ]
        # Room for the score on the right of the last bar.
        ranks = alt.Scale(domain=[0.5, len(order) * 1.15 + 0.5], nice=False)
        base: Any = alt.Chart({"values": rows}).encode(y=alt.Y("system:N", sort=order, title=None))
        bars = base.mark_bar(cornerRadius=3, height=14).encode(
            x=alt.X("best:Q", title="rank", scale=ranks, axis=alt.Axis(values=list(range(1, len(order) + 1)))),
            x2="worst:Q",
            color=alt.Color("cluster:N", title="cluster", sort=None),
        )
        labels = base.mark_text(align="left", dx=4, fontSize=10).encode(x="worst:Q", text="score:N")
        title = f"{ranking.judgments}: {ranking.method}"
        charts.append((bars + labels).properties(title=title, width=320, height=20 * len(order)))
    chart: alt.HConcatChart = alt.hconcat(*charts).resolve_scale(color="independent", y="independent")
    return chart


def scatter_chart(correlations: Sequence[HumanCorrelation]) -> alt.ConcatChart:
    """Systems as people and as a metric see them, with the intervals of both; a panel for each metric and ranking."""
    import altair as alt

    panels = [_scatter(one, alt) for one in correlations]
    joined = alt.concat(*panels, columns=len({one.metric for one in correlations}))
    chart: alt.ConcatChart = joined.resolve_scale(x="independent", y="independent")
    return chart


def _scatter(found: HumanCorrelation, alt: Any) -> Any:
    rows = [
        {
            "system": one.system,
            "human": one.human,
            "human low": one.human_interval.low,
            "human high": one.human_interval.high,
            "metric": one.metric,
            "metric low": one.metric_interval.low if one.metric_interval else one.metric,
            "metric high": one.metric_interval.high if one.metric_interval else one.metric,
        }
        for one in found.systems
    ]
    base = alt.Chart({"values": rows})
    free = alt.Scale(zero=False)
    few = alt.Axis(tickCount=5)
    x = alt.X("metric:Q", title=found.metric, scale=free, axis=few)
    y = alt.Y("human:Q", title=found.target, scale=free, axis=few)
    layers = [
        base.mark_rule(opacity=0.35).encode(
            x=alt.X("metric low:Q", title=found.metric, scale=free, axis=few), x2="metric high:Q", y=y
        ),
        base.mark_rule(opacity=0.35).encode(
            x=x, y=alt.Y("human low:Q", title=found.target, scale=free, axis=few), y2="human high:Q"
        ),
        base.mark_circle(size=45, opacity=1).encode(x=x, y=y),
        base.mark_text(align="left", dx=5, dy=-6, fontSize=9).encode(x=x, y=y, text="system:N"),
    ]
    title = f"{found.judgments}: r = {found.pearson.value:.2f}, ρ = {found.spearman.value:.2f}"
    return alt.layer(*layers).properties(title=title, width=280, height=240)


def reference_chart(curve: Sequence[ReferencePoint], names: tuple[str, str]) -> alt.LayerChart:
    """Correlation over the number of references: of the metric alone, and of the oracle hybrid."""
    import altair as alt

    rows = [
        {"references": point.references, "metric": name, "ρ": value, "low": interval.low, "high": interval.high}
        for point in curve
        for name, value, interval in (
            (names[0], point.alone, point.alone_interval),
            (names[1], point.oracle, point.oracle_interval),
        )
    ]
    base: Any = alt.Chart({"values": rows}, width=420, height=260)
    x, free = alt.X("references:Q", title="number of references"), alt.Scale(zero=False)
    lines = base.mark_line(point=True).encode(
        x, alt.Y("ρ:Q", title="mean Spearman ρ", scale=free), alt.Color("metric:N", title=None)
    )
    bars = base.mark_rule().encode(x, alt.Y("low:Q", scale=free), alt.Y2("high:Q"), alt.Color("metric:N", title=None))
    chart: alt.LayerChart = lines + bars
    return chart
