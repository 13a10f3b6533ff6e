"""Cards as tables: for people section by section, for programs a row per figure."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.report.table import DELIMITED, Cell, Table
from gecval.report.validate.sections import about, sections
from gecval.studies.validate.results import Card, Cards


def card_tables(result: Cards, style: str = "text") -> list[Table]:
    if style in DELIMITED:
        return [figure_table(result)]
    return [table for card in result for table in _tables(card)]


def _tables(card: Card) -> list[Table]:
    first = Table(["metric", card.metric], [list(fact) for fact in about(card)])
    first.footnotes = card.about.description.splitlines()
    tables = [first]
    for section in sections(card):
        section.table.title = f"{card.metric}: {section.title}"
        section.table.footnotes = [section.text, *section.table.footnotes]
        tables.append(section.table)
    return tables


def figure_table(result: Cards) -> Table:
    """A row per figure of all cards."""
    rows: list[Sequence[Cell]] = [
        [figure.metric, figure.part, figure.item, figure.value, figure.low, figure.high] for figure in result.figures
    ]
    return Table(["metric", "part", "item", "value", "low", "high"], rows)
