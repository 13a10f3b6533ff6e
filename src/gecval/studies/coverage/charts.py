"""Coverage as the paper's Figures 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gecval.results.table import percent
from gecval.results.theme import AXIS_SIZE, BAR, HEIGHT, PEOPLE, SYSTEM, WIDTH, heading
from gecval.stats import Interval
from gecval.studies.coverage.result import CrowdCoverage, ReferenceCoverage
from gecval.studies.scores.people import AgainstPeople

if TYPE_CHECKING:
    from altair import LayerChart, VConcatChart


ROW = 20  # pixels from one bar to the next


def crowd_chart(result: CrowdCoverage, names: Mapping[str, str] | None = None) -> LayerChart:
    """Accuracy and scores of a perfect system over the number of references, with their intervals (Figure 1)."""
    import altair as alt

    seen = [point for point in result.curve if point.observed is not None]
    points = [("accuracy", point.references, 1 - point.bias, point.observed_interval) for point in seen]
    beyond = [point for point in result.curve if point.observed is None]
    points += [("accuracy, extrapolated", point.references, point.with_replacement, point.range) for point in beyond]
    named = {metric: (names or {}).get(metric, metric) for metric in result.metrics}
    points += [(named[score.metric], score.references, score.score, score.interval) for score in result.scores]
    values: list[dict[str, Any]] = [
        {"series": series, "references": references, **_with_ends(score, interval)}
        for series, references, score, interval in points
    ]
    subtitle = ["accuracy: the share of valid corrections that M references cover"]
    subtitle += [f"bands: {percent(result.level)} intervals over sentences"] if result.sentences > 1 else []
    title = alt.TitleParams("What a perfect system scores with M references", subtitle=subtitle)
    base = alt.Chart({"values": values}, title=title, width=WIDTH, height=HEIGHT).encode(
        alt.X("references:Q", title="references a sentence, M", axis=alt.Axis(tickMinStep=1)),
        alt.Color("series:N", title=None, sort=["accuracy", "accuracy, extrapolated", *named.values()]),
    )
    within_one = all(value["low"] >= 0 and value["high"] <= 1 for value in values)
    scale = alt.Scale(domain=[0, 1]) if within_one else alt.Scale()
    band = base.mark_errorband().encode(alt.Y("low:Q", title="score", scale=scale), alt.Y2("high:Q"))
    chart: LayerChart = band + base.mark_line(point=True).encode(alt.Y("score:Q"))
    return chart


def people_chart(result: ReferenceCoverage, names: Mapping[str, str] | None = None) -> VConcatChart:
    """For each metric, systems and people from the highest score to the lowest (Figure 2)."""
    import altair as alt

    panels = [
        _people_panel([score for score in result.people if score.metric == metric], (names or {}).get(metric, metric))
        for metric in result.metrics
    ]
    subtitle = "each annotator in turn is left out, and scored against the others; so are the systems"
    if any(score.interval for score in result.people):
        subtitle += f"; lines: {percent(result.level)} intervals over sentences"
    chart: VConcatChart = alt.vconcat(*panels, title=heading("Systems and people", subtitle, WIDTH))
    return chart


def _people_panel(scores: Sequence[AgainstPeople], name: str) -> LayerChart:
    """One metric: bars, and intervals where there are any."""
    import altair as alt

    first = scores[0]
    values: list[dict[str, Any]] = [
        {"name": score.system, "who": "system", **_with_ends(score.score, score.interval)} for score in scores
    ]
    values.append({"name": "(people)", "who": "people", **_with_ends(first.people, first.people_interval)})
    values.sort(key=lambda value: value["score"], reverse=True)
    heading = name if first.higher_is_better else f"{name}: lower is better"
    title = alt.TitleParams(heading, frame="group", fontSize=AXIS_SIZE + 1)
    base = alt.Chart({"values": values}, title=title, width=WIDTH, height=alt.Step(ROW)).encode(
        alt.Y("name:N", sort=[value["name"] for value in values], title=None)
    )
    colours = alt.Scale(domain=["system", "people"], range=[SYSTEM, PEOPLE])
    bars = base.mark_bar(size=BAR).encode(
        alt.X("score:Q", title="score", axis=alt.Axis(tickCount=6)),
        alt.Color("who:N", title=None, scale=colours, legend=None),  # people are named where they stand
    )
    chart: LayerChart = bars + base.mark_rule(strokeWidth=2).encode(alt.X("low:Q"), alt.X2("high:Q"))
    return chart


def _with_ends(score: float, interval: Interval | None) -> dict[str, float]:
    """A score and the ends of its interval; where it has none, a band or a line of no height shows none."""
    low, high = interval or (score, score)
    return {"score": score, "low": low, "high": high}
