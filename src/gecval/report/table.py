"""A table: what every verb ends with. It holds numbers; ``grid`` writes them as text, ``styles`` draws the text.

Table ──┬─► Grid of texts ──► text, markdown, LaTeX, HTML     for people: rounded, the best in bold
        └─► delimited ──► TSV, CSV                            for programs: exact, a column per number
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite
from typing import Any

from gecval.errors import InputError
from gecval.report.grid import Grid, Numbers, grid
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
        return str(import_module("gecval.report.styles.delimited").render(tables, style))
    draw = import_module(f"gecval.report.styles.{style}").render
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
