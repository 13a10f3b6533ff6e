r"""LaTeX tables compile with booktabs alone, whatever they say."""

from __future__ import annotations

import re
import unicodedata

import pytest

import latex
from gecval.results.latex import ACCENTS, BOLD, FORMULAS, SPECIAL, TEXT_WIDTH, TEXTS, latex_text, text_width
from gecval.results.table import Numbers, P, Signed, Table
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
    widths, without = latex.check(text), latex.check(made.render("latex"))
    if latex.PDFLATEX is None:
        pytest.skip("no pdflatex: widths were not measured")
    assert all(width < COLUMN_PT for width in widths)
    assert sum(without) > 1.5 * COLUMN_PT  # without ±, the table needs a page, and goes on below


def test_a_wide_table_folds_its_headings() -> None:
    names = [f"a heading that is long {i}" for i in range(6)]
    lines = Table(["system", *names], [["AMU", *[0.5] * 6]], bold={(0, 1)}).render("latex").split("\n")
    assert lines[0] == r"\begin{tabular}{@{}lrrrrrr@{}}"
    assert lines[2].startswith(
        r"system & \shortstack[r]{a\\heading\\that is\\long 0} & \shortstack[r]{a\\heading\\that is"
    )
    assert lines[4] == r"AMU & \textbf{0.5000} & 0.5000 & 0.5000 & 0.5000 & 0.5000 & 0.5000 \\"
    assert lines.count(r"\end{tabular}") == 1
    latex.check("\n".join(lines))


def test_a_table_that_is_too_wide_goes_on_below_and_names_its_rows_again() -> None:
    columns = [name for i in range(8) for name in (f"metric{i}", f"{i} interval")]
    row = [0.25, Interval(-0.25, 0.5)] * 8
    text = Table(["system", *columns], [["AMU", *row], ["CAMB", *row]], title="a title").render("latex")
    first, *others = text.split("\n\n")
    assert others
    assert "% a title" not in first
    assert all(part.count(r"\end{tabular}") == part.count("AMU & 0.2500 & [") == 1 for part in (first, *others))
    assert sum(part.count(r"[\ensuremath{-}0.250, 0.500]") for part in (first, *others)) == 16
    assert all(0 < width < TEXT_WIDTH for width in latex.check(text))


def test_long_texts_are_paragraphs() -> None:
    long = "Words that go on and on until there is no more room for them in a line of the page"
    text = Table(["what", "n", "remark"], [[long, 1, long], ["short", 2, "[x]"]]).render("latex")
    lines = text.split("\n")
    assert re.fullmatch(r"\\begin\{tabular\}\{@\{\}p\{(\d+)pt\}rp\{(\d+)pt\}@\{\}\}", lines[0])
    assert lines[4] == rf"\raggedright {long} & 1 & \raggedright {long} \tabularnewline"
    assert lines[5] == r"\raggedright short & 2 & \raggedright [x] \tabularnewline"
    latex.check(text)
    ends = [
        Table(columns, [row]).render("latex").split("\n")[4]
        for columns, row in ((["what", "n"], [long * 2, 1]), (["n", "what"], [1, long * 2]))
    ]
    assert ends == [rf"\raggedright {long * 2} & 1 \\", rf"1 & \raggedright {long * 2} \tabularnewline"]


def test_letters_that_no_accent_fits_are_codes() -> None:
    assert latex_text("ά") == "[U+03AC]"
    assert latex_text("e\u0301\u0360") == "[U+00E9][U+0360]"  # one accent is known, the other is not
    assert latex_text("ệ") == r"\^{\d{e}}"


def test_letters_that_are_not_measured_count_as_wide() -> None:
    assert text_width("ß") == 11.2
    assert text_width("é") == text_width("e") == 5.1


def test_widths_are_measured_well() -> None:
    known = [*map(chr, range(33, 127)), *FORMULAS, *TEXTS, "中", "é", "Š"]
    texts = [*(sign * 9 for sign in known if sign.isprintable() and sign not in "½¼¾"), "Words with blanks 0.123 ± 4"]
    cells = [f"{'{}' * text.startswith(('[', '*'))}{latex_text(text)}" for text in texts]
    tabulars = [rf"\begin{{tabular}}{{@{{}}l@{{}}}}{cell}\end{{tabular}}" for cell in cells]
    for text, width in zip(texts, latex.check("\n\n".join(tabulars), fits=False), strict=latex.PDFLATEX is not None):
        assert width <= 1.05 * text_width(text), text
        assert text_width(text) < 1.45 * width or not text.isascii(), text
    bold = r"\begin{tabular}{@{}l@{}}\textbf{%s}\end{tabular}" % (12 * "0123456789")
    assert all(width <= BOLD * text_width(12 * "0123456789") for width in latex.check(bold, fits=False))
