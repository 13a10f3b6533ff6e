"""TSV and CSV: one header, unique names, exact numbers, one cell whatever the text."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import InputError
from gecval.results.table import P, Signed, Table, render_tables
from gecval.stats import Interval

DELIMITERS = {"tsv": "\t", "csv": ","}
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)


def rows(text: str, style: str) -> list[list[str]]:
    if style == "tsv":
        return [line.split("\t") for line in text.split("\n")]
    return list(csv.reader(io.StringIO(text, newline="")))


def test_tsv() -> None:
    made = Table(["system", "score"], [["tab\there\nand\rthere", 1 / 3], ["b", None]], title="not shown", bold={(0, 1)})
    assert made.render("tsv") == "system\tscore\ntab here and there\t0.3333333333333333\nb\t"


def test_csv_follows_rfc_4180() -> None:
    made = Table(["system", "score"], [['comma, "quote"\nline', 1 / 3], ["b", None]])
    assert made.render("csv") == 'system,score\r\n"comma, ""quote""\nline",0.3333333333333333\r\nb,'


@pytest.mark.parametrize("style", DELIMITERS)
def test_an_interval_is_two_numbers(style: str) -> None:
    made = Table(["range", "n"], [[Interval(1 / 3, 0.5), 1], [Interval(7, 2720), 2], [None, 3]])
    assert rows(made.render(style), style) == [
        ["range low", "range high", "n"],
        ["0.3333333333333333", "0.5", "1"],
        ["7", "2720", "2"],
        ["", "", "3"],
    ]


@pytest.mark.parametrize("style", DELIMITERS)
def test_an_interval_is_named_like_its_number_and_the_level_has_a_column(style: str) -> None:
    made = Table(
        ["system", "score", "90% interval", "ρ", "ρ 90%"],
        [["a", 0.5, Interval(0.25, 0.75), 1.0, None], ["b", 0.25, None, None, None]],
        level=0.9,
        intervals=["ρ 90%"],
    )
    assert rows(made.render(style), style) == [
        ["system", "score", "low", "high", "level", "ρ", "ρ low", "ρ high"],
        ["a", "0.5", "0.25", "0.75", "0.9", "1.0", "", ""],
        ["b", "0.25", "", "", "", "", "", ""],
    ]
    made.main = "ρ"
    assert rows(made.render(style), style)[0][2:] == ["score low", "score high", "level", "ρ", "low", "high"]


@pytest.mark.parametrize("style", DELIMITERS)
def test_an_interval_is_of_the_number_to_its_left(style: str) -> None:
    """The first column may be that number; a text is none, not even in one row."""
    some = Interval(0.25, 0.75)
    assert rows(Table(["score", "i"], [[0.5, some]]).render(style), style)[0] == ["score", "low", "high"]
    assert rows(Table(["x", "i"], [["a", some], [0.5, some]]).render(style), style)[0] == ["x", "i low", "i high"]


@pytest.mark.parametrize("style", DELIMITERS)
def test_several_tables_have_one_header_and_say_which_they_are(style: str) -> None:
    first = Table(["system", "m2"], [["a", 0.5]], title="Scores")
    second = Table(["m2", "p"], [[0.25, P(0.0001)], [0.5, P(1.0)]])
    assert rows(render_tables([first, second], style), style) == [
        ["table", "system", "m2", "p"],
        ["Scores", "a", "0.5", ""],
        ["2", "", "0.25", "0.0001"],
        ["2", "", "0.5", "1.0"],
    ]


def test_names_are_unique_also_with_the_ends_of_intervals() -> None:
    with pytest.raises(InputError, match="two columns of a table have the same name: i low, i high, i low"):
        Table(["i", "i low"], [[Interval(0.0, 1.0), 0.0]]).render("tsv")
    with pytest.raises(InputError, match="two columns of a table have the same name: low, high, level, level"):
        Table(["score", "level"], [[Interval(0.0, 1.0), 0.0]], level=0.95).render("tsv")
    with pytest.raises(InputError, match="a column of a table is named 'table'"):
        render_tables([Table(["table"], [["x"]]), Table(["b"], [["y"]])], "tsv")


@pytest.mark.parametrize("style", DELIMITERS)
@given(name=TEXTS, text=TEXTS, number=st.floats(allow_nan=False))
def test_every_text_is_one_cell_and_every_number_comes_back(style: str, name: str, text: str, number: float) -> None:
    made = Table([f"x{name}", "number", "difference"], [[f"x{text}", number, Signed(number)]])
    head, row = rows(made.render(style), style)
    assert [float(cell) for cell in row[1:]] == [number, number]
    if style == "csv":
        assert (head[0], row[0]) == (f"x{name}", f"x{text}")
    assert len(head) == len(row) == 3
