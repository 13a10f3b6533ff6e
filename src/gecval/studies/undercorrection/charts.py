"""Under-correction as the paper's Figures 3 and 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gecval.errors import InputError
from gecval.results.theme import (
    CATEGORIES,
    FAINT_OPACITY,
    FONT_SIZE,
    HEIGHT,
    ON_DARK_CELL,
    ON_LIGHT_CELL,
    PEOPLE,
    REMAINDER,
    WIDTH,
    spread,
)
from gecval.studies.undercorrection.reranking import Reranking
from gecval.studies.undercorrection.study import UnderCorrection, amounts

if TYPE_CHECKING:
    from altair import Chart, LayerChart, VConcatChart


LINE = 12  # pixels from one name to the next
BOLD, THIN = 4.0, 1.5  # widths of the reference's line and of the others
ROW = 18  # pixels of a corrector in the heat map
OTHERS = tuple(colour for colour in CATEGORIES if colour != PEOPLE)  # the reference is people's


def changes_chart(result: UnderCorrection) -> VConcatChart:
    """Heat map of word changes, word order below thresholds, splits and joins (Figure 3)."""
    import altair as alt

    subtitle = f"(reference): what annotator {result.annotator} changed in the same {result.sentences} sentences"
    chart: VConcatChart = alt.vconcat(
        _words_chart(result),
        _order_chart(result),
        _ends_chart(result),
        title=alt.TitleParams("How much do systems change, and how much does the reference?", subtitle=subtitle),
    ).resolve_scale(color="independent")
    return chart


def _words_chart(result: UnderCorrection) -> LayerChart:
    """How many sentences have so many words changed: a row per corrector."""
    import altair as alt

    cells = [
        {"corrector": corrector.corrector, "words": words, "place": place, "sentences": count}
        for corrector in result
        for place, (words, count) in enumerate(zip(amounts(len(corrector.sentences)), corrector.sentences, strict=True))
    ]
    subtitle = "cells: how many sentences have so many words changed"
    title = alt.TitleParams("Words changed", subtitle=subtitle, frame="group")
    cell = alt.Chart({"values": cells}, title=title, width=WIDTH, height=ROW * len(result)).encode(
        alt.X("words:N", sort=alt.EncodingSortField("place"), title="words changed", axis=alt.Axis(labelAngle=0)),
        alt.Y("corrector:N", sort=[corrector.corrector for corrector in result], title=None),
    )
    colour = alt.Color("sentences:Q", scale=alt.Scale(type="symlog"), legend=None)
    dark = (1 + result.sentences) ** 0.65  # on the colours' own scale, near log(1 + n)
    ink = alt.condition(f"datum.sentences > {dark}", alt.value(ON_DARK_CELL), alt.value(ON_LIGHT_CELL))
    chart: LayerChart = cell.mark_rect().encode(colour) + cell.mark_text().encode(text="sentences:Q", color=ink)
    return chart


def _order_chart(result: UnderCorrection) -> LayerChart:
    """Word order below thresholds. Every line is named at its end; the systems that reorder most are in colour."""
    import altair as alt

    reference, *systems = result
    most = sorted(systems, key=lambda system: (-system.reordered, system.corrector))
    colours = {system.corrector: OTHERS[k] if k < len(OTHERS) else REMAINDER for k, system in enumerate(most)}
    colours[reference.corrector] = PEOPLE
    top = max(*(corrector.reordered for corrector in result), 0.01) * 1.05
    height = max(200, LINE * len(result))
    # Pixels count from the top, shares from the bottom.
    ends = spread([height * (1 - corrector.reordered / top) for corrector in result], height, LINE)
    lines = [
        {"corrector": corrector.corrector, "rho": rho, "share": share, "colour": colours[corrector.corrector]}
        for corrector in result
        for rho, share in zip(result.order_thresholds, corrector.below, strict=True)
    ]
    names = [
        {"corrector": corrector.corrector, "end": corrector.reordered, "place": top * (1 - place / height)}
        | {"colour": colours[corrector.corrector]}
        for corrector, place in zip(result, ends, strict=True)
    ]
    subtitle = "lines: the share of sentences whose words keep their order less well than ρ"
    colour = alt.Color("colour:N", scale=None)
    axes = [
        alt.X("rho:Q", title="Spearman's ρ of word order", scale=alt.Scale(domain=[0.8, 1])),
        alt.Y("share:Q", title="share of sentences", scale=alt.Scale(domain=[0, top], nice=False)),
    ]
    title = alt.TitleParams("Word order", subtitle=subtitle, frame="group")
    base = alt.Chart({"values": lines}, title=title, width=WIDTH, height=height).encode(
        *axes, colour, detail="corrector:N"
    )
    # The theme sets the width of lines, and only a mark's own width goes before it: two layers, one of them bold.
    thin = base.transform_filter(alt.datum.colour != PEOPLE).mark_line(strokeWidth=THIN)
    bold = base.transform_filter(alt.datum.colour == PEOPLE).mark_line(strokeWidth=BOLD)
    right: Any = alt.Chart({"values": names}).encode(color=colour)
    ties = right.mark_rule(opacity=FAINT_OPACITY).encode(
        x=alt.value(WIDTH + 2), x2=alt.value(WIDTH + 18), y=alt.Y("end:Q"), y2=alt.Y2("place:Q")
    )
    labels = right.mark_text(align="left", fontSize=FONT_SIZE).encode(
        x=alt.value(WIDTH + 21), y=alt.Y("place:Q"), text="corrector:N"
    )
    chart: LayerChart = thin + bold + ties + labels
    return chart


def _ends_chart(result: UnderCorrection) -> Chart:
    """Sentences that are split, or joined with the next: two bars per corrector."""
    import altair as alt

    every = [
        {"corrector": corrector.corrector, "what": what, "sentences": count}
        for corrector in result
        for what, count in (("split", corrector.split), ("joined with the next", corrector.joined))
    ]
    seen = {row["what"] for row in every if row["sentences"]}
    kinds = [kind for kind in ("split", "joined with the next") if kind in seen] or ["split"]
    moved = [row for row in every if row["what"] in kinds]
    title = alt.TitleParams("Sentences split and joined", frame="group")
    chart: Chart = (
        alt.Chart({"values": moved}, title=title, width=WIDTH, height=ROW * len(result))
        .mark_bar()
        .encode(
            alt.X("sentences:Q", title="sentences", axis=alt.Axis(tickMinStep=1)),
            alt.Y("corrector:N", sort=[corrector.corrector for corrector in result], title=None),
            alt.YOffset("what:N", sort=kinds),
            alt.Color("what:N", sort=kinds, title=None),
        )
    )
    return chart


def reranking_chart(result: Reranking) -> Chart:
    """How many sentences more than with the fewest references have so many words changed (Figure 4)."""
    import altair as alt

    first, *others = result
    if not others:
        raise InputError("the chart compares numbers of references, and there is one number only: add references")
    words = amounts(len(first.sentences))
    values = [
        {"references": choice.references, "words": name, "place": place, "more": more}
        for choice in others
        for place, (name, more) in enumerate(zip(words, choice.gained, strict=True))
    ]
    subtitle = [
        f"an oracle chooses among {len(result.candidates)} candidates by {result.metric} and M references",
        f"bars: sentences gained or lost against M = {first.references}, means of {result.repetitions} draws",
    ]
    title = alt.TitleParams("How much is changed with more references?", subtitle=subtitle)
    chart: Chart = (
        alt.Chart({"values": values}, title=title, width=WIDTH, height=HEIGHT)
        .mark_bar()
        .encode(
            alt.X("words:N", sort=alt.EncodingSortField("place"), title="words changed", axis=alt.Axis(labelAngle=0)),
            alt.Y("more:Q", title=f"sentences more than with M = {first.references}"),
            alt.XOffset("references:O"),
            alt.Color("references:O", title="references M"),
        )
    )
    return chart
