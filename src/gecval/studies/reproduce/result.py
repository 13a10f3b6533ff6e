"""What reproducing a paper gives: its tables, each published figure next to ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import Result
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined

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
class PaperChart:
    """What a figure of a paper draws: curves, and what x and y are."""

    x: str
    y: str
    curves: tuple[Curve, ...]


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
    """The tables of a paper with our figures: a sequence of ``PaperTable``."""

    kind: ClassVar[str] = "reproduction"
    view: ClassVar[str] = "reproduction_tables"
    main: ClassVar[str] = "figures"

    paper: str
    about: str
    tables: tuple[PaperTable, ...]

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
    """A paper whose tables we reproduce: the data sets that these need, and whether a language model is asked."""

    name: str
    about: str
    datasets: tuple[str, ...]
    language_model: bool = True


@dataclass(frozen=True, kw_only=True, repr=False)
class Papers(Result):
    """The papers whose tables we reproduce."""

    kind: ClassVar[str] = "papers"
    view: ClassVar[str] = "papers_tables"
    main: ClassVar[str] = "papers"

    papers: tuple[Paper, ...]
