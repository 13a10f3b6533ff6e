"""The chance to find a difference, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Signed, Table, percent
from gecval.studies.power.study import Power, PowerCurve


def power_tables(power: Power, style: str = "text") -> list[Table]:
    """A row per difference: the chance with the sentences of the corpus, and how many it takes; then the curves."""
    subset = any(curve.annotators is not None for curve in power)
    if style in DELIMITED:
        return [_long_table(power, subset)]
    names = [*_names(subset), "sentences", "chance"]
    columns = [*names, f"needed for {percent(power.wanted)}", "more", f"found with {percent(power.wanted)}"]
    rows: list[Sequence[Cell]] = [
        [*_named(curve, subset), curve.sentences, curve.chance, curve.needed, curve.more, curve.detectable]
        for curve in power
    ]
    numbers = [point.sentences for point in power[0].points]
    chances: list[Sequence[Cell]] = [
        [*_named(curve, subset), *(point.chance for point in curve.points)] for curve in power
    ]
    title = "The chance to find a difference (p < 0.05 in both tests)"
    notes = [
        f"found with {percent(power.wanted)}: the smallest difference that these sentences find with this chance",
        *(["the observed difference is itself a guess: ask for one that matters to you"] * power[0].observed),
    ]
    curves = Table([*_names(subset), *(f"{number:,}" for number in numbers)], chances, digits=3)
    curves.title = "By number of sentences"
    curves.footnotes = list(dict.fromkeys(curve.signature for curve in power))
    return [Table(columns, rows, title=title, footnotes=notes), curves]


def _names(subset: bool) -> list[str]:
    return ["metric", "baseline", "system", *(["references"] if subset else []), "difference"]


def _named(curve: PowerCurve, subset: bool) -> list[Cell]:
    references: list[Cell] = [curve.annotators] if subset else []
    return [curve.metric, curve.baseline, curve.system, *references, Signed(curve.difference)]


def _long_table(power: Power, subset: bool) -> Table:
    """A row per point of a curve: for other programs."""
    rows: list[Sequence[Cell]] = [
        [*_named(curve, subset), point.sentences, point.chance, curve.needed, power.wanted, curve.detectable]
        for curve in power
        for point in curve.points
    ]
    return Table([*_names(subset), "sentences", "chance", "needed", "wanted chance", "detectable"], rows)
