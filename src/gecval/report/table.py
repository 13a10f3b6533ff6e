"""A table that prints as text, markdown, LaTeX or TSV: what every verb ends with."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isfinite, isnan

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from gecval.errors import InputError
from gecval.stats import Interval

Cell = str | float | int | Interval | None
UNKNOWN = float("nan")  # a figure that cannot be told, where None is a cell with nothing to say


@dataclass
class Table:
    """Columns by name, rows of cells; ``bold`` marks (row, column) cells.

    A number prints with ``digits`` decimals, the ends of an interval with ``interval_digits``; what is unknown as a
    dash, and in JSON as null.
    """

    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    title: str = ""
    digits: int = 4
    interval_digits: int = 3
    bold: set[tuple[int, int]] = field(default_factory=set)
    footnotes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, count in Counter(self.columns).items():
            if count > 1:  # by name, one would hide the other
                raise InputError(f"two columns of a table are named {name!r}; rename one")

    def cell(self, value: Cell) -> str:
        if value is None:
            return ""
        if isinstance(value, Interval):
            low, high = (_figure(end, self.interval_digits) for end in value)
            return "–" if any(map(isnan, value)) else f"[{low}, {high}]"
        return value if isinstance(value, str) else _figure(value, self.digits)

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, or starts with one, and should align to the right."""
        return any(isinstance(row[column], float | int) for row in self.rows)

    def render(self, style: str, *, width: int | None = None) -> str:
        """As ``text``, ``markdown``, ``latex``, ``tsv`` or ``html``."""
        return _RENDERERS[style](self, width)

    def to_object(self) -> dict[str, object]:
        """For JSON: rows as objects by column name, an interval as [low, high]."""
        rows = [dict(zip(self.columns, map(_object, row), strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": self.footnotes}


def render_tables(tables: Sequence[Table], style: str, *, width: int | None = None) -> str:
    """Several tables one after the other."""
    return "\n\n".join(table.render(style, width=width) for table in tables)


def percent(level: float) -> str:
    """A confidence level as people write it.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * level:.6g}%"


def interval_text(interval: Interval, digits: int = 3) -> str:
    return f"[{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def _figure(value: float, digits: int) -> str:
    if not isinstance(value, float):
        return str(value)
    return "–" if isnan(value) else f"{value:.{digits}f}"


def _object(cell: Cell) -> object:
    """What JSON can say: it has no infinities, and no number that is none."""
    if isinstance(cell, Interval):
        return list(cell) if all(map(isfinite, cell)) else None
    return cell if not isinstance(cell, float) or isfinite(cell) else None


def _text(table: Table, width: int | None) -> str:
    grid = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for c, name in enumerate(table.columns):
        grid.add_column(Text(name), justify="right" if table.numeric(c) else "left", overflow="fold")
    for r, row in enumerate(table.rows):
        grid.add_row(
            *(Text(table.cell(cell), style="bold" if (r, c) in table.bold else "") for c, cell in enumerate(row))
        )
    output = io.StringIO()
    console = Console(file=output, width=width or 10_000, force_terminal=width is not None, highlight=False)
    if table.title:  # a title of the grid's own would be folded to its width
        console.print(Text(table.title, style="italic"), soft_wrap=True)
    console.print(grid)
    for note in table.footnotes:
        console.print(Text(note, style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().rstrip("\n").split("\n"))


def _markdown(table: Table, width: int | None) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    lines = [line(table.columns), line(["---:" if table.numeric(c) else "---" for c in range(len(table.columns))])]
    for r, row in enumerate(table.rows):
        cells = [table.cell(cell) for cell in row]
        lines.append(line([f"**{cell}**" if (r, c) in table.bold else cell for c, cell in enumerate(cells)]))
    notes = [f"\n{note}" for note in table.footnotes]
    return "\n".join([*([f"**{table.title}**\n"] if table.title else []), *lines, *notes])


def _latex(table: Table, width: int | None) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + r" \\"

    alignment = "".join("r" if table.numeric(c) else "l" for c in range(len(table.columns)))
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", line([latex_text(name) for name in table.columns])]
    lines.append(r"\midrule")
    for r, row in enumerate(table.rows):
        cells = [latex_text(table.cell(cell)) for cell in row]
        lines.append(line([rf"\textbf{{{cell}}}" if (r, c) in table.bold else cell for c, cell in enumerate(cells)]))
    lines += [r"\bottomrule", r"\end{tabular}", *(f"% {note}" for note in [table.title, *table.footnotes] if note)]
    return "\n".join(lines)


def latex_text(text: str) -> str:
    r"""Text with LaTeX's special characters escaped.

    >>> print(latex_text("max_unchanged & 5%"))
    max\_unchanged \& 5\%
    """
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)


def _tsv(table: Table, width: int | None) -> str:
    """Full precision, no title, no marks: for other programs."""

    def exact(cell: Cell) -> str:
        text = f"[{cell.low}, {cell.high}]" if isinstance(cell, Interval) else str(cell)
        return "" if cell is None else text.replace("\t", " ").replace("\n", " ")

    return "\n".join("\t".join(map(exact, row)) for row in [table.columns, *table.rows])


def _html(table: Table, width: int | None) -> str:
    """For notebooks; everything is escaped."""

    def row(tag: str, cells: Sequence[str]) -> str:
        shown = "".join(
            f'<{tag} style="text-align: {"right" if table.numeric(c) else "left"}">{cell}</{tag}>'
            for c, cell in enumerate(cells)
        )
        return f"<tr>{shown}</tr>"

    body = []
    for r, cells in enumerate(table.rows):
        texts = [escape(table.cell(cell)) for cell in cells]
        body.append(row("td", [f"<b>{text}</b>" if (r, c) in table.bold else text for c, text in enumerate(texts)]))
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    notes = "".join(f"<div><small>{escape(note)}</small></div>" for note in table.footnotes)
    head = row("th", [escape(name) for name in table.columns])
    return f"<table>{title}<thead>{head}</thead><tbody>{''.join(body)}</tbody></table>{notes}"


_RENDERERS: dict[str, Callable[[Table, int | None], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "tsv": _tsv,
    "html": _html,
}
