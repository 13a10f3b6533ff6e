r"""LaTeX tables compile with booktabs alone, whatever they say."""

from __future__ import annotations

import unicodedata

import pytest

import latex
from gecval.report import Numbers, P, Signed, Table
from gecval.report.styles.latex_signs import ACCENTS, FORMULAS, SPECIAL, TEXTS, latex_text
from gecval.stats import Interval

AWKWARD = "a|b & c_d 5% #1 {x} ~^ $y \\z [red]no[/red] :smile: <i>"


def test_latex() -> None:
    made = Table(
        ["system", "m2", "n"], [[AWKWARD, 0.123456, 7], ["other", 1.0, None]], bold={(1, 1)}, footnotes=["a_note"]
    )
    lines = made.render("latex").split("\n")
    assert lines[0] == r"\begin{tabular}{@{}lrr@{}}"
    assert lines[4] == (
        r"a\textbar{}b \& c\_d 5\% \#1 \{x\} \textasciitilde{}\textasciicircum{} \$y \textbackslash{}z"
        r" [red]no[/red] :smile: \textless{}i\textgreater{} & 0.1235 & 7 \\"
    )
    assert lines[5] == r"other & \textbf{1.0000} &  \\"
    assert lines[6:] == [r"\bottomrule", r"\end{tabular}", "% a_note"]
    latex.check(made.render("latex"))


def test_numbers_have_minus_signs_and_names_keep_their_hyphens() -> None:
    made = Table(
        ["a-b", "d", "i", "p"],
        [["run-2", Signed(-0.5), Interval(-1.0, -0.25), P(0.0)], ["4-5", Signed(0.5), None, P(1.0)]],
    )
    lines = made.render("latex").split("\n")
    minus = r"\ensuremath{-}"
    assert lines[4] == rf"run-2 & {minus}0.5000 & [{minus}1.000, {minus}0.250] & \textless{{}} 0.001 \\"
    assert lines[5] == r"4-5 & +0.5000 &  & 1.000 \\"
    latex.check(made.render("latex"))


def test_every_sign_that_we_know_compiles() -> None:
    signs = [*FORMULAS, *TEXTS, *SPECIAL, "–", "…"]
    accented = [unicodedata.normalize("NFC", f"{letter}{accent}") for letter in "aeiIj" for accent in ACCENTS]
    ascii_signs = [chr(code) for code in range(32, 127)]
    rows = [[f"x{sign}y{sign}"] for sign in [*signs, *accented, *ascii_signs]]
    for start in range(0, len(rows), 40):  # a page holds so many
        text = Table(["ρ Δ κ λ τ"], rows[start : start + 40], bold={(0, 0)}).render("latex")
        assert "[U+" not in text
        latex.check(text)


def test_letters_of_other_scripts_are_written_as_codes_and_explained() -> None:
    text = Table(["system"], [["中 é 🇫"], ["Ђ\u2028\n\t"]], title="two\nlines").render("latex")
    lines = text.split("\n")
    assert lines[4] == r"{}[U+4E2D] \'{e} [U+1F1EB] \\"
    assert lines[5] == r"{}[U+0402][U+2028]   \\"
    assert lines[-5:] == ["% two", "% lines", "% [U+4E2D] is 中", "% [U+1F1EB] is 🇫", "% [U+0402] is Ђ"]
    latex.check(text)


@pytest.mark.parametrize(
    "text", ["naïve Škoda Łódź", "e\u0301\u0323", "x\u0301 5 %", "\\input{x}", "%", "a\0b", "[x]", "*x"]
)
def test_names_of_many_kinds(text: str) -> None:
    assert latex_text(text).isascii()
    latex.check(Table([text], [[text]], bold={(0, 0)}).render("latex"))


COLUMN_PT = 219  # of a two-column page of the ACL's style; LaTeX's own has 229


def test_scores_of_three_metrics_fit_into_a_column() -> None:
    row = [0.31987, Interval(0.2991, 0.3411)] * 3
    names = [name for metric in ("m2", "gleu", "errant") for name in (metric, f"{metric} 95% interval")]
    made = Table(["system", *names], [["AMU", *row], ["CAMB", *row]])
    text = made.render("latex", numbers=Numbers(percent=True, compact=True))
    assert (
        r"AMU & 31.99\,\ensuremath{\pm}\,2.1 & 31.99\,\ensuremath{\pm}\,2.1 & 31.99\,\ensuremath{\pm}\,2.1 \\" in text
    )
    widths = latex.check(text)
    assert all(width < COLUMN_PT for width in widths)
    assert all(width > 1.5 * COLUMN_PT for width in latex.check(made.render("latex")))
