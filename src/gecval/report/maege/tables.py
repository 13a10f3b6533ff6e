"""MAEGE's tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.report.table import Cell, Table
from gecval.studies.maege import Maege, ReplicateMean, differences, summaries, type_deltas

LEVEL = "95%"


def maege_table(study: Maege) -> Table:
    """A row per metric: corpus level, sentence level, tie rate; the best of each figure is bold."""
    found = summaries(study)
    several = len(study.replicates) > 1
    columns = ["metric"]
    for figure in ("corpus ρ", "corpus r", "sentence τ", "sentence r"):
        columns += [figure, *([f"{figure} {LEVEL}"] if several else [])]
    rows: list[Sequence[Cell]] = []
    for one in found:
        row: list[Cell] = [one.metric]
        for value in (one.spearman, one.corpus_pearson, one.tau, one.pearson):
            row += _cells(value, several)
        rows.append([*row, one.tie_rate])
    width = 2 if several else 1
    bold = set()
    for c in range(1, 1 + 4 * width, width):
        best = max(_number(row[c]) for row in rows)
        bold |= {(r, c) for r, row in enumerate(rows) if row[c] == best and len(rows) > 1}
    settings = study.settings
    notes = [
        f"{len(study.replicates)} replicate(s) of {study.sentences} sentences, {study.conflicts} conflicting edits "
        f"left out; source: {settings.source}; ties count as {settings.ties}",
        study.signature,
    ]
    return Table([*columns, "ties"], rows, title="Agreement with the lattices", digits=3, bold=bold, footnotes=notes)


def _cells(value: ReplicateMean, with_interval: bool) -> list[Cell]:
    return [value.mean, value.interval] if with_interval else [value.mean]


def _number(cell: Cell) -> float:
    return cell if isinstance(cell, float) and cell == cell else float("-inf")


def difference_table(study: Maege) -> Table:
    """Every pair of metrics: by how much one agrees better than the other, over replicates."""
    rows: list[Sequence[Cell]] = [
        [one.figure, one.a, one.b, *_cells(one.estimate, True), one.p] for one in differences(study)
    ]
    return Table(
        ["figure", "metric", "against", "better by", LEVEL, "p"], rows, title="Metric against metric", digits=3
    )


def type_table(study: Maege) -> Table:
    """Δ by type of edit: a row per type, a column per metric; those whose interval excludes 0 are bold."""
    rows: list[Sequence[Cell]] = []
    bold = set()
    for r, (kind, by_metric) in enumerate(type_deltas(study).items()):
        rows.append([kind, *(by_metric[metric].mean for metric in study.metrics)])
        for c, metric in enumerate(study.metrics, start=1):
            interval = by_metric[metric].interval
            if interval and (interval.low > 0 or interval.high < 0):
                bold.add((r, c))
    return Table(["type", *study.metrics], rows, title="Δ of the score by type of edit", digits=3, bold=bold)
