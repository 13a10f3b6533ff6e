r"""Tables in LaTeX. They need the package booktabs, and compile with pdflatex, xelatex and lualatex alike.

Signs that LaTeX's own fonts have only in formulas, such as ρ, are written as formulas. A letter that they lack is
written as its code, ``[U+4E2D]``, and a comment says which letter that is: the table compiles, and can be mended.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gecval.report.grid import Grid
from gecval.report.styles.latex_signs import latex_text, letters_lacking

MINUS = re.compile(r"(?<![\w.\-])-(?=\d)")  # a hyphen is no minus sign


def render(grid: Grid, *, width: int | None = None) -> str:
    """A tabular; title and footnotes are comments below it."""
    alignment = "".join("r" if column.right else "l" for column in grid.columns)
    names = [latex_text(column.name) for column in grid.columns]
    lines = [rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}", r"\toprule", _line(names), r"\midrule"]
    for r, row in enumerate(grid.rows):
        cells = [_cell(cell) for cell in row]
        bold = [r in column.bold for column in grid.columns]
        lines.append(_line([_bold(cell) if is_bold else cell for cell, is_bold in zip(cells, bold, strict=True)]))
    texts = [text for column in grid.columns for text in (column.name, *column.cells)]
    comments = [grid.title, *grid.footnotes, *letters_lacking(texts)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*lines, *(f"% {line}" for comment in comments for line in comment.splitlines())])


def _cell(text: str) -> str:
    signs = latex_text(MINUS.sub("−", text))
    return signs.replace(r" \ensuremath{\pm} ", r"\,\ensuremath{\pm}\,")  # a blank is too wide for a column of a paper


def _bold(cell: str) -> str:
    return rf"\textbf{{{cell}}}" if cell else cell


def _line(cells: Sequence[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # After \\ or \midrule, LaTeX would read a bracket or a star as an argument.
    return f"{{}}{line}" if line.startswith(("[", "*")) else line
