"""Charts of human rankings: bars of ranks with clusters, metric against human scores, and the curve over references."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gecval.report.labels import FONT_SIZE, beside_points
from gecval.report.labels import HEIGHT as LABEL_HEIGHT
from gecval.stats.resampling import Interval
from gecval.stats.ties import TOLERANCE
from gecval.studies.human.interpolation import ReferencePoint
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation

if TYPE_CHECKING:
    import altair as alt

WIDTH, HEIGHT = 280, 240


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
    metric_ends = [one.metric_interval or Interval(one.metric, one.metric) for one in found.systems]
    x_axis = _Axis.over([end for interval in metric_ends for end in interval], WIDTH)
    y_axis = _Axis.over([end for one in found.systems for end in one.human_interval], HEIGHT, upwards=True)
    points = [(x_axis.pixel(one.metric), y_axis.pixel(one.human)) for one in found.systems]
    boxes = beside_points(points, [one.system for one in found.systems], WIDTH)
    rows = [
        {
            "system": one.system,
            "human": one.human,
            "human low": one.human_interval.low,
            "human high": one.human_interval.high,
            "metric": one.metric,
            "metric low": ends.low,
            "metric high": ends.high,
            "label x": x_axis.value(box.left),
            "label y": y_axis.value(box.middle),
            # A name that had to move away is tied to its point.
            "tie x": x_axis.value(box.left - 1 if box.left > point[0] else box.right + 1),
            "moved": abs(box.middle - point[1]) > LABEL_HEIGHT,
        }
        for one, ends, point, box in zip(found.systems, metric_ends, points, boxes, strict=True)
    ]
    base = alt.Chart({"values": rows})
    few = {"axis": alt.Axis(tickCount=5)}
    x_settings = {"title": found.metric, "scale": alt.Scale(domain=x_axis.domain, nice=False), **few}
    y_settings = {"title": found.target, "scale": alt.Scale(domain=y_axis.domain, nice=False), **few}
    x, y = alt.X("metric:Q", **x_settings), alt.Y("human:Q", **y_settings)
    layers = [
        base.mark_rule(opacity=0.35).encode(x=alt.X("metric low:Q", **x_settings), x2="metric high:Q", y=y),
        base.mark_rule(opacity=0.35).encode(x=x, y=alt.Y("human low:Q", **y_settings), y2="human high:Q"),
        base.transform_filter("datum.moved")
        .mark_rule(opacity=0.6, strokeDash=[1, 1])
        .encode(x=x, y=y, x2="tie x:Q", y2="label y:Q"),
        base.mark_circle(size=45, opacity=1).encode(x=x, y=y),
        base.mark_text(align="left", fontSize=FONT_SIZE).encode(
            x=alt.X("label x:Q", **x_settings), y=alt.Y("label y:Q", **y_settings), text="system:N"
        ),
    ]
    r, rho = found.pearson.value, found.spearman.value
    agreement = "constant, so no correlation" if math.isnan(r) else f"r = {r:.2f}, ρ = {rho:.2f}"
    return alt.layer(*layers).properties(title=f"{found.judgments}: {agreement}", width=WIDTH, height=HEIGHT)


@dataclass(frozen=True)
class _Axis:
    """From values to pixels and back: labels that avoid each other are placed in pixels, and drawn at values."""

    domain: tuple[float, float]
    size: int
    upwards: bool

    @classmethod
    def over(cls, values: Sequence[float], size: int, *, upwards: bool = False) -> _Axis:
        low, high = min(values), max(values)
        largest = max(abs(low), abs(high))
        # Rounding is nothing to zoom in on.
        margin = 0.05 * (high - low) if high - low > TOLERANCE * largest else 0.1 * largest or 1.0
        return cls((low - margin, high + margin), size, upwards)

    def pixel(self, value: float) -> float:
        low, high = self.domain
        share = (value - low) / (high - low)
        return self.size * (1 - share if self.upwards else share)

    def value(self, pixel: float) -> float:
        low, high = self.domain
        share = pixel / self.size
        return low + (high - low) * (1 - share if self.upwards else share)


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
