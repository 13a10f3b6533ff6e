"""MAEGE's charts: types of edits, corpora by number of edits, the lattice of a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gecval.edits import Lattice
from gecval.studies.maege import Maege, summaries, type_deltas

if TYPE_CHECKING:
    from altair import Chart, TopLevelMixin

MOST_EDITS = 5  # a lattice with more has too many corrections to look at
QUANTILE = 0.9  # of a metric's |Δ|: one outlier would leave all other types without colour


def type_heat_map(study: Maege) -> TopLevelMixin:
    """Δ by type and metric in colours, each metric on its own scale, which a few large ones do not stretch."""
    import altair as alt

    deltas = {(kind, name): one.mean for kind, by in type_deltas(study).items() for name, one in by.items()}
    ends = {name: _colour_end([d for (_, other), d in deltas.items() if other == name]) for name in study.metrics}
    values = [
        {"type": kind, "metric": name, "delta": delta, "share": float(np.clip(delta / ends[name], -1, 1))}
        for (kind, name), delta in deltas.items()
    ]
    title = alt.TitleParams(
        "Is an edit of this type rewarded (blue) or punished (red)?",
        subtitle=f"Δ of the score; each metric has its own colours, darkest from the {QUANTILE:.0%} quantile of |Δ| on",
        anchor="start",
    )
    base = alt.Chart({"values": values}, title=title, width=alt.Step(64)).encode(
        x=alt.X("metric:N", sort=list(study.metrics), title=None, axis=alt.Axis(labelAngle=-30)),
        y=alt.Y("type:N", title="type of edit"),
    )
    scale = alt.Scale(scheme="redblue", domain=[-1, 1])
    squares = base.mark_rect().encode(color=alt.Color("share:Q", scale=scale, title="share of that |Δ|"))
    ink = alt.condition("abs(datum.share) > 0.7", alt.value("white"), alt.value("black"))
    figures = base.mark_text(fontSize=9).encode(text=alt.Text("delta:Q", format=".3f"), color=ink)
    chart: TopLevelMixin = squares + figures
    return chart


def _colour_end(deltas: Sequence[float]) -> float:
    """The |Δ| from which colours are darkest: a quantile, or the largest where most are 0."""
    sizes = np.abs(deltas)
    return float(np.quantile(sizes, QUANTILE) or sizes.max() or 1.0)


def corpus_chart(study: Maege) -> TopLevelMixin:
    """The score of every corpus against its model, replicate by replicate: how early it saturates."""
    import altair as alt

    values = [
        {"metric": metric, "model": model, "score": score, "replicate": number}
        for number, replicate in enumerate(study.replicates)
        for metric in study.metrics
        for model, score in zip(study.settings.models, replicate[metric].corpus.scores, strict=True)
    ]
    lines: Any = alt.Chart({"values": values}, width=180, height=140).mark_line(point=True, opacity=0.4)
    lines = lines.encode(
        x=alt.X("model:Q", title="mean number of edits M"),
        y=alt.Y("score:Q", scale=alt.Scale(zero=False), title="corpus score"),
        detail="replicate:N",
    )
    chart: TopLevelMixin = lines.facet("metric:N", columns=3).resolve_scale(y="independent")
    return chart


def originals_chart(study: Maege) -> TopLevelMixin:
    """The mean score of originals against the number of their errors (Figure 5): is a metric coherent over them?"""
    import altair as alt

    values = [
        {"metric": metric, "errors": one.errors, "score": one.score, "sentences": one.sentences}
        for metric in study.metrics
        for one in study.replicates[0][metric].originals
    ]
    dots: Any = alt.Chart({"values": values}, width=180, height=140).mark_circle(opacity=0.7)
    dots = dots.encode(
        x=alt.X("errors:Q", title="errors of the original"),
        y=alt.Y("score:Q", scale=alt.Scale(zero=False), title="mean score"),
        size=alt.Size("sentences:Q", title="sentences"),
    )
    chart: TopLevelMixin = dots.facet("metric:N", columns=3).resolve_scale(y="independent")
    return chart


def human_chart(study: Maege, human: Mapping[str, float]) -> TopLevelMixin:
    """Corpus-level agreement with the lattices against correlation with people (Figure 4)."""
    import altair as alt

    values = [
        {"metric": one.metric, "maege": one.spearman.mean, "human": human[one.metric]}
        for one in summaries(study)
        if one.metric in human
    ]
    scale = alt.Scale(domain=[-1, 1])
    base = alt.Chart({"values": values}, width=360, height=360).encode(
        x=alt.X("human:Q", scale=scale, title="ρ with human rankings"),
        y=alt.Y("maege:Q", scale=scale, title="corpus ρ of MAEGE"),
    )
    chart: TopLevelMixin = base.mark_circle(size=60) + base.mark_text(dy=-9).encode(text="metric:N")
    return chart


def lattice_chart(lattice: Lattice) -> TopLevelMixin:
    """The lattice of one sentence (Figures 2 and 3): corrections by number of edits, one chain drawn through it."""
    import altair as alt

    shown = Lattice(lattice.tokens, lattice.edits[:MOST_EDITS])
    size = len(shown.edits)
    places = _places(size)
    arrows, steps = [], []
    for subset, (x, y) in places.items():
        for i in (i for i in range(size) if not subset >> i & 1):
            x2, y2 = places[subset | 1 << i]
            chain = subset == (1 << i) - 1
            arrows.append({"x": x, "y": y, "x2": x2, "y2": y2, "chain": chain})
            if chain:
                edit = shown.edits[i]
                before = " ".join(shown.tokens[edit.start : edit.end])
                step = f"{before or '∅'} → {edit.correction or '∅'}"
                steps.append({"x": (x + x2) / 2, "y": (y + y2) / 2, "text": step})
    across = alt.X("x:Q", axis=None, scale=alt.Scale(padding=60))
    up = alt.Y("y:Q", title="edits applied", axis=alt.Axis(tickMinStep=1))
    colour = alt.condition("datum.chain", alt.value("firebrick"), alt.value("lightgrey"))
    lines = alt.Chart({"values": arrows}, width=720, height=90 * size).mark_rule()
    dots = alt.Chart({"values": [{"x": x, "y": y} for x, y in places.values()]}).mark_circle(size=80, opacity=1)
    words = alt.Chart({"values": steps}).encode(x="x:Q", y="y:Q", text="text:N")
    chart: TopLevelMixin = (
        lines.encode(x=across, y=up, x2="x2:Q", y2="y2:Q", color=colour)
        + dots.encode(x="x:Q", y="y:Q")
        + words.mark_text(stroke="white", strokeWidth=8)  # so that edges do not run through the words
        + words.mark_text(color="firebrick")
        + _sentence(places[0], shown.correction(()), 18)
        + _sentence(places[(1 << size) - 1], shown.correction(range(size)), -14)
    )
    return chart


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
