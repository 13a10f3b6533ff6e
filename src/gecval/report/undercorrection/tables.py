"""Under-correction as tables and as the paper's Figures 3 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gecval.report.labels import FONT_SIZE, spread
from gecval.report.table import Cell, Table
from gecval.studies.undercorrection.changes import Changes
from gecval.studies.undercorrection.error_types import TypeRatio, frequency_correlation
from gecval.studies.undercorrection.reranking import Reranked

if TYPE_CHECKING:
    from altair import Chart, LayerChart, VConcatChart

MOST = 10
LINE = 12.0  # pixels from one name to the next
# ColorBrewer's Dark2: eight colours that can be told apart on white, as lines and as text.
COLOURS = ("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#e6ab02", "#a6761d", "#1f78b4")


def changes_table(changes: Sequence[Changes]) -> Table:
    """A row per corrector: word changes, their numbers, word order, sentences split and joined."""
    amounts = [*map(str, range(MOST)), f"{MOST}+"]
    table = Table(
        ["corrector", "words changed", *amounts, "mean ρ", "reordered", "split", "joined"],
        title="Words changed per sentence, and sentences by number of words changed",
        digits=3,
    )
    for one in changes:
        row: list[Cell] = [one.corrector, float(one.word_changes.mean()), *one.histogram(MOST)]
        table.rows.append([*row, float(one.order.mean()), one.reordered(), one.split, one.joined])
    table.footnotes = ["ρ: Spearman's, of word order; reordered: share of sentences with ρ < 1; case and signs aside"]
    return table


def reranking_table(results: Sequence[Reranked], metric: str) -> Table:
    """A row per number of references: what the oracle scores and how much it changes."""
    most = len(results[0].sentences) - 1
    columns = ["references", metric, "words changed", *map(str, range(most)), f"{most}+"]
    table = Table(columns, title="Oracle re-ranking: sentences by number of words changed", digits=3)
    table.rows = [
        [one.references, one.score, one.word_changes, *(f"{count:.1f}" for count in one.sentences)] for one in results
    ]
    return table


def type_table(ratios: Sequence[TypeRatio]) -> Table:
    """A row per error type, from the least to the most under-corrected."""
    table = Table(["type", "class", "systems", "references", "ratio"], title="Edits by error type", digits=3)
    table.rows = [[one.type, one.word_class, one.systems, one.references, one.ratio] for one in ratios]
    if len(ratios) > 3:
        rho, p = frequency_correlation(ratios)
        table.footnotes = [f"frequency of a type against its ratio: Spearman's ρ = {rho:.2f}, p = {p:.2f}"]
    return table


def changes_chart(changes: Sequence[Changes]) -> VConcatChart:
    """Heat map of word changes, word order below thresholds, splits and joins (Figure 3)."""
    import altair as alt

    names = [one.corrector for one in changes]
    cells = [
        {"corrector": one.corrector, "words": f"{k}" if k < MOST else f"{MOST}+", "place": k, "sentences": count}
        for one in changes
        for k, count in enumerate(one.histogram(MOST))
    ]
    words = alt.Chart({"values": cells}, width=440, height=18 * len(names)).encode(
        alt.X("words:N", sort=alt.EncodingSortField("place"), title="words changed", axis=alt.Axis(labelAngle=0)),
        alt.Y("corrector:N", sort=names, title=None),
    )
    colour = alt.Color("sentences:Q", scale=alt.Scale(type="symlog", scheme="blues"), legend=None)
    heat = words.mark_rect().encode(colour)
    dark = (1 + max(len(one.word_changes) for one in changes)) ** 0.72  # on the colours' own scale, near log(1 + n)
    ink = alt.condition(f"datum.sentences > {dark}", alt.value("white"), alt.value("black"))
    numbers = words.mark_text(fontSize=9).encode(text="sentences:Q", color=ink)
    moved = [
        {"corrector": one.corrector, "what": what, "sentences": count}
        for one in changes
        for what, count in (("split", one.split), ("joined", one.joined))
    ]
    ends = (
        alt.Chart({"values": moved}, width=440, height=120)
        .mark_bar()
        .encode(
            alt.X("corrector:N", sort=names, title=None),
            alt.Y("sentences:Q", title="sentences"),
            alt.XOffset("what:N", sort=["split", "joined"]),
            alt.Color("what:N", sort=["split", "joined"], title=None),
        )
    )
    chart: VConcatChart = alt.vconcat(heat + numbers, _order_chart(changes), ends).resolve_scale(color="independent")
    return chart


def _order_chart(changes: Sequence[Changes]) -> LayerChart:
    """Word order below thresholds: every line named at its end, the reference black, the most daring in colour."""
    import altair as alt

    thresholds = [round(0.8 + 0.01 * step, 2) for step in range(21)]
    reference, *systems = changes
    daring = sorted(systems, key=lambda one: (-one.reordered(), one.corrector))
    colours = {one.corrector: COLOURS[k] if k < len(COLOURS) else "#999999" for k, one in enumerate(daring)}
    colours[reference.corrector] = "black"
    top = max(max(one.reordered() for one in changes), 0.01) * 1.05
    height = max(200, round(LINE * len(changes)))
    # Pixels count from the top, shares from the bottom.
    ends = spread([height * (1 - one.reordered() / top) for one in changes], height, LINE)
    lines = [
        {"corrector": one.corrector, "rho": rho, "share": one.reordered(rho), "colour": colours[one.corrector]}
        for one in changes
        for rho in thresholds
    ]
    names = [
        {"corrector": one.corrector, "end": one.reordered(), "place": top * (1 - place / height)}
        | {"colour": colours[one.corrector]}
        for one, place in zip(changes, ends, strict=True)
    ]
    colour = alt.Color("colour:N", scale=None)
    axis = alt.Y("share:Q", title="share of sentences", scale=alt.Scale(domain=[0, top], nice=False))
    drawn = (
        alt.Chart({"values": lines}, width=440, height=height)
        .mark_line()
        .encode(
            alt.X("rho:Q", title="Spearman's ρ below", scale=alt.Scale(domain=[0.8, 1])),
            axis,
            colour,
            detail="corrector:N",
            strokeWidth=alt.condition("datum.colour == 'black'", alt.value(4), alt.value(1.5)),
        )
    )
    right: Any = alt.Chart({"values": names}).encode(color=colour)
    ties = right.mark_rule(opacity=0.5).encode(
        x=alt.value(442), x2=alt.value(458), y=alt.Y("end:Q"), y2=alt.Y2("place:Q")
    )
    labels = right.mark_text(align="left", fontSize=FONT_SIZE).encode(
        x=alt.value(461), y=alt.Y("place:Q"), text="corrector:N"
    )
    chart: LayerChart = drawn + ties + labels
    return chart


def reranking_chart(results: Sequence[Reranked]) -> Chart:
    """How many sentences more than with the fewest references have so many words changed (Figure 4)."""
    import altair as alt

    first, most = results[0], len(results[0].sentences) - 1
    values = [
        {"references": one.references, "words": f"{k}" if k < most else f"{most}+", "place": k, "more": count - before}
        for one in results[1:]
        for k, (count, before) in enumerate(zip(one.sentences, first.sentences, strict=True))
    ]
    title = f"sentences more than with M = {first.references}"
    chart: Chart = (
        alt.Chart({"values": values}, width=480, height=260)
        .mark_bar()
        .encode(
            alt.X("words:N", sort=alt.EncodingSortField("place"), title="words changed", axis=alt.Axis(labelAngle=0)),
            alt.Y("more:Q", title=title),
            alt.XOffset("references:O"),
            alt.Color("references:O", title="references M", scale=alt.Scale(scheme="viridis")),
        )
    )
    return chart
