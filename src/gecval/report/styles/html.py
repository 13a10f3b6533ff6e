"""Tables in HTML, for notebooks and pages. Everything is escaped; no script, and no colour but the page's own."""

from __future__ import annotations

from html import escape

from gecval.report.grid import Column, Grid

# currentColor is the page's colour of text: the lines are seen on light and on dark pages.
TABLE = "border-collapse: collapse; margin: 0.5em 0"
CAPTION = "caption-side: top; text-align: left; font-style: italic; padding: 0.2em 0"
HEAD = "border-bottom: 1px solid currentColor; vertical-align: bottom; padding: 0.2em 0.7em"
CELL = "padding: 0.2em 0.7em"
NUMBER = "; white-space: nowrap; font-variant-numeric: tabular-nums"


def render(grid: Grid, *, width: int | None = None) -> str:
    """A table element, then its footnotes."""
    head = "".join(_cell(f'th scope="col" style="{HEAD}', escape(column.name), column) for column in grid.columns)
    rows = [
        "".join(
            _cell(f'td style="{CELL}', _bold(cell) if r in column.bold else escape(cell), column)
            for cell, column in zip(row, grid.columns, strict=True)
        )
        for r, row in enumerate(grid.rows)
    ]
    title = f'<caption style="{CAPTION}">{escape(grid.title)}</caption>' if grid.title else ""
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = "".join(f"<div><small>{escape(note)}</small></div>" for note in grid.footnotes)
    return f'<table style="{TABLE}">{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}'


def _cell(opening: str, content: str, column: Column) -> str:
    side = "right" if column.right else "left"
    number = NUMBER if column.rigid else ""
    return f'<{opening}; text-align: {side}{number}">{content}</{opening[:2]}>'


def _bold(text: str) -> str:
    return f"<b>{escape(text)}</b>"
