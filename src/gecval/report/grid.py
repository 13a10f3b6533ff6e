"""Numbers as people read them: a table whose cells are all text.

0.350071            0.3501      with percentages 35.01
Interval            [0.328, 0.372], or compact, in the cell of its number: 0.3501 ± 0.022 (half of its width)
P(0.0003)           < 0.001     Signed(0.0233)  +0.0233
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING

from gecval.stats import Interval

if TYPE_CHECKING:
    from gecval.report.table import Cell, Table

DASH = "–"
P_DIGITS = 3


class P(float):
    """A p-value. It is never 0, so it never prints as 0.000."""


class Signed(float):
    """A difference: its sign is always shown."""


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """How to write numbers: shares of 1 as percentages, with so many decimals, intervals as ± beside their number."""

    percent: bool = False
    digits: int | None = None
    compact: bool = False


@dataclass(frozen=True)
class Column:
    """A column as shown: its name, its cells, which of them are bold, and whether they are numbers."""

    name: str
    cells: Sequence[str]
    bold: frozenset[int] = frozenset()
    right: bool = False  # aligned to the right
    rigid: bool = False  # holds numbers or intervals, which must not break over two lines
    of_last: bool = False  # an interval of the number in the column before


@dataclass(frozen=True)
class Grid:
    """A table of texts."""

    columns: Sequence[Column]
    title: str = ""
    footnotes: Sequence[str] = ()

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return list(zip(*(column.cells for column in self.columns), strict=True))


def grid(table: Table, numbers: Numbers, *, bold_is_seen: bool) -> Grid:
    """The table with its numbers written; what bold means is said where it can be seen."""
    shares = _shares(table) if numbers.percent else set()
    columns: list[Column] = []
    merged: list[str] = []
    for c, name in enumerate(table.columns):
        cells = [row[c] for row in table.rows]
        of_last = c > 0 and table.numeric(c - 1) and _holds_intervals(cells)
        write = _Writer(table, numbers, percent=c in shares)
        if of_last and numbers.compact:
            before = columns.pop()
            joined = [write.with_half(text, cell) for text, cell in zip(before.cells, cells, strict=True)]
            columns.append(Column(before.name, joined, before.bold, right=True, rigid=True))
            merged.append(name)
            continue
        bold = frozenset(r for r, column in table.bold if column == c)
        right = table.numeric(c)
        rigid = right or _holds_intervals(cells)
        columns.append(Column(name, list(map(write, cells)), bold, right=right, rigid=rigid, of_last=of_last))
    footnotes = [*table.footnotes]
    if table.bold_note and table.bold and bold_is_seen:
        footnotes.insert(0, f"bold: {table.bold_note}")
    if merged:
        footnotes.append(f"± is half of the width of: {', '.join(merged)}")
    if numbers.percent:
        names = [name for c, name in enumerate(table.columns) if c in shares and not _holds_intervals(_cells(table, c))]
        footnotes.append(f"in percent: {', '.join(names) or 'nothing here'}")
    return Grid(columns, table.title, footnotes)


class _Writer:
    """Writes the cells of one column."""

    def __init__(self, table: Table, numbers: Numbers, *, percent: bool) -> None:
        self.factor = 100 if percent else 1
        fewer = 2 if percent else 0
        self.digits = max(table.digits - fewer, 0) if numbers.digits is None else numbers.digits
        self.interval_digits = max(table.interval_digits - fewer, 0) if numbers.digits is None else numbers.digits
        self.p_digits = max(P_DIGITS, numbers.digits or P_DIGITS)

    def __call__(self, cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, str):
            return cell
        if isinstance(cell, Interval):
            ends = [self._figure(end, self.interval_digits) for end in cell]
            return DASH if any(map(isnan, cell)) else f"[{', '.join(ends)}]"
        if isinstance(cell, P):
            least = 10.0**-self.p_digits
            return f"< {least:.{self.p_digits}f}" if cell < least else self._figure(float(cell), self.p_digits)
        if isinstance(cell, Signed) and not isnan(cell):
            return f"{self.factor * cell:+.{self.digits}f}"
        return self._figure(cell, self.digits)

    def with_half(self, text: str, cell: Cell) -> str:
        if not isinstance(cell, Interval) or any(map(isnan, cell)):
            return text
        return f"{text} ± {self._figure((cell.high - cell.low) / 2, self.interval_digits)}"

    def _figure(self, value: float, digits: int) -> str:
        if not isinstance(value, float):
            return str(value)
        return DASH if isnan(value) else f"{self.factor * value:.{digits}f}"


def _shares(table: Table) -> set[int]:
    """The columns that can be percentages: their numbers, with their intervals, lie between −1 and 1."""
    shares: set[int] = set()
    last: list[int] = []
    for c, name in enumerate(table.columns):
        cells = _cells(table, c)
        if last and _holds_intervals(cells):
            last.append(c)
        else:
            last = [c] if name not in table.plain and any(map(_is_share_like, cells)) else []
        values = [value for column in last for cell in _cells(table, column) for value in _values(cell)]
        if last and all(abs(value) <= 1 for value in values if isfinite(value)):
            shares |= set(last)
        else:
            shares -= set(last)
    return shares


def _cells(table: Table, column: int) -> list[Cell]:
    return [row[column] for row in table.rows]


def _is_share_like(cell: Cell) -> bool:
    return isinstance(cell, float) and not isinstance(cell, P)


def _values(cell: Cell) -> tuple[float, ...]:
    if isinstance(cell, Interval):
        return cell
    return (cell,) if isinstance(cell, float) else ()


def _holds_intervals(cells: Sequence[Cell]) -> bool:
    return any(isinstance(cell, Interval) for cell in cells)
