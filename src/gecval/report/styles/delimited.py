"""Tables for programs: tab-separated, or comma-separated as RFC 4180 says.

Numbers are exact. An interval is two columns, named like its number: ``correlation low`` and ``correlation high``; of a
table's main number, the score, just ``low`` and ``high``. A column ``level`` gives the confidence level. Several tables
become one: a column ``table`` says which, and a table has empty cells in columns that it lacks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from gecval.errors import InputError
from gecval.report.table import Cell, Table
from gecval.stats import Interval

TABLE, LEVEL = "table", "level"


def render(tables: Sequence[Table], style: str) -> str:
    """All tables under one header; the last line has no end."""
    flat = [_flat(table) for table in tables]
    columns = list(dict.fromkeys(name for names, _ in flat for name in names))
    rows: list[list[str]] = []
    for number, (table, (names, listed)) in enumerate(zip(tables, flat, strict=True), start=1):
        for row in listed:
            by_name = dict(zip(names, row, strict=True))
            label = [table.title or str(number)] if len(tables) > 1 else []
            rows.append(label + [by_name.get(name, "") for name in columns])
    if len(tables) > 1:
        if TABLE in columns:
            raise InputError(f"a column of a table is named {TABLE!r}, which tells tables apart; rename it")
        columns = [TABLE, *columns]
    return _csv([columns, *rows]) if style == "csv" else _tsv([columns, *rows])


def _flat(table: Table) -> tuple[list[str], list[list[str]]]:
    """Names and rows, with a column for each end of an interval, and one for the level of all intervals."""
    double = [_holds_intervals(table, c) for c in range(len(table.columns))]
    leveled = double.index(True) if any(double) and (table.level is not None or table.intervals) else None
    names: list[str] = []
    for c, name in enumerate(table.columns):
        names += [f"{_of(table, c)}{end}" for end in ("low", "high")] if double[c] else [name]
        names += [LEVEL] if c == leveled else []
    if len(set(names)) < len(names):
        raise InputError(f"two columns of a table have the same name: {', '.join(names)}; rename one")
    return names, [list(_exact(row, double, leveled, table.level)) for row in table.rows]


def _holds_intervals(table: Table, column: int) -> bool:
    return table.columns[column] in table.intervals or any(isinstance(row[column], Interval) for row in table.rows)


def _of(table: Table, column: int) -> str:
    """What an interval is of: the number to its left."""
    beside = column > 0 and not any(isinstance(row[column - 1], str | Interval) for row in table.rows)
    number = table.columns[column - 1 if beside else column]
    return "" if number == table.main else f"{number} "


def _exact(row: Sequence[Cell], double: Sequence[bool], leveled: int | None, level: float | None) -> Iterator[str]:
    known = any(isinstance(cell, Interval) for cell in row)
    for c, (cell, two) in enumerate(zip(row, double, strict=True)):
        if isinstance(cell, Interval):
            yield from map(_text, cell)
        else:
            yield from [_text(cell)] * (2 if two else 1)
        if c == leveled:
            yield _text(level if known else None)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def _tsv(rows: Sequence[Sequence[str]]) -> str:
    # There is no way to quote in TSV, so a tab or a line break becomes a blank.
    blanks = str.maketrans("\t\n\r", "   ")
    return "\n".join("\t".join(cell.translate(blanks) for cell in row) for row in rows)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(rows)
    return written.getvalue().removesuffix("\r\n")
