"""Tables in GitHub's Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.report.grid import Grid


def render(grid: Grid, *, width: int | None = None) -> str:
    """The title in bold, the table, the footnotes as paragraphs."""
    lines = [_line([column.name for column in grid.columns])]
    lines.append(_line(["---:" if column.right else "---" for column in grid.columns]))
    for r, row in enumerate(grid.rows):
        lines.append(
            _line([_bold(cell) if r in column.bold else cell for cell, column in zip(row, grid.columns, strict=True)])
        )
    title = [f"**{grid.title}**\n"] if grid.title else []
    return "\n".join([*title, *lines, *(f"\n{note}" for note in grid.footnotes)])


def _bold(cell: str) -> str:
    return f"**{cell}**" if cell else cell


def _line(cells: Sequence[str]) -> str:
    # A line break would end the row.
    return f"| {' | '.join(' '.join(cell.splitlines()).replace('|', chr(92) + '|') for cell in cells)} |"
