"""Metrics as tables: a narrow list for people, all columns for programs, and metrics in full."""

from __future__ import annotations

from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.metrics.study import MetricCatalogue, MetricEntry

MORE = "`gecval metrics NAME` tells all about one: its formula, its parameters, its paper"


def metric_tables(result: MetricCatalogue, style: str = "text", *, in_full: bool | None = None) -> list[Table]:
    """A row per metric, or each metric in full; by default where there is one."""
    if style in DELIMITED:
        columns = ["metric", "parameters", "needs", "references", "what", "paper"]
        return [
            Table(
                columns,
                [
                    [entry.name, _parameters(entry), entry.needs, entry.references, entry.summary, entry.paper]
                    for entry in result.metrics
                ],
            )
        ]
    if len(result.metrics) == 1 if in_full is None else in_full:
        return list(map(_card, result.metrics))
    rows: list[list[Cell]] = [[entry.name, entry.needs, entry.summary] for entry in result.metrics]
    return [Table(["metric", "needs", "what"], list(rows), footnotes=[MORE])]


def _card(entry: MetricEntry) -> Table:
    rows: list[list[Cell]] = [
        ["what", entry.summary],
        ["needs", entry.needs],
        ["references", entry.references],
        ["better", "higher" if entry.higher_is_better else "lower"],
        ["parameters", _parameters(entry) or "none"],
        ["paper", entry.paper],
    ]
    return Table(["metric", entry.name], [row for row in rows if row[1]], footnotes=entry.description.splitlines())


def _parameters(entry: MetricEntry) -> str:
    return ", ".join(f"{parameter.name}={parameter.default}" for parameter in entry.parameters)
