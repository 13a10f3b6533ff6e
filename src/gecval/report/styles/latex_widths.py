"""How wide a text is in LaTeX's own font at its usual size, Computer Modern 10 pt, a little rounded up."""

from __future__ import annotations

import re
import unicodedata

from gecval.report.styles.latex_signs import FORMULAS, latex_text

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
