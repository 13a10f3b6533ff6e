"""Tables for a terminal or a plain text file. A table wider than the terminal folds, then goes on below (``parts``)."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from gecval.report.grid import Column, Grid
from gecval.report.styles.parts import Page

UNLIMITED = 10_000


def render(grid: Grid, *, width: int | None = None) -> str:
    """In colours and at most ``width`` columns wide on a terminal; without a width neither."""
    output = io.StringIO()
    # In a notebook rich would write colours for the notebook: what is made here is text.
    console = Console(
        file=output, width=UNLIMITED, force_terminal=width is not None, force_jupyter=False, highlight=False
    )
    if grid.title:
        console.print(Text(grid.title, style="italic"), soft_wrap=True)
    page = Page(width=width or UNLIMITED, measure=cell_len, gap=3, edges=2, longest_word=20, shortest=10)
    for columns in page.parts(grid.columns):
        console.print(_drawn(columns, page), soft_wrap=True)
    for note in grid.footnotes:
        console.print(Text(note, style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().rstrip("\n").split("\n"))


def _drawn(columns: Sequence[Column], page: Page) -> RichTable:
    table = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for column, size in zip(columns, page.sizes(columns), strict=True):
        table.add_column(
            Text(column.name), justify="right" if column.right else "left", overflow="fold", width=int(size)
        )
    for r, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        styles = ["bold" if r in column.bold else "" for column in columns]
        table.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
    return table
