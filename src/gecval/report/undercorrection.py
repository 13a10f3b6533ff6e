"""Under-correction as tables and as the paper's Figures 3 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gecval.report.table import Cell, Table
from gecval.studies.error_types import TypeRatio, frequency_correlation
from gecval.studies.reranking import Reranked
from gecval.studies.undercorrection import Changes

if TYPE_CHECKING:
    from altair import Chart, VConcatChart

MOST = 10


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
    numbers = words.mark_text(fontSize=9).encode(
        text="sentences:Q", color=alt.condition("datum.sentences > 200", alt.value("white"), alt.value("black"))
    )
    thresholds = [round(0.8 + 0.01 * step, 2) for step in range(21)]
    orders = [
        {"corrector": one.corrector, "rho": rho, "share": one.reordered(rho)} for one in changes for rho in thresholds
    ]
    order = (
        alt.Chart({"values": orders}, width=440, height=200)
        .mark_line()
        .encode(
            alt.X("rho:Q", title="Spearman's ρ below", scale=alt.Scale(domain=[0.8, 1])),
            alt.Y("share:Q", title="share of sentences"),
            alt.Color("corrector:N", scale=alt.Scale(domain=names, scheme="category20"), title=None),
            strokeWidth=alt.condition(f"datum.corrector == '{names[0]}'", alt.value(4), alt.value(1.5)),
        )
    )
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
    chart: VConcatChart = alt.vconcat(heat + numbers, order, ends).resolve_scale(color="independent")
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
