"""The charts of a card: agreement with people, sensitivity by type, coverage, gaming."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any

from gecval.results import theme
from gecval.studies.validate.result import Card
from gecval.studies.validate.tables import MOST_TYPES

if TYPE_CHECKING:
    from altair import TopLevelMixin


ROW = 18  # pixels for a bar or a dot


def card_charts(card: Card) -> Iterator[tuple[str, TopLevelMixin]]:
    """Charts, each with the title of its section."""
    if rows := _agreement_rows(card):
        yield "Agreement with people", _dots(rows, "Pearson's r with people", domain=(-1, 1))
    if rows := _type_rows(card):
        yield "Sensitivity by type of error", _dots(rows, "Δ of the score by a right edit", domain=None)
    if len(card.coverage) > 1:
        yield "Coverage bias", _curve(card)
    if card.gaming:
        yield "The price of gaming", _bars(card)


def _agreement_rows(card: Card) -> list[dict[str, Any]]:
    return [
        _row(f"{row.judgments}, {row.outputs}", row.pearson.value, row.pearson.interval)
        for row in card.agreement
        if isfinite(row.pearson.value)
    ]


def _type_rows(card: Card) -> list[dict[str, Any]]:
    types = sorted(card.maege.types if card.maege else (), key=lambda row: -row.edits)[:MOST_TYPES]
    return [_row(row.type, row.delta.mean, row.delta.interval) for row in types if isfinite(row.delta.mean)]


def _row(name: str, value: float, interval: tuple[float, float] | None) -> dict[str, Any]:
    low, high = interval if interval and all(map(isfinite, interval)) else (value, value)
    return {"name": name, "value": value, "low": low, "high": high}


def _dots(rows: list[dict[str, Any]], title: str, *, domain: tuple[float, float] | None) -> TopLevelMixin:
    """A dot and its interval in each row, and a line at 0."""
    import altair as alt

    scale = alt.Scale(domain=domain) if domain else alt.Scale()
    y = alt.Y("name:N", sort=[row["name"] for row in rows], title=None)
    base: Any = alt.Chart({"values": rows}).encode(y=y)
    zero: Any = alt.Chart({"values": [{"zero": 0}]}).mark_rule(color=theme.REFERENCE).encode(x="zero:Q")
    axis = alt.Axis(tickCount=6)
    x = alt.X("low:Q", title=title, scale=scale, axis=axis)
    lines = base.mark_rule(color=theme.SYSTEM).encode(x=x, x2="high:Q")
    dots = base.mark_point().encode(x=alt.X("value:Q", title=title, scale=scale, axis=axis))
    chart: TopLevelMixin = alt.layer(zero, lines, dots).properties(width=theme.WIDTH, height=ROW * len(rows))
    return chart


def _curve(card: Card) -> TopLevelMixin:
    """People and the source by the number of references."""
    import altair as alt

    rows = [
        {"references": point.references, "who": who, "score": getattr(point, who)}
        for point in card.coverage
        for who in ("people", "source")
    ]
    colour = alt.Color(
        "who:N",
        title=None,
        scale=alt.Scale(domain=["people", "source"], range=[theme.PEOPLE, theme.REFERENCE]),
    )
    chart: Any = alt.Chart({"values": rows}).mark_line(point=True)
    drawn: TopLevelMixin = chart.encode(
        x=alt.X("references:Q", axis=alt.Axis(values=[point.references for point in card.coverage], format="d")),
        y=alt.Y("score:Q", scale=alt.Scale(zero=False)),
        color=colour,
    ).properties(width=theme.WIDTH, height=theme.PANEL_HEIGHT)
    return drawn


def _bars(card: Card) -> TopLevelMixin:
    """Adversaries and systems from best to worst."""
    import altair as alt

    assert card.gaming
    rows: list[dict[str, Any]] = [
        {"name": row.adversary, "score": row.score, "who": "adversary"}
        for row in card.gaming.attacks
        if isfinite(row.score) and row.against == "all"  # other references give other scores
    ]
    rows += [{"name": f"system {mark.system}", "score": mark.score, "who": "system"} for mark in card.gaming.systems]
    rows.sort(key=lambda row: -row["score"] if card.about.higher_is_better else row["score"])
    colour = alt.Color(
        "who:N",
        title=None,
        scale=alt.Scale(domain=["adversary", "system"], range=[theme.HIGHLIGHT, theme.SYSTEM]),
    )
    chart: Any = alt.Chart({"values": rows}).mark_bar(size=ROW - 6)
    drawn: TopLevelMixin = chart.encode(
        x=alt.X("score:Q"),
        y=alt.Y("name:N", sort=[row["name"] for row in rows], title=None),
        color=colour,
    ).properties(width=theme.WIDTH, height=ROW * len(rows))
    return drawn
