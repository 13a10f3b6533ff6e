"""What reproducing a paper gives: its tables, each published figure next to ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import ClassVar, Literal

import numpy as np

from gecval.results.result import Result
from gecval.results.table import DELIMITED, Cell, Table
from gecval.stats import Interval
from gecval.stats.resampling import Array, MaybeUndefined

LEVEL = 0.95  # of the intervals of all figures
MANY = "references a sentence, M"  # along the x axis of many figures


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A published number and ours; either may be unknown."""

    published: float | None = None
    ours: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class Point:
    """A point of a curve, with the interval of y where there is one."""

    x: float
    y: MaybeUndefined
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A curve of a paper's figure as we find it; ``people`` says that it is of people, not of a system."""

    name: str
    points: tuple[Point, ...]
    people: bool = False


@dataclass(frozen=True, kw_only=True)
class LatticeEdge:
    """An edge of a lattice whose vertices stand in a row: from one vertex to another, by their places."""

    start: int
    end: int
    label: str
    cost: float


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A metric in one panel of a picture: two of its figures."""

    panel: str
    name: str
    x: MaybeUndefined
    y: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class PaperChart:
    """What a figure of a paper draws: curves, and what x and y are; or the edges of a lattice, or spots."""

    x: str
    y: str
    curves: tuple[Curve, ...]
    edges: tuple[LatticeEdge, ...] = ()
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """One table of a paper: ``rows[label][column]`` is a figure. ``row_name`` says what the rows are.

    Where the paper has a figure instead, ``chart`` has its curves.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Figure]]
    notes: tuple[str, ...] = ()
    row_name: str = "metric"
    chart: PaperChart | None = None


Status = Literal["equal", "explained", "open", "data not public"]


@dataclass(frozen=True)
class PaperItem:
    """A table, a figure or a numbered finding of a paper. The module of the paper declares all of them in ``ITEMS``.

    ``part`` is the part of the module that computes it; without one, ``why`` says why nothing does, or ``command`` is
    another command that does. Its figures are in the tables whose title begins with ``table``, by default with its
    name, and there in the rows that ``rows`` names, by default in all. Where a figure of ours is not the published one,
    ``status`` and ``why`` say what we know about it.
    """

    name: str
    what: str
    part: str = ""
    table: str = ""
    rows: tuple[str, ...] = ()
    status: Status = "equal"
    why: str = ""
    command: str = ""

    def holds(self, title: str) -> bool:
        """Whether a table of this title belongs to the item."""
        return begins(title, self.table or self.name)


def begins(title: str, name: str) -> bool:
    """Whether a title begins with a name.

    >>> begins("Table 1: systems", "table 1"), begins("Figure 1a", "Figure 1"), begins("Table 12", "Table 1")
    (True, True, False)
    """
    title, name = title.casefold(), name.casefold()
    return title.startswith(name) and not (name[-1:].isdigit() and title[len(name) : len(name) + 1].isdigit())


@dataclass(frozen=True, kw_only=True)
class ItemStatus:
    """Where we stand with an item of a paper.

    ``figures`` is how many numbers the paper prints there, ``equal`` how many of them are ours as well, to the last
    printed digit, ``missing`` how many we did not compute. ``difference`` is the mean absolute difference of those that
    are not equal. ``published`` and ``ours`` are the number itself, where it is a single one.
    """

    paper: str
    item: str
    what: str
    command: str | None
    figures: int
    equal: int
    missing: int
    difference: float | None
    published: float | None
    ours: float | None
    status: Status
    why: str

    @classmethod
    def of(cls, paper: str, item: PaperItem, tables: Iterable[PaperTable]) -> ItemStatus:
        """Compare the figures of an item with the paper's."""
        pairs = [pair for table in tables if item.holds(table.title) for pair in _compare_printed(table, item.rows)]
        known = [(published, ours, unit) for published, ours, unit in pairs if ours is not None and isfinite(ours)]
        off = [abs(published - ours) for published, ours, unit in known if abs(published - ours) > unit / 2 + 1e-9]
        equal = len(known) - len(off)
        status: Status = item.status
        if pairs and equal == len(pairs):
            status = "equal"
        elif status == "equal" and off:
            status = "open"
        return cls(
            paper=paper,
            item=item.name,
            what=item.what,
            command=item.command or (f'gecval reproduce {paper} --only "{item.name}"' if item.part else None),
            figures=len(pairs),
            equal=equal,
            missing=len(pairs) - len(known),
            difference=sum(off) / len(off) if off else None,
            published=pairs[0][0] if len(pairs) == 1 else None,
            ours=pairs[0][1] if len(pairs) == 1 else None,
            status=status,
            why=item.why,
        )


def _compare_printed(table: PaperTable, rows: Sequence[str]) -> Iterator[tuple[float, float | None, float]]:
    """Every published number with ours, and what its last printed digit is worth.

    A column is printed with as many decimals as its longest number has: 0.97 stands for 0.970 next to 0.974. Rows that
    are items of their own have their own decimals.
    """
    chosen = [cells for label, cells in table.rows.items() if not rows or label in rows]
    for column in table.columns:
        figures = [cells[column] for cells in chosen if column in cells]
        numbers = [figure.published for figure in figures if figure.published is not None]
        unit = 10.0 ** -max(map(_decimals, numbers), default=0)
        yield from ((figure.published, figure.ours, unit) for figure in figures if figure.published is not None)


def _decimals(number: float) -> int:
    """How many decimals a number has.

    >>> _decimals(0.25), _decimals(36.0), _decimals(2319)
    (2, 0, 0)
    """
    return 0 if float(number).is_integer() else len(repr(float(number)).partition(".")[2])


@dataclass(frozen=True, kw_only=True)
class PlacedFigure:
    """A figure with its place: a row of a data frame."""

    table: str
    row: str
    column: str
    published: float | None
    ours: float | None
    interval: Interval | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Reproduction(Result):
    """The tables of a paper with our figures: a sequence of ``PaperTable``.

    ``items`` says where we stand with each table, figure and numbered finding of the paper; it is empty where the
    figures are not those of a paper.
    """

    kind: ClassVar[str] = "reproduction"
    view: ClassVar[str] = "reproduction_tables"
    main: ClassVar[str] = "figures"

    paper: str
    about: str
    tables: tuple[PaperTable, ...]
    items: tuple[ItemStatus, ...] = ()

    @property
    def figures(self) -> tuple[PlacedFigure, ...]:
        """The figures of all tables, one after the other."""
        return tuple(
            PlacedFigure(
                table=table.title,
                row=row,
                column=column,
                published=figure.published,
                ours=figure.ours,
                interval=figure.interval,
            )
            for table in self.tables
            for row, cells in table.rows.items()
            for column, figure in cells.items()
        )

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[PaperTable]:
        return iter(self.tables)

    def __getitem__(self, index: int) -> PaperTable:
        return self.tables[index]


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper whose tables we reproduce: the data sets that these need, and whether a language model is asked.

    ``quick`` says that a quick look with fewer experiments is possible.
    """

    name: str
    about: str
    datasets: tuple[str, ...]
    language_model: bool = True
    quick: bool = False


@dataclass(frozen=True, kw_only=True, repr=False)
class Papers(Result):
    """The papers whose tables we reproduce."""

    kind: ClassVar[str] = "papers"
    view: ClassVar[str] = "papers_tables"
    main: ClassVar[str] = "papers"

    papers: tuple[Paper, ...]


# What simulations yield: a row of the study `calibration`, and the p-values of a test.


ERRORS = 2.0  # Monte-Carlo errors that chance may explain


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One promise of gecval, and how often it was kept.

    ``promised`` is the least share of experiments where ``at_least``, else the largest. ``warned`` is the share of
    experiments in which gecval printed a warning, and ``warnings`` is what it said the first time. ``size`` is the
    number of sentences, for the picture by size.
    """

    claim: str
    settings: str
    promised: float
    measured: float
    experiments: int
    at_least: bool = True
    warned: float = 0.0
    warnings: tuple[str, ...] = ()
    size: int | None = None

    @property
    def error(self) -> float:
        """The Monte-Carlo error of the share, if the promise holds exactly."""
        return sqrt(self.promised * (1 - self.promised) / self.experiments)

    @property
    def away(self) -> float:
        """How many errors the share lies on the wrong side of the promise; 0 where it does not."""
        missing = self.promised - self.measured if self.at_least else self.measured - self.promised
        return max(0.0, missing / self.error)

    @property
    def holds(self) -> bool:
        return self.away <= ERRORS or self.warned >= self.promised


@dataclass(frozen=True, kw_only=True)
class PValues:
    """The p-values of a test in experiments where its hypothesis is true; ``of`` says what is tested."""

    of: str
    test: str
    values: Array

    def below(self, level: float) -> float:
        """The share of p-values that are not above a level."""
        return float(np.mean(self.values <= level))


@dataclass(frozen=True, kw_only=True, repr=False)
class PaperItems(Result):
    """Every table, figure and numbered finding of the papers, with what is known about it; nothing is computed."""

    kind: ClassVar[str] = "paper-items"
    view: ClassVar[str] = "items_tables"
    main: ClassVar[str] = "items"

    items: tuple[ItemStatus, ...]


# The result as tables.


def reproduction_tables(reproduction: Reproduction, style: str = "text") -> list[Table]:
    """The paper's tables; for programs one table with a row per figure."""
    if style in DELIMITED:
        return [figure_table(reproduction)]
    tables = [paper_table(table) for table in reproduction if table.rows or table.notes]
    return [*tables, status_table(reproduction)] if reproduction.items else tables


def status_table(reproduction: Reproduction) -> Table:
    """A row per table, figure and numbered finding of the paper: how much of it comes out."""
    rows: list[Sequence[Cell]] = [
        [item.item, item.what, _show_published(item), _ours(item), item.status, item.why] for item in reproduction.items
    ]
    counts = Counter(item.status for item in reproduction.items)
    note = ", ".join(f"{count} {status}" for status, count in counts.items())
    columns = ["item", "what", "published", "ours", "status", "why"]
    return Table(columns, rows, title="What comes out", digits=3, footnotes=[note])


def _show_published(item: ItemStatus) -> Cell:
    return item.published if item.figures == 1 else f"{item.figures} figures" if item.figures else None


def _ours(item: ItemStatus) -> Cell:
    if item.figures <= 1:
        return item.ours
    parts = [f"{item.equal} equal"]
    if item.difference is not None:
        parts.append(f"others {item.difference:.2g} apart on average")
    return ", ".join([*parts, *([f"{item.missing} not computed"] if item.missing else [])])


def paper_table(table: PaperTable) -> Table:
    """For each column of the paper's table: the published figure, ours, and its interval where there is one.

    A table without any published figure has columns of ours alone.
    """
    published = any(figure.published is not None for cells in table.rows.values() for figure in cells.values())
    shown = [
        (column, any(column in cells and cells[column].interval for cells in table.rows.values()))
        for column in table.columns
    ]
    columns = [table.row_name]
    for column, with_interval in shown:
        columns += [f"{column} published", f"{column} ours"] if published else [column]
        columns += [f"{column} interval"] if with_interval else []
    rows: list[Sequence[Cell]] = []
    for label, cells in table.rows.items():
        row: list[Cell] = [label]
        for column, with_interval in shown:
            figure = cells.get(column)
            row += [figure.published if figure else None] if published else []
            row.append(figure.ours if figure else None)
            if with_interval:
                row.append(figure.interval if figure else None)
        rows.append(row)
    return Table(columns, rows, title=table.title, digits=3, footnotes=list(table.notes))


def figure_table(reproduction: Reproduction) -> Table:
    """A row per figure: for other programs."""
    rows: list[Sequence[Cell]] = [
        [figure.table, figure.row, figure.column, figure.published, figure.ours, figure.interval]
        for figure in reproduction.figures
    ]
    columns = ["table", "row", "column", "published", "ours", "interval"]
    return Table(columns, rows, level=LEVEL, main="ours", intervals=["interval"])


def items_tables(declared: PaperItems, style: str = "text") -> list[Table]:
    """A row per item of all papers, as the papers' modules declare them, with the figures of the last full run."""
    rows: list[Sequence[Cell]] = [
        [item.paper, item.item, item.what, item.command, _show_published(item), _ours(item), item.status, item.why]
        for item in declared.items
    ]
    counts = Counter(item.status for item in declared.items)
    note = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    columns = ["paper", "item", "what", "command", "published", "ours", "status", "why"]
    return [Table(columns, rows, digits=3, footnotes=[note])]


def papers_tables(papers: Papers, style: str = "text") -> list[Table]:
    """A row per paper."""
    rows: list[Sequence[Cell]] = [[paper.name, paper.about, ", ".join(paper.datasets)] for paper in papers.papers]
    return [Table(["paper", "what", "data sets"], rows, footnotes=["get the data sets: gecval data fetch NAME..."])]
