r"""Tables in LaTeX. They need the package booktabs, and compile with pdflatex, xelatex and lualatex alike.

A table wider than a page folds its headings and texts, then goes on in a further tabular (``parts``).
Signs that LaTeX's own fonts have only in formulas, such as ρ, are written as formulas. A letter that they lack is
written as its code, ``[U+4E2D]``, and a comment says which letter that is: the table compiles, and can be mended.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from gecval.report.grid import Column, Grid
from gecval.report.styles.latex_signs import latex_text, letters_lacking
from gecval.report.styles.latex_widths import BOLD, GAP, TEXT_WIDTH, text_width
from gecval.report.styles.parts import Page

MINUS = re.compile(r"(?<![\w.\-])-(?=\d)")  # a hyphen is no minus sign


def render(grid: Grid, *, width: int | None = None) -> str:
    """A tabular, or several one below the other; title and footnotes are comments below."""
    page = Page(width=TEXT_WIDTH, measure=_width, gap=GAP, edges=0, longest_word=inf, shortest=inf, bold=BOLD)
    tabulars = [_tabular(columns, page) for columns in page.parts(grid.columns)]
    texts = [text for column in grid.columns for text in (column.name, *column.cells)]
    comments = [grid.title, *grid.footnotes, *letters_lacking(texts)]
    below = [f"% {line}" for comment in comments for line in comment.splitlines()]
    return "\n".join(["\n\n".join(tabulars), *below])


def _tabular(columns: Sequence[Column], page: Page) -> str:
    sizes = page.sizes(columns)
    # A text that does not fit in a line is a paragraph. Numbers stay whole, so only their headings fold.
    folded = [size < page.natural(column) for column, size in zip(columns, sizes, strict=True)]
    paragraphs = [fold and not column.rigid for column, fold in zip(columns, folded, strict=True)]
    alignment = "".join(
        f"p{{{size:.0f}pt}}" if paragraph else "r" if column.right else "l"
        for column, size, paragraph in zip(columns, sizes, paragraphs, strict=True)
    )
    names = [
        _stack(page.lines(column.name, size), column) if fold and column.rigid else latex_text(column.name)
        for column, size, fold in zip(columns, sizes, folded, strict=True)
    ]
    lines = [rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}", r"\toprule", _line(names, paragraphs), r"\midrule"]
    for r, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        cells = [
            _bold(_cell(cell)) if r in column.bold else _cell(cell) for cell, column in zip(row, columns, strict=True)
        ]
        lines.append(_line(cells, paragraphs))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _width(text: str) -> float:
    return text_width(MINUS.sub("−", text))


def _stack(lines: Sequence[str], column: Column) -> str:
    stacked = r"\\".join(map(latex_text, lines))
    return rf"\shortstack[{'r' if column.right else 'l'}]{{{stacked}}}"


def _cell(text: str) -> str:
    signs = latex_text(MINUS.sub("−", text))
    return signs.replace(r" \ensuremath{\pm} ", r"\,\ensuremath{\pm}\,")  # a blank is too wide for a column of a paper


def _bold(cell: str) -> str:
    return rf"\textbf{{{cell}}}" if cell else cell


def _line(cells: Sequence[str], paragraphs: Sequence[bool]) -> str:
    ragged = [rf"\raggedright {cell}" if paragraph else cell for cell, paragraph in zip(cells, paragraphs, strict=True)]
    # \raggedright gives \\ another meaning up to the end of its cell.
    line = " & ".join(ragged) + (r" \tabularnewline" if paragraphs[-1] else r" \\")
    # After \\ or \midrule, LaTeX would read a bracket or a star as an argument.
    return f"{{}}{line}" if line.startswith(("[", "*")) else line
