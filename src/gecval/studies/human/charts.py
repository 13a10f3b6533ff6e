"""Charts of human rankings: ranges of ranks with clusters, and metric scores against human scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gecval.results.table import decimals, percent
from gecval.results.theme import BAR, FAINT_OPACITY, LABEL_HEIGHT, PixelAxis, beside_points
from gecval.stats.resampling import Interval
from gecval.studies.human.ranking import JudgmentCounts, Ranking
from gecval.studies.human.result import HumanCorrelation, HumanResult

if TYPE_CHECKING:
    import altair as alt


WIDTH, HEIGHT = 280, 240  # of a panel: room for names next to points
ROW = 20  # pixels from one system to the next
MOST_SETS = 3  # of judgments that have a line each
METHODS = {"expected-wins": "Expected Wins", "trueskill": "TrueSkill"}


def human_chart(result: HumanResult, names: Mapping[str, str] | None = None) -> alt.TopLevelMixin:
    """Metric scores against human scores or, without metrics, ranges of ranks; and how much was judged."""
    chart = (
        scatter_chart(result.correlations, names, level=result.level)
        if result.correlations
        else ranking_chart(result.rankings)
    )
    subtitle = chart.title.subtitle
    chart.title.subtitle = [*judged_lines(result.judgments), *([subtitle] if isinstance(subtitle, str) else subtitle)]
    return chart


def judged_lines(counts: Sequence[JudgmentCounts]) -> list[str]:
    """How much was judged: a line for each set of judgments, or one for many sets."""
    if len(counts) > MOST_SETS:
        pairs, sentences = sum(count.pairs for count in counts), sum(count.sentences for count in counts)
        return [f"{len(counts)} sets of judgments: {pairs:,} pairs of systems in {sentences:,} sentences"]
    return [
        f"{count.judgments}: {_number(count.pairs, 'pair')} of systems in {_number(count.sentences, 'sentence')} by "
        f"{_number(count.judges, 'judge')}"
        for count in counts
    ]


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def ranking_chart(rankings: Sequence[Ranking]) -> alt.HConcatChart:
    """Each system's range of ranks as a bar, the best on top. Systems of one cluster have one colour."""
    import altair as alt

    charts = []
    for ranking in rankings:
        order = [standing.system for standing in ranking.systems]
        rows = [
            {
                "system": standing.system,
                "best": standing.ranks[0] - 0.4,
                "worst": standing.ranks[1] + 0.4,
                "cluster": str(standing.cluster),
                "score": decimals(standing.score, 3).replace("-", "−"),
            }
            for standing in ranking.systems
        ]
        # Room for the score on the right of the last bar.
        ranks = alt.Scale(domain=[0.5, len(order) * 1.15 + 0.5], nice=False)
        base: Any = alt.Chart({"values": rows}).encode(y=alt.Y("system:N", sort=order, title=None))
        bars = base.mark_bar(cornerRadius=3, height=BAR).encode(
            x=alt.X("best:Q", title="rank", scale=ranks, axis=alt.Axis(values=list(range(1, len(order) + 1)))),
            x2="worst:Q",
            color=alt.Color("cluster:N", title="cluster", sort=None),
        )
        labels = base.mark_text(align="left", dx=4).encode(x="worst:Q", text="score:N")
        named = f"{ranking.judgments}: {METHODS.get(ranking.method, ranking.method)}"
        charts.append((bars + labels).properties(title=named, width=320, height=ROW * len(order)))
    title = alt.TitleParams(
        "How people rank the systems",
        subtitle=[
            f"bars: {percent(rankings[0].level)} range of ranks; number: score",
            "systems of one cluster are not significantly different",
        ],
    )
    joined = alt.hconcat(*charts, title=title)
    chart: alt.HConcatChart = joined.resolve_scale(color="independent", y="independent")
    return chart


def scatter_chart(
    correlations: Sequence[HumanCorrelation], names: Mapping[str, str] | None = None, *, level: float = 0.95
) -> alt.ConcatChart:
    """Human against metric scores of all systems, with intervals of this level. Each metric and ranking has a panel."""
    import altair as alt

    panels = [_scatter(correlation, names or {}, alt) for correlation in correlations]
    title = alt.TitleParams(
        "Systems as people and as metrics score them", subtitle=f"lines: {percent(level)} intervals of the scores"
    )
    joined = alt.concat(*panels, columns=len({correlation.metric for correlation in correlations}), title=title)
    chart: alt.ConcatChart = joined.resolve_scale(x="independent", y="independent")
    return chart


def _scatter(correlation: HumanCorrelation, names: Mapping[str, str], alt: Any) -> Any:
    systems = correlation.systems
    metric_ends = [system.metric_interval or Interval(system.metric, system.metric) for system in systems]
    x_axis = PixelAxis.over([end for interval in metric_ends for end in interval], WIDTH)
    y_axis = PixelAxis.over([end for system in systems for end in system.human_interval], HEIGHT, upwards=True)
    points = [(x_axis.pixel(system.metric), y_axis.pixel(system.human)) for system in systems]
    boxes = beside_points(points, [system.system for system in systems], WIDTH)
    rows = [
        {
            "system": system.system,
            "human": system.human,
            "human low": system.human_interval.low,
            "human high": system.human_interval.high,
            "metric": system.metric,
            "metric low": ends.low,
            "metric high": ends.high,
            "label x": x_axis.value(box.left),
            "label y": y_axis.value(box.middle),
            # A name that had to move away is tied to its point.
            "tie x": x_axis.value(box.left - 1 if box.left > point[0] else box.right + 1),
            "moved": abs(box.middle - point[1]) > LABEL_HEIGHT,
        }
        for system, ends, point, box in zip(systems, metric_ends, points, boxes, strict=True)
    ]
    base = alt.Chart({"values": rows})
    few = {"axis": alt.Axis(tickCount=5)}
    x_settings = {
        "title": names.get(correlation.metric, correlation.metric),
        "scale": alt.Scale(domain=x_axis.domain, nice=False),
        **few,
    }
    y_settings = {
        "title": METHODS.get(correlation.target, correlation.target),
        "scale": alt.Scale(domain=y_axis.domain, nice=False),
        **few,
    }
    x, y = alt.X("metric:Q", **x_settings), alt.Y("human:Q", **y_settings)
    layers = [
        base.mark_rule(opacity=FAINT_OPACITY).encode(x=alt.X("metric low:Q", **x_settings), x2="metric high:Q", y=y),
        base.mark_rule(opacity=FAINT_OPACITY).encode(x=x, y=alt.Y("human low:Q", **y_settings), y2="human high:Q"),
        base.transform_filter("datum.moved")
        .mark_rule(opacity=0.6, strokeDash=[1, 1])
        .encode(x=x, y=y, x2="tie x:Q", y2="label y:Q"),
        base.mark_circle(size=45, opacity=1).encode(x=x, y=y),
        base.mark_text(align="left").encode(
            x=alt.X("label x:Q", **x_settings), y=alt.Y("label y:Q", **y_settings), text="system:N"
        ),
    ]
    r, rho = correlation.pearson.value, correlation.spearman.value
    agreement = (
        "constant, so no correlation"
        if math.isnan(r)
        else f"r = {decimals(r, 2)}, ρ = {decimals(rho, 2)}".replace("-", "−")
    )
    return alt.layer(*layers).properties(title=f"{correlation.judgments}: {agreement}", width=WIDTH, height=HEIGHT)
