"""A table that prints as text, markdown, LaTeX or TSV: what every verb ends with."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

Cell = str | float | int | None


@dataclass
class Table:
    """Columns by name, rows of cells. A number prints with ``digits`` decimals; ``bold`` marks (row, column) cells."""

    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    title: str = ""
    digits: int = 4
    bold: set[tuple[int, int]] = field(default_factory=set)
    footnotes: list[str] = field(default_factory=list)

    def cell(self, value: Cell) -> str:
        if value is None:
            return ""
        return f"{value:.{self.digits}f}" if isinstance(value, float) else str(value)

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, or starts with one, and should align to the right."""
        return any(isinstance(row[column], float | int) for row in self.rows)

    def render(self, style: str, *, width: int | None = None) -> str:
        """As ``text``, ``markdown``, ``latex`` or ``tsv``."""
        return _RENDERERS[style](self, width)

    def to_object(self) -> dict[str, object]:
        """For JSON: rows as objects by column name."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": self.footnotes}


def _text(table: Table, width: int | None) -> str:
    grid = RichTable(
        box=SIMPLE_HEAD, title=Text(table.title) if table.title else None, title_justify="left", pad_edge=False
    )
    for c, name in enumerate(table.columns):
        grid.add_column(Text(name), justify="right" if table.numeric(c) else "left", overflow="fold")
    for r, row in enumerate(table.rows):
        grid.add_row(
            *(Text(table.cell(cell), style="bold" if (r, c) in table.bold else "") for c, cell in enumerate(row))
        )
    output = io.StringIO()
    console = Console(file=output, width=width or 10_000, force_terminal=width is not None, highlight=False)
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
        return "" if cell is None else str(cell).replace("\t", " ").replace("\n", " ")

    return "\n".join("\t".join(map(exact, row)) for row in [table.columns, *table.rows])


_RENDERERS: dict[str, Callable[[Table, int | None], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "tsv": _tsv,
}
