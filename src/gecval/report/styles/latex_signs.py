"""How LaTeX writes signs that are special to it, or that are not ASCII. What comes out is ASCII."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

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
