"""Published figures next to ours, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.reproduce.result import LEVEL, ItemStatus, PaperItems, Papers, PaperTable, Reproduction


def reproduction_tables(reproduction: Reproduction, style: str = "text") -> list[Table]:
    """The paper's tables; for programs one table with a row per figure."""
    if style in DELIMITED:
        return [figure_table(reproduction)]
    tables = [paper_table(table) for table in reproduction if table.rows or table.notes]
    return [*tables, status_table(reproduction)] if reproduction.items else tables


def status_table(reproduction: Reproduction) -> Table:
    """A row per table, figure and numbered finding of the paper: how much of it comes out."""
    rows: list[Sequence[Cell]] = [
        [item.item, item.what, _published(item), _ours(item), item.status, item.why] for item in reproduction.items
    ]
    counts = Counter(item.status for item in reproduction.items)
    note = ", ".join(f"{count} {status}" for status, count in counts.items())
    columns = ["item", "what", "published", "ours", "status", "why"]
    return Table(columns, rows, title="What comes out", digits=3, footnotes=[note])


def _published(item: ItemStatus) -> Cell:
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
    """A row per item of all papers, as the papers' modules declare them."""
    rows: list[Sequence[Cell]] = [
        [item.paper, item.item, item.what, item.command, item.status, item.why] for item in declared.items
    ]
    counts = Counter(item.status for item in declared.items)
    note = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    columns = ["paper", "item", "what", "command", "status", "why"]
    return [Table(columns, rows, footnotes=[note])]


def papers_tables(papers: Papers, style: str = "text") -> list[Table]:
    """A row per paper."""
    rows: list[Sequence[Cell]] = [[paper.name, paper.about, ", ".join(paper.datasets)] for paper in papers.papers]
    return [Table(["paper", "what", "data sets"], rows, footnotes=["get the data sets: gecval data fetch NAME..."])]
