"""Tables for a terminal or a plain text file. A table wider than the terminal folds, then goes on below (``parts``)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from gecval.errors import InputError
from gecval.results.table import Cell, Column, Grid, Table
from gecval.stats import Interval

UNLIMITED = 10_000


def render_text(grid: Grid, *, width: int | None = None) -> str:
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
        console.print(_draw(columns, page), soft_wrap=True)
    for note in grid.footnotes:
        console.print(Text(note, style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().rstrip("\n").split("\n"))


def _draw(columns: Sequence[Column], page: Page) -> RichTable:
    table = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for column, size in zip(columns, page.sizes(columns), strict=True):
        table.add_column(
            Text(column.name), justify="right" if column.right else "left", overflow="fold", width=int(size)
        )
    for r, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        styles = ["bold" if r in column.bold else "" for column in columns]
        table.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
    return table


# Tables in GitHub's Markdown.


def render_markdown(grid: Grid, *, width: int | None = None) -> str:
    """The title in bold, the table, the footnotes as paragraphs."""
    lines = [_line([column.name for column in grid.columns])]
    lines.append(_line(["---:" if column.right else "---" for column in grid.columns]))
    for r, row in enumerate(grid.rows):
        lines.append(
            _line(
                [
                    _markdown_bold(cell) if r in column.bold else cell
                    for cell, column in zip(row, grid.columns, strict=True)
                ]
            )
        )
    title = [f"**{grid.title}**\n"] if grid.title else []
    return "\n".join([*title, *lines, *(f"\n{note}" for note in grid.footnotes)])


def _markdown_bold(cell: str) -> str:
    return f"**{cell}**" if cell else cell


def _line(cells: Sequence[str]) -> str:
    # A line break would end the row.
    return f"| {' | '.join(' '.join(cell.splitlines()).replace('|', chr(92) + '|') for cell in cells)} |"


# Tables in HTML, for notebooks and pages. Everything is escaped; no script, and no colour but the page's own.


# currentColor is the page's colour of text: the lines are seen on light and on dark pages.
TABLE_STYLE = "border-collapse: collapse; margin: 0.5em 0"
CAPTION = "caption-side: top; text-align: left; font-style: italic; padding: 0.2em 0"
HEAD = "border-bottom: 1px solid currentColor; vertical-align: bottom; padding: 0.2em 0.7em"
CELL = "padding: 0.2em 0.7em"
NUMBER = "; white-space: nowrap; font-variant-numeric: tabular-nums"


def render_html(grid: Grid, *, width: int | None = None) -> str:
    """A table element, then its footnotes."""
    head = "".join(_cell(f'th scope="col" style="{HEAD}', escape(column.name), column) for column in grid.columns)
    rows = [
        "".join(
            _cell(f'td style="{CELL}', _html_bold(cell) if r in column.bold else escape(cell), column)
            for cell, column in zip(row, grid.columns, strict=True)
        )
        for r, row in enumerate(grid.rows)
    ]
    title = f'<caption style="{CAPTION}">{escape(grid.title)}</caption>' if grid.title else ""
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = "".join(f"<div><small>{escape(note)}</small></div>" for note in grid.footnotes)
    return f'<table style="{TABLE_STYLE}">{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}'


def _cell(opening: str, content: str, column: Column) -> str:
    side = "right" if column.right else "left"
    number = NUMBER if column.rigid else ""
    return f'<{opening}; text-align: {side}{number}">{content}</{opening[:2]}>'


def _html_bold(text: str) -> str:
    return f"<b>{escape(text)}</b>"


# Tables for programs: tab-separated, or comma-separated as RFC 4180 says.
#
# Numbers are exact. An interval is two columns, named like its number: ``correlation low`` and ``correlation high``; of
# a table's main number, the score, just ``low`` and ``high``. A column ``level`` gives the confidence level. Several
# tables become one: a column ``table`` says which, and a table has empty cells in columns that it lacks.


TABLE, LEVEL = "table", "level"


def render_delimited(tables: Sequence[Table], style: str) -> str:
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
            raise InputError(f"a column of a table is named {TABLE!r}, which distinguishes tables; rename it")
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
    has_number = column > 0 and not any(isinstance(row[column - 1], str | Interval) for row in table.rows)
    number = table.columns[column - 1 if has_number else column]
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


# Which columns of a wide table stand side by side, and how wide each is.
#
# Names and headings fold first. Where that is not enough, the table goes on below: the columns that name a row come
# again, next to the next columns. A table too wide even then runs over. A number never breaks.


@dataclass(frozen=True, kw_only=True)
class Page:
    """The width of a page and how to measure what stands on it, in signs or in points."""

    width: float
    measure: Callable[[str], float]
    gap: float  # between two columns
    edges: float  # at both ends of a line together
    longest_word: float  # a longer word may break
    shortest: float  # in need, a column of text may become so narrow
    bold: float = 1.0  # how much wider bold letters are

    def parts(self, columns: Sequence[Column]) -> Iterator[Sequence[Column]]:
        """The columns that fit side by side, each time after those that name the row."""
        if self._fit(columns):
            yield columns
            return
        names = columns[: self._names(columns)]
        part = list(names)
        for group in self._groups(columns[len(names) :], names):
            if len(part) > len(names) and not self._fit([*part, *group]):
                yield part
                part = list(names)
            part += group
        yield part

    def sizes(self, columns: Sequence[Column]) -> list[float]:
        """The width of every column: all that it wants, or a fair share of the room that is left."""
        wanted, least = list(map(self.natural, columns)), list(map(self._least, columns))
        room = self.width - self.gap * (len(columns) - 1) - self.edges
        if sum(wanted) <= room:
            return wanted
        if sum(least) > room:  # long words break before a line runs over
            least = [
                low if column.rigid else min(low, self.shortest) for low, column in zip(least, columns, strict=True)
            ]
        spare, lacking = max(room - sum(least), 0), sum(wanted) - sum(least)
        return [low + spare * (high - low) // max(lacking, 1) for low, high in zip(least, wanted, strict=True)]

    def natural(self, column: Column) -> float:
        """The width at which nothing folds."""
        return max([1, *map(self.measure, column.name.splitlines()), *self._cells(column)])

    def lines(self, text: str, size: float) -> list[str]:
        """The words of a text in lines that are so wide; a word that is wider has a line of its own."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.measure(longer) <= size:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _least(self, column: Column) -> float:
        """The narrowest that a column should be: no number breaks, and no word that is not very long."""
        if column.rigid:
            return max(self._longest_word([column.name]), *self._cells(column))
        return min(self._longest_word([column.name, *column.cells]), self.longest_word)

    def _cells(self, column: Column) -> Iterator[float]:
        for r, cell in enumerate(column.cells):
            factor = self.bold if r in column.bold else 1
            yield max((factor * self.measure(line) for line in cell.splitlines()), default=0)

    def _longest_word(self, texts: Sequence[str]) -> float:
        return max((self.measure(word) for text in texts for word in text.split()), default=1)

    def _names(self, columns: Sequence[Column]) -> int:
        """How many columns name a row: those before the first number, as far as they leave half of the width."""
        texts = next((c for c, column in enumerate(columns) if column.rigid), 1)
        half = self.width / 2
        return max((count for count in range(1, texts + 1) if self._total(columns[:count]) <= half), default=1)

    def _groups(self, columns: Sequence[Column], names: Sequence[Column]) -> Iterator[Sequence[Column]]:
        """A number together with its interval, where there is room for both."""
        group: list[Column] = []
        for column in columns:
            if group and not (column.of_last and self._fit([*names, *group, column])):
                yield group
                group = []
            group.append(column)
        if group:
            yield group

    def _fit(self, columns: Sequence[Column]) -> bool:
        return self._total(columns) <= self.width

    def _total(self, columns: Sequence[Column]) -> float:
        return sum(map(self._least, columns)) + self.gap * (len(columns) - 1) + self.edges
