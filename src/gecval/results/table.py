"""A table: what every verb ends with. It holds numbers; ``grid`` writes them as text, ``styles`` draws the text.

Table ──┬─► Grid of texts ──► text, markdown, LaTeX, HTML     for people: rounded, the best in bold
        └─► delimited ──► TSV, CSV                            for programs: exact, a column per number
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite, isnan
from typing import Any

from gecval.errors import InputError
from gecval.stats import Interval

Cell = str | float | int | Interval | None
UNKNOWN = float("nan")  # a figure that cannot be told, where None is a cell with nothing to say
STYLES = ("text", "markdown", "latex", "html", "tsv", "csv")
DELIMITED = ("tsv", "csv")


@dataclass
class Table:
    """Columns by name, rows of cells; ``bold`` marks (row, column) cells.

    A number prints with ``digits`` decimals, the ends of an interval with ``interval_digits``; what is unknown prints
    as a dash. Give p-values as ``P`` and differences as ``Signed``. An interval stands right of its number; ``level``
    is that of all intervals. ``main`` names the number that the table is about, ``intervals`` columns that hold
    intervals even where none is known, ``plain`` columns that are no shares of 1, so that percentages leave them alone.
    ``bold_note`` says what bold means.
    """

    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    title: str = ""
    digits: int = 4
    interval_digits: int = 3
    bold: set[tuple[int, int]] = field(default_factory=set)
    footnotes: list[str] = field(default_factory=list)
    plain: Sequence[str] = ()
    level: float | None = None
    main: str = "score"
    intervals: Sequence[str] = ()
    bold_note: str = ""

    def __post_init__(self) -> None:
        for name, count in Counter(self.columns).items():
            if count > 1:  # by name, one would hide the other
                raise InputError(f"two columns of a table are named {name!r}; rename one")

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, or starts with one, and should align to the right."""
        return any(isinstance(row[column], float | int) for row in self.rows)

    def render(self, style: str, *, width: int | None = None, numbers: Numbers | None = None) -> str:
        """As ``text``, ``markdown``, ``latex``, ``html``, ``tsv`` or ``csv``."""
        return render_tables([self], style, width=width, numbers=numbers)

    def to_object(self) -> dict[str, Any]:
        """For JSON: rows as objects by column name, an interval as [low, high]."""
        rows = [dict(zip(self.columns, map(_object, row), strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": self.footnotes}


def render_tables(
    tables: Sequence[Table], style: str, *, width: int | None = None, numbers: Numbers | None = None
) -> str:
    """Several tables one after the other; programs get one table with one header."""
    if style not in STYLES:
        raise InputError(f"there is no style {style!r} of tables; there is {', '.join(STYLES)}")
    if style in DELIMITED:
        return str(import_module("gecval.results.table_styles").render_delimited(tables, style))
    draw = getattr(
        import_module("gecval.results.latex" if style == "latex" else "gecval.results.table_styles"), f"render_{style}"
    )
    bold_is_seen = style != "text" or width is not None  # text without a width goes to a file or a pipe
    grids: list[Grid] = [grid(table, numbers or Numbers(), bold_is_seen=bold_is_seen) for table in tables]
    return "\n\n".join(draw(shown, width=width) for shown in grids)


def percent(level: float) -> str:
    """A confidence level as people write it.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * level:.6g}%"


def _object(cell: Cell) -> object:
    """What JSON can say: it has no infinities, and no number that is none."""
    if isinstance(cell, Interval):
        return list(cell) if all(map(isfinite, cell)) else None
    return cell if not isinstance(cell, float) or isfinite(cell) else None


# Numbers as people read them: a table whose cells are all text.
#
# 0.350071            0.3501      with percentages 35.01
# Interval            [0.328, 0.372], or compact, in the cell of its number: 0.3501 ± 0.022 (half of its width)
# P(0.0003)           < 0.001     Signed(0.0233)  +0.0233


DASH = "–"
P_DIGITS = 3
IN_PERCENT = "in percent: "  # a footnote of tables that --percent changes begins so


def decimals(value: float, digits: int, *, signed: bool = False) -> str:
    """A number with so many decimals. What rounds to zero has no sign: it is neither more nor less.

    >>> decimals(-0.00004, 4), decimals(-0.2, 1), decimals(0.2, 1, signed=True)
    ('0.0000', '-0.2', '+0.2')
    """
    text = f"{value:{'+' if signed else ''}.{digits}f}"
    return text if text.strip("+-0.") else text.lstrip("+-")


class P(float):
    """A p-value. It is never 0, so it never prints as 0.000."""


class Signed(float):
    """A difference: its sign is always shown."""


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """How to write numbers: shares of 1 as percentages, with so many decimals, intervals as ± next to their number."""

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
        write = _CellWriter(table, numbers, percent=c in shares)
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
    if names := [table.columns[c] for c in sorted(shares) if not _holds_intervals(_cells(table, c))]:
        footnotes.append(f"{IN_PERCENT}{', '.join(names)}")
    return Grid(columns, table.title, footnotes)


class _CellWriter:
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
            return decimals(self.factor * cell, self.digits, signed=True)
        return self._figure(cell, self.digits)

    def with_half(self, text: str, cell: Cell) -> str:
        if not isinstance(cell, Interval) or any(map(isnan, cell)):
            return text
        return f"{text} ± {self._figure((cell.high - cell.low) / 2, self.interval_digits)}"

    def _figure(self, value: float, digits: int) -> str:
        if not isinstance(value, float):
            return str(value)
        return DASH if isnan(value) else decimals(self.factor * value, digits)


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
