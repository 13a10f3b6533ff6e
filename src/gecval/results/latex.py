"""Tables in LaTeX. They need the package booktabs, and compile with pdflatex, xelatex and lualatex alike.

A table wider than a page folds its headings and texts, then goes on in a further tabular (``parts``).
Signs that LaTeX's own fonts have only in formulas, such as ρ, are written as formulas. A letter that they lack is
written as its code, ``[U+4E2D]``, and a comment says which letter that is: the table compiles, and can be fixed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from math import inf

from gecval.results.table import Column, Grid
from gecval.results.table_styles import Page

MINUS = re.compile(r"(?<![\w.\-])-(?=\d)")  # a hyphen is no minus sign


def render_latex(grid: Grid, *, width: int | None = None) -> str:
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
    lines = [rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}", r"\toprule", latex_line(names, paragraphs), r"\midrule"]
    for r, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        cells = [latex_cell(cell, bold=r in column.bold) for cell, column in zip(row, columns, strict=True)]
        lines.append(latex_line(cells, paragraphs))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _width(text: str) -> float:
    return text_width(MINUS.sub("−", text))


def _stack(lines: Sequence[str], column: Column) -> str:
    stacked = r"\\".join(map(latex_text, lines))
    return rf"\shortstack[{'r' if column.right else 'l'}]{{{stacked}}}"


def latex_cell(text: str, *, bold: bool = False) -> str:
    """A cell of a tabular."""
    signs = latex_text(MINUS.sub("−", text))
    cell = signs.replace(r" \ensuremath{\pm} ", r"\,\ensuremath{\pm}\,")  # a blank is too wide for a column of a paper
    return rf"\textbf{{{cell}}}" if cell and bold else cell


def latex_line(cells: Sequence[str], paragraphs: Sequence[bool] = ()) -> str:
    """A line of a tabular from its cells; some columns may be paragraphs."""
    paragraphs = paragraphs or [False] * len(cells)
    ragged = [rf"\raggedright {cell}" if paragraph else cell for cell, paragraph in zip(cells, paragraphs, strict=True)]
    # \raggedright gives \\ another meaning up to the end of its cell.
    line = " & ".join(ragged) + (r" \tabularnewline" if paragraphs[-1] else r" \\")
    # After \\ or \midrule, LaTeX would read a bracket or a star as an argument.
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


# How LaTeX writes signs that are special to it, or that are not ASCII. What comes out is ASCII.


SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # In the default fonts these three would come out as other signs.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "ς": "varsigma",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "µ": "mu",
}  # fmt: skip
FORMULAS = {
    **{letter: f"\\{name}" for letter, name in GREEK.items()},
    "−": "-", "±": r"\pm", "×": r"\times", "÷": r"\div", "·": r"\cdot", "∅": r"\emptyset", "∞": r"\infty",
    "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "→": r"\rightarrow", "←": r"\leftarrow",
    "√": r"\surd", "↑": r"\uparrow", "↓": r"\downarrow", "¬": r"\neg", "°": r"^\circ", "′": "'",
    "∈": r"\in", "∑": r"\sum",
    "⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5", "⁶": "^6", "⁷": "^7", "⁸": "^8", "⁹": "^9",
    "₀": "_0", "₁": "_1", "₂": "_2", "₃": "_3", "₄": "_4", "₅": "_5", "½": r"\frac12", "¼": r"\frac14", "¾": r"\frac34",
}  # fmt: skip
TEXTS = {
    "–": "--", "—": "---", "…": r"\ldots{}", "‘": "`", "’": "'", "“": "``", "”": "''", "„": ",,", "\u00a0": "~",
    "ß": r"{\ss}", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}", "ø": r"{\o}", "Ø": r"{\O}",
    "ł": r"{\l}", "Ł": r"{\L}", "ı": r"{\i}", "¡": "!`", "¿": "?`", "§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}",
    "£": r"\pounds{}", "†": r"\dag{}", "‡": r"\ddag{}", "•": r"\textbullet{}", "\u200b": "", "\u00ad": r"\-",
}  # fmt: skip
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0331": "b",
}  # fmt: skip


def latex_text(text: str) -> str:
    r"""Text as LaTeX, in plain ASCII.

    >>> print(latex_text("max_unchanged & 5%, ρ = é"))
    max\_unchanged \& 5\%, \ensuremath{\rho} = \'{e}
    """
    return "".join(map(_latex, _signs(text)))


def letters_lacking(texts: Iterable[str]) -> list[str]:
    """What each letter is that is written as its code."""
    signs = [sign for text in texts for sign in _signs(text) if _latex(sign).startswith("[U+")]
    letters = dict.fromkeys(letter for sign in signs for letter in sign if letter.isprintable())
    return [f"[U+{ord(letter):04X}] is {letter}" for letter in letters]


def _signs(text: str) -> list[str]:
    """Letters, each with the accents that follow it."""
    return re.findall(r".[\u0300-\u036f]*", unicodedata.normalize("NFC", text), re.DOTALL)


def _latex(sign: str) -> str:
    if sign in FORMULAS:
        return rf"\ensuremath{{{FORMULAS[sign]}}}"
    for table in (SPECIAL, TEXTS):
        if sign in table:
            return table[sign]
    if sign.isascii():
        return sign if sign.isprintable() else " "
    letter, *accents = list(unicodedata.normalize("NFD", sign))
    if accents and letter.isascii() and letter.isalpha() and all(accent in ACCENTS for accent in accents):
        # Without their dots, i and j leave room for the accent.
        written = f"\\{letter}" if letter in "ij" else letter
        for accent in accents:
            written = f"\\{ACCENTS[accent]}{{{written}}}"
        return written
    return "".join(f"[U+{ord(character):04X}]" for character in sign)


# How wide a text is in LaTeX's own font at its usual size, Computer Modern 10 pt, a little rounded up.


TEXT_WIDTH = 345.0  # of a page of the class article, in points
GAP = 12.0  # between two columns of a tabular
BOLD = 1.16  # how much wider bold letters are, at most
_GROUPS = {
    2.8: "il.,:;!'`|[]",
    3.3: "fj- ",
    4.0: "Irst()",
    5.1: 'aceg0123456789/*?^~$_\\z{}"',
    5.3: "kovxyqJ",
    5.6: "bdhnpuS",
    6.6: "αβγδεζηθικλμνξπρστυφχψως",
    6.9: "EFLZ–",
    7.4: "BCPRTw",
    7.9: "ADGHKNOQUVXY+=<>&@",
    8.4: "m%#",
    10.3: "MW→←—∞∑√",
    13.4: "…",
}
POINTS = {sign: points for points, signs in _GROUPS.items() for sign in signs}
FORMULA = 8.4  # capital Greek letters, and signs such as ±
CODE = re.compile(r"\[U\+[0-9A-F]+\]")


def text_width(text: str) -> float:
    """The width in points.

    >>> round(text_width("0.3501 ± 0.022"), 1)
    66.5
    """
    return sum(map(_sign_width, text))


def _sign_width(sign: str) -> float:
    if sign in POINTS:
        return POINTS[sign]
    if sign in FORMULAS:
        return FORMULA
    codes = CODE.findall(latex_text(sign))  # a letter that the fonts lack
    if codes:
        return sum(POINTS[letter] for code in codes for letter in code)
    letter = unicodedata.normalize("NFD", sign)[0]
    return POINTS.get(letter, 11.2)
