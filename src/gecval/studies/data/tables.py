"""Data sets as tables: all of them in a list, or one with its terms, origin and state."""

from __future__ import annotations

from gecval.results.table import Cell, Table
from gecval.studies.data.study import DatasetCard, DatasetList


def list_tables(result: DatasetList, style: str = "text") -> list[Table]:
    """A row per data set."""
    rows: list[list[Cell]] = [
        [row.name, row.state, row.language, size(row.bytes), _hand(row.by_hand, row.files), row.licence, row.title]
        for row in result.datasets
    ]
    footnotes = [
        f"Data folder: {result.folder} (set GECVAL_DATA to use another)",
        "`gecval data list NAME` tells more about one, `gecval data fetch NAME` gets it",
    ]
    columns = ["name", "state", "language", "size", "by hand", "licence", "what"]
    return [Table(columns, list(rows), footnotes=footnotes)]


def card_tables(result: DatasetCard, style: str = "text") -> list[Table]:
    """For people what they must know before they use it; for programs a row per file."""
    if style in ("tsv", "csv"):
        columns = ["file", "state", "bytes", "sha256", "address", "path"]
        return [
            Table(
                columns,
                [[file.name, file.state, file.bytes, file.sha256, file.address, file.path] for file in result.files],
            )
        ]
    present = len(result.having("present"))
    total = sum(file.bytes or 0 for file in result.files)
    rows: list[list[Cell]] = [
        ["what", result.title],
        ["licence", result.licence],
        ["terms", result.terms],
        ["cite", result.citation],
        ["from", ", ".join(f"github.com/{source}" for source in result.sources)],
        ["files", f"{len(result.files)}, {size(total)}; {present} of them here"],
        ["by hand", result.by_hand],
        ["folder", result.folder],
        ["state", result.state],
    ]
    shown = [row for row in rows if row[1]]
    return [Table(["name", result.name], list(shown))]


def size(count: int) -> str:
    """
    >>> size(0), size(425_704), size(4_792_232)
    ('?', '0.4 MB', '4.8 MB')
    """
    return f"{max(count / 1e6, 0.1):.1f} MB" if count else "?"


def _hand(by_hand: int, files: int) -> str:
    return "" if not by_hand else "all" if by_hand == files else f"{by_hand} of {files}"
