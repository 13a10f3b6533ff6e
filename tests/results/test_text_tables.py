"""Text tables at the widths of real terminals: nothing is lost, and no number breaks."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.results.table import P, Signed, Table
from gecval.stats import Interval

AWKWARD = "a|b & c_d 5% #1 {x} ~^ $y \\z [red]no[/red] :smile: <i>"
WIDTHS = (40, 60, 80, 120)


def plain(text: str) -> str:
    """Without the colours of a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def cells(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def test_text() -> None:
    made = Table(["system", "m2", "n"], [["x", 0.123456, 7], ["other", 1.0, None]], footnotes=["a_note"])
    lines = [line for line in made.render("text").split("\n") if line.strip("─ ")]
    assert cells(lines) == [["system", "m2", "n"], ["x", "0.1235", "7"], ["other", "1.0000"], ["a_note"]]
    assert lines[0].index("m2") + 2 == lines[1].index("0.1235") + 6  # numbers and their heads end together


def test_names_are_taken_literally() -> None:
    assert Table([AWKWARD], [[AWKWARD]], title=AWKWARD).render("text").count(AWKWARD) == 3


def test_wide_letters_are_aligned() -> None:
    lines = Table(["system", "score"], [["日本語", 0.5], ["abc", 0.5], ["e\u0301", 0.5]]).render("text").split("\n")

    def width(text: str) -> int:
        return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

    rows = [line for line in lines if line.endswith("0.5000")]
    assert len(rows) == 3
    assert len({width(row) for row in rows}) == 1


def test_in_colour_only_on_a_terminal() -> None:
    made = Table(["system", "m2"], [["a", 0.5]], bold={(0, 1)})
    assert "\x1b" not in made.render("text")
    assert "\x1b[1m" in made.render("text", width=80)


def test_a_narrow_terminal_folds_and_loses_nothing() -> None:
    text = plain(Table(["#"], [["abcdefghij" * 5]]).render("text", width=20))
    assert len(text.split("\n")) > 4
    assert "".join(c for c in text if c in "abcdefghij") == "abcdefghij" * 5
    assert max(map(len, text.split("\n"))) <= 20


@pytest.mark.parametrize("width", [15, 21])
def test_a_long_word_has_ten_letters_in_a_line_at_least(width: int) -> None:
    lines = plain(Table(["a", "b"], [["w" * 30, 0.5]]).render("text", width=width)).split("\n")
    assert [line.split()[0] for line in lines if "w" in line] == ["w" * 10] * 3


def test_one_empty_line_ends_a_table_and_none_its_notes() -> None:
    assert Table(["a"], [["b"]]).render("text").split("\n")[-2:] == [" b", ""]
    assert Table(["a"], [["b"]], footnotes=["c"]).render("text").split("\n")[-1] == "c"


def test_a_title_is_not_folded_to_the_table() -> None:
    title = "Δ of the score by type of edit"
    assert Table(["a"], [["b"]], title=title).render("text").split("\n")[0] == title
    assert title in Table(["a"], [["b"]], title=title).render("text", width=80).split("\n")[0]


# As wide as what `gecval compare` and `gecval human` print.
COMPARISON = Table(
    [
        "metric",
        "baseline",
        "baseline score",
        "system",
        "score",
        "difference",
        "interval",
        "p bootstrap",
        "p randomised",
    ],
    [
        ["m2", "AMU", 0.35007, "CAMB", 0.37331, Signed(0.02324), Interval(0.0012, 0.0443), P(0.03), P(0.0001)],
        ["gleu(n=3)", "AMU", 0.6501, "a-system-with-a-name", 0.6, Signed(-0.05), Interval(-0.1, 0.0), P(0.5), P(0.6)],
    ],
    bold={(0, 5)},
    interval_digits=4,
)
MANY = Table(
    ["judgments", "target", "metric", *(f"{name}{part}" for name in "rρτ" for part in ("", " 95% interval", " p"))],
    [["expert", "expected wins", "gleu"] + [0.123, Interval(-0.38, 0.4567), P(0.0)] * 3] * 2,
    digits=3,
)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("made", [COMPARISON, MANY], ids=["comparison", "many"])
def test_no_number_breaks_at_any_width(made: Table, width: int) -> None:
    text = plain(made.render("text", width=width))
    assert max(map(len, text.split("\n"))) <= width
    wide = made.render("text")
    numbers = re.findall(r"\[[-\d.]+, [-\d.]+\]|< 0\.001|[-+]?\d+\.\d+", wide)
    assert len(numbers) > 10
    for number in numbers:
        assert text.count(number) >= wide.count(number)


@pytest.mark.parametrize(("letters", "width", "parts"), [(21, 40, 1), (20, 40, 1), (20, 39, 2), (19, 39, 1)])
def test_a_word_of_twenty_letters_has_its_room(letters: int, width: int, parts: int) -> None:
    """Two numbers of six signs, three blanks between columns, one at each end: 20 more are left of 40."""
    made = Table(["s", "a", "b"], [["w" * letters + " w" * 20, 0.5, 0.5]])
    heads = [line.split() for line in plain(made.render("text", width=width)).split("\n") if line.startswith(" s")]
    assert heads == ([["s", "a", "b"]] if parts == 1 else [["s", "a"], ["s", "b"]])


def test_a_table_that_is_too_wide_goes_on_below_with_its_names() -> None:
    made = Table(["system", "metric", *"abcdefgh"], [["AMU", "m2", *[0.5] * 8], ["CAMB", "gleu", *[0.25] * 8]])
    lines = [line.split() for line in plain(made.render("text", width=44)).split("\n") if line.strip("─ ")]
    assert lines == [
        ["system", "metric", "a", "b", "c"],
        ["AMU", "m2", *["0.5000"] * 3],
        ["CAMB", "gleu", *["0.2500"] * 3],
        ["system", "metric", "d", "e", "f"],
        ["AMU", "m2", *["0.5000"] * 3],
        ["CAMB", "gleu", *["0.2500"] * 3],
        ["system", "metric", "g", "h"],
        ["AMU", "m2", *["0.5000"] * 2],
        ["CAMB", "gleu", *["0.2500"] * 2],
    ]


def test_an_interval_stays_beside_its_number() -> None:
    for line in plain(MANY.render("text", width=60)).split("\n"):
        assert line.count("0.123") == line.count("[-0.380, 0.457]")


def test_what_cannot_fit_runs_over() -> None:
    made = Table(["system", "interval"], [["A", Interval(-123456.5, 123456.5)]])
    text = plain(made.render("text", width=20))
    assert "[-123456.500, 123456.500]" in text


@given(
    st.lists(st.lists(st.one_of(st.floats(-1, 1), st.text("ab ", max_size=30)), min_size=4, max_size=4), min_size=1),
    st.integers(10, 100),
)
def test_any_table_at_any_width_keeps_its_numbers(rows: list[list[str | float]], width: int) -> None:
    made = Table(["one", "two words", "three", "f"], list(rows))
    shown = re.findall(r"-?\d\.\d{4}", plain(made.render("text", width=width)))
    wanted = [f"{cell:.4f}" for row in rows for cell in row if isinstance(cell, float)]
    wanted = ["0.0000" if cell == "-0.0000" else cell for cell in wanted]  # what rounds to zero has no sign
    assert set(wanted) <= set(shown)


def test_text_is_the_same_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(["system", "m2"], [["a", 0.5]], bold={(0, 1)}, footnotes=["note"])
    plain = table.render("text")
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert table.render("text") == plain
