"""MAEGE's charts: types of edits, corpora by number of edits, the lattice of a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gecval.edits import Lattice
from gecval.studies.maege import Maege, summaries, type_deltas

if TYPE_CHECKING:
    from altair import TopLevelMixin

MOST_EDITS = 5  # a lattice with more has too many corrections to look at


def type_heat_map(study: Maege) -> TopLevelMixin:
    """Δ by type and metric in colours, each metric on its own scale."""
    import altair as alt

    deltas = {(kind, name): one.mean for kind, by in type_deltas(study).items() for name, one in by.items()}
    largest = {name: max(abs(d) for (_, other), d in deltas.items() if other == name) or 1.0 for name in study.metrics}
    values = [
        {"type": kind, "metric": name, "delta": delta, "share": delta / largest[name]}
        for (kind, name), delta in deltas.items()
    ]
    title = "Is an edit of this type rewarded (blue) or punished (red)?"
    base = alt.Chart({"values": values}, title=title, width=alt.Step(64)).encode(
        x=alt.X("metric:N", sort=list(study.metrics), title=None, axis=alt.Axis(labelAngle=-30)),
        y=alt.Y("type:N", title="type of edit"),
    )
    scale = alt.Scale(scheme="redblue", domain=[-1, 1])
    squares = base.mark_rect().encode(color=alt.Color("share:Q", scale=scale, title="share of largest |Δ|"))
    chart: TopLevelMixin = squares + base.mark_text(fontSize=9).encode(text=alt.Text("delta:Q", format=".3f"))
    return chart


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
    across, up = alt.X("x:Q", axis=None), alt.Y("y:Q", title="edits applied", axis=alt.Axis(tickMinStep=1))
    colour = alt.condition("datum.chain", alt.value("firebrick"), alt.value("lightgrey"))
    lines = alt.Chart({"values": arrows}, width=720, height=90 * size).mark_rule()
    dots = alt.Chart({"values": [{"x": x, "y": y} for x, y in places.values()]}).mark_circle(size=80, opacity=1)
    words = alt.Chart({"values": steps}).mark_text(color="firebrick", dx=6, dy=-6, align="left")
    ends = [(0, shown.correction(())), ((1 << size) - 1, shown.correction(range(size)))]
    named = [{"x": places[subset][0], "y": places[subset][1], "text": text} for subset, text in ends]
    texts = alt.Chart({"values": named}).mark_text(dy=-14, fontWeight="bold")
    chart: TopLevelMixin = (
        lines.encode(x=across, y=up, x2="x2:Q", y2="y2:Q", color=colour)
        + dots.encode(x="x:Q", y="y:Q")
        + words.encode(x="x:Q", y="y:Q", text="text:N")
        + texts.encode(x="x:Q", y="y:Q", text="text:N")
    )
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
