"""Published figures beside ours, as a table."""

from __future__ import annotations

from gecval.report.table import Cell, Table
from gecval.studies.reproduce import Reproduction


def reproduction_table(reproduction: Reproduction) -> Table:
    """For each column of the paper's table: the published figure, ours, and its interval where there is one."""
    shown = [
        (column, any(cells.get(column) and cells[column].interval for cells in reproduction.rows.values()))
        for column in reproduction.columns
    ]
    columns = [reproduction.row_name]
    for column, with_interval in shown:
        columns += [f"{column} published", f"{column} ours", *([f"{column} interval"] if with_interval else [])]
    rows: list[list[Cell]] = []
    for label, cells in reproduction.rows.items():
        row: list[Cell] = [label]
        for column, with_interval in shown:
            figure = cells.get(column)
            row += [figure.published, figure.ours] if figure else [None, None]
            if with_interval:
                row.append(figure.interval if figure else None)
        rows.append(row)
    return Table(columns, list(rows), title=reproduction.title, digits=3, footnotes=list(reproduction.notes))
