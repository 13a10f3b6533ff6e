"""Tables for a terminal or a plain text file. A number never breaks over two lines.

Where a table is wider than the terminal, names and headings fold first. Where that is not enough, the table goes on
below: the columns that name a row come again, beside the next columns. A table too wide even then runs over.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from gecval.report.grid import Column, Grid

GAP, EDGES = 3, 2  # blanks between two columns, and those at both ends of a line
LONGEST_WORD, SHORTEST = 20, 10  # a longer word may break; in need, a column of text may become so narrow
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
    for columns in _parts(grid.columns, width or UNLIMITED):
        console.print(_drawn(columns, width or UNLIMITED), soft_wrap=True)
    for note in grid.footnotes:
        console.print(Text(note, style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().rstrip("\n").split("\n"))


def _drawn(columns: Sequence[Column], width: int) -> RichTable:
    table = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for column, size in zip(columns, _sizes(columns, width), strict=True):
        table.add_column(Text(column.name), justify="right" if column.right else "left", overflow="fold", width=size)
    for r, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        styles = ["bold" if r in column.bold else "" for column in columns]
        table.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
    return table


def _parts(columns: Sequence[Column], width: int) -> Iterator[Sequence[Column]]:
    """The columns that fit side by side, each time after those that name the row."""
    if _fit(columns, width):
        yield columns
        return
    names = columns[: _names(columns, width)]
    part = list(names)
    for group in _groups(columns[len(names) :], names, width):
        if len(part) > len(names) and not _fit([*part, *group], width):
            yield part
            part = list(names)
        part += group
    yield part


def _names(columns: Sequence[Column], width: int) -> int:
    """How many columns name a row: those before the first number, as far as they leave half of the width."""
    texts = next((c for c, column in enumerate(columns) if column.rigid), 1)
    return max((count for count in range(1, texts + 1) if _total(columns[:count]) <= width / 2), default=1)


def _groups(columns: Sequence[Column], names: Sequence[Column], width: int) -> Iterator[Sequence[Column]]:
    """A number together with its interval, where there is room for both."""
    group: list[Column] = []
    for column in columns:
        if group and not (column.of_last and _fit([*names, *group, column], width)):
            yield group
            group = []
        group.append(column)
    if group:
        yield group


def _fit(columns: Sequence[Column], width: int) -> bool:
    return _total(columns) <= width


def _total(columns: Sequence[Column]) -> int:
    return sum(map(_least, columns)) + GAP * (len(columns) - 1) + EDGES


def _sizes(columns: Sequence[Column], width: int) -> list[int]:
    """The width of every column: all that it wants, or a fair share of the room that is left."""
    wanted, least = list(map(_natural, columns)), list(map(_least, columns))
    room = width - GAP * (len(columns) - 1) - EDGES
    if sum(wanted) <= room:
        return wanted
    if sum(least) > room:  # long words break before a line runs over
        least = [low if column.rigid else min(low, SHORTEST) for low, column in zip(least, columns, strict=True)]
    spare, lacking = max(room - sum(least), 0), sum(wanted) - sum(least)
    return [low + spare * (high - low) // max(lacking, 1) for low, high in zip(least, wanted, strict=True)]


def _natural(column: Column) -> int:
    return max((cell_len(line) for text in (column.name, *column.cells) for line in text.splitlines()), default=1) or 1


def _least(column: Column) -> int:
    """The narrowest that a column should be: no number breaks, and no word that is not very long."""
    if column.rigid:
        return max(_longest_word([column.name]), *map(cell_len, column.cells))
    return min(_longest_word([column.name, *column.cells]), LONGEST_WORD)


def _longest_word(texts: Sequence[str]) -> int:
    return max((cell_len(word) for text in texts for word in text.split()), default=1)
