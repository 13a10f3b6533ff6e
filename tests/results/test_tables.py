"""Tables in every style, with names that mean something to the style."""

from __future__ import annotations

import re

import pytest

from gecval import InputError
from gecval.results.table import STYLES, Numbers, P, Signed, Table, render_tables
from gecval.stats import Interval

AWKWARD = "a|b & c_d 5% #1 {x} ~^ $y \\z [red]no[/red] :smile: <i>"
FOR_PEOPLE = ("text", "markdown", "latex", "html")


def table(name: str = AWKWARD) -> Table:
    return Table(
        ["system", "m2", "n"], [[name, 0.123456, 7], ["other", 1.0, None]], bold={(1, 1)}, footnotes=["a_note"]
    )


def test_markdown() -> None:
    lines = table().render("markdown").split("\n")
    assert lines[0] == "| system | m2 | n |"
    assert lines[1] == "| --- | ---: | ---: |"
    assert lines[2] == "| " + AWKWARD.replace("|", r"\|") + " | 0.1235 | 7 |"
    assert lines[3] == "| other | **1.0000** |  |"
    assert lines[4:] == ["", "a_note"]
    assert Table(["a"], [["b"]], title="Title").render("markdown").startswith("**Title**\n\n| a |")
    assert Table(["a"], [["two\nlines"]]).render("markdown").split("\n")[2] == "| two lines |"


def test_html_escapes_everything_and_names_no_colour() -> None:
    attack = "<script>alert(1)</script>\" onload='x' &"
    made = Table([attack], [[attack]], title=attack, footnotes=[attack], bold={(0, 0)}).render("html")
    assert "<script" not in made
    assert made.count("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#x27;x&#x27; &amp;") == 4
    assert "<b>&lt;script" in made
    assert re.findall(r"(?<!current)color|background", made, re.IGNORECASE) == []


def test_html_is_well_formed() -> None:
    from xml.etree import ElementTree

    root = ElementTree.fromstring(f"<div>{table().render('html')}</div>")
    assert [cell.text for cell in root.findall("./table/thead/tr/th")] == ["system", "m2", "n"]
    assert ["".join(cell.itertext()) for cell in root.findall("./table/tbody/tr/td")][:3] == [AWKWARD, "0.1235", "7"]
    assert "text-align: right" in root.findall("./table/tbody/tr/td")[1].attrib["style"]


def test_an_interval_in_every_style_for_people() -> None:
    made = Table(["a", "i"], [[1, Interval(1 / 3, 0.5)], [2, Interval(7, 2720)], [3, None]], interval_digits=2)
    assert [row["i"] for row in made.to_object()["rows"]] == [[1 / 3, 0.5], [7, 2720], None]  # type: ignore[attr-defined, index]
    for style in FOR_PEOPLE:
        assert "[0.33, 0.50]" in made.render(style)
        assert "[7, 2720]" in made.render(style)


def test_what_is_unknown_is_a_dash_and_null() -> None:
    unknown = Interval(float("nan"), float("nan"))
    made = Table(["a", "b", "c", "d"], [[float("nan"), unknown, float("inf"), None]])
    assert made.render("markdown").endswith("| – | – | inf |  |")
    assert made.to_object()["rows"] == [{"a": None, "b": None, "c": None, "d": None}]
    half = Table(["i"], [[Interval(0.5, float("inf"))], [Interval(float("-inf"), 0.5)]])
    assert half.to_object()["rows"] == [{"i": None}] * 2
    assert Table(["p", "d"], [[P("nan"), Signed("nan")]]).render("markdown").endswith("| – | – |")


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "< 0.001"), (0.00099, "< 0.001"), (0.001, "0.001"), (0.0123, "0.012"), (1.0, "1.000")]
)
def test_a_p_value_is_never_zero(value: float, shown: str) -> None:
    made = Table(["p"], [[P(value)]], digits=2)
    assert made.render("markdown").split("\n")[2] == f"| {shown} |"
    assert made.render("tsv") == f"p\n{value!r}"
    assert made.to_object()["rows"] == [{"p": value}]


def test_a_p_value_has_three_decimals_or_more() -> None:
    made = Table(["p"], [[P(0.00012)], [P(0.5)]])
    assert made.render("markdown", numbers=Numbers(digits=1)).split("\n")[2:] == ["| < 0.001 |", "| 0.500 |"]
    assert made.render("markdown", numbers=Numbers(digits=5)).split("\n")[2:] == ["| 0.00012 |", "| 0.50000 |"]


def test_a_difference_shows_its_sign() -> None:
    made = Table(["d"], [[Signed(0.0233)], [Signed(-0.5)], [Signed(0.0)]])
    assert made.render("markdown").split("\n")[2:] == ["| +0.0233 |", "| -0.5000 |", "| 0.0000 |"]
    assert made.render("tsv") == "d\n0.0233\n-0.5\n0.0"


TINY = -0.00001


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html"])
@pytest.mark.parametrize("numbers", [Numbers(), Numbers(percent=True), Numbers(digits=0), Numbers(compact=True)])
def test_what_rounds_to_zero_has_no_sign(style: str, numbers: Numbers) -> None:
    made = Table(["n", "d", "ends"], [[TINY, Signed(TINY), Interval(TINY, 0.5)], [-0.0, Signed(-TINY), None]])
    shown = made.render(style, numbers=numbers)
    assert not re.search(r"(?<![a-z])[-+−]\$?0(\.0*)?(?!\.?\d)", shown)


def test_programs_get_the_number_as_it_is() -> None:
    assert Table(["d"], [[Signed(TINY)]]).render("csv") == "d\r\n-1e-05"


def test_columns_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two columns of a table are named '95%'; rename one"):
        Table(["metric", "ρ", "95%", "τ", "95%"])


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(InputError, match=f"there is no style 'xml' of tables; there is {', '.join(STYLES)}"):
        table().render("xml")


def test_an_empty_table() -> None:
    assert Table(["a", "b"]).render("markdown") == "| a | b |\n| --- | --- |"
    assert Table(["a", "b"]).render("tsv") == "a\tb"
    assert Table(["a", "b"]).render("text").split()[:2] == ["a", "b"]


class TestNumbers:
    TABLE = Table(
        ["system", "m2", "95% interval", "perplexity", "its interval", "p", "n"],
        [
            ["a", 0.31987, Interval(0.2991, 0.3411), 0.5, Interval(0.25, 3.0), P(0.5), 3],
            ["b", -1.0, None, 0.75, Interval(0.5, 0.75), P(0.0), 4],
        ],
        footnotes=["first"],
    )

    def rows(self, numbers: Numbers) -> list[list[str]]:
        lines = self.TABLE.render("markdown", numbers=numbers).split("\n")
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]

    def test_digits(self) -> None:
        assert self.rows(Numbers(digits=1))[2] == ["a", "0.3", "[0.3, 0.3]", "0.5", "[0.2, 3.0]", "0.500", "3"]
        assert self.rows(Numbers(digits=6))[3][1] == "-1.000000"

    def test_percentages_are_of_columns_between_minus_one_and_one(self) -> None:
        # One end of an interval is above 1, so perplexity is no share.
        assert self.rows(Numbers(percent=True))[2:] == [
            ["a", "31.99", "[29.9, 34.1]", "0.5000", "[0.250, 3.000]", "0.500", "3"],
            ["b", "-100.00", "", "0.7500", "[0.500, 0.750]", "< 0.001", "4"],
        ]
        assert self.TABLE.render("markdown", numbers=Numbers(percent=True)).endswith("\nfirst\n\nin percent: m2")

    def test_percentages_leave_plain_columns_alone(self) -> None:
        made = Table(["r", "i", "m2"], [[0.5, Interval(0.25, 0.75), 0.5]], plain=["r"])
        lines = made.render("markdown", numbers=Numbers(percent=True)).split("\n")
        assert lines[2] == "| 0.5000 | [0.250, 0.750] | 50.00 |"
        assert lines[-1] == "in percent: m2"

    def test_percentages_take_two_decimals_and_leave_none_below_zero(self) -> None:
        made = Table(["m2", "i"], [[0.316, Interval(0.296, 0.344)], [None, None]], digits=2, interval_digits=1)
        lines = made.render("markdown", numbers=Numbers(percent=True)).split("\n")
        assert lines[2:4] == ["| 32 | [30, 34] |", "|  |  |"]  # a column with an empty cell is one of shares too

    def test_a_number_just_above_one_is_no_share(self) -> None:
        made = Table(["r", "m2"], [[1.25, -1.0], [0.5, 1.0]])
        lines = made.render("markdown", numbers=Numbers(percent=True)).split("\n")
        assert lines[2:] == ["| 1.2500 | -100.00 |", "| 0.5000 | 100.00 |", "", "in percent: m2"]

    def test_an_interval_is_of_the_column_before_it(self) -> None:
        """The first column has none before it, not even the last one."""
        made = Table(["i", "n"], [[Interval(0.25, 0.75), 0.5]])
        assert made.render("markdown", numbers=Numbers(compact=True)).split("\n")[2] == "| [0.250, 0.750] | 0.5000 |"

    @pytest.mark.parametrize("ends", [(0.25, float("nan")), (float("nan"), 0.25)])
    def test_an_interval_with_one_end_is_unknown(self, ends: tuple[float, float]) -> None:
        made = Table(["m2", "i"], [[0.5, Interval(*ends)], [0.5, Interval(0.0, 1.0)]])
        assert made.render("markdown").split("\n")[2] == "| 0.5000 | – |"
        assert made.render("markdown", numbers=Numbers(compact=True)).split("\n")[2] == "| 0.5000 |"

    def test_a_compact_interval_does_not_break(self) -> None:
        made = Table(["s", "m2", "i"], [["word " * 9, 0.5, Interval(0.0, 1.0)]])
        shown = made.render("text", width=26, numbers=Numbers(compact=True))
        assert "0.5000 ± 0.500" in shown

    def test_compact_intervals_are_half_widths(self) -> None:
        assert self.rows(Numbers(compact=True, percent=True)) == [
            ["system", "m2", "perplexity", "p", "n"],
            ["---", "---:", "---:", "---:", "---:"],
            ["a", "31.99 ± 2.1", "0.5000 ± 1.375", "0.500", "3"],
            ["b", "-100.00", "0.7500 ± 0.125", "< 0.001", "4"],
        ]
        assert "± is half of the width of: 95% interval, its interval" in self.TABLE.render(
            "text", numbers=Numbers(compact=True)
        )

    def test_bold_stays_with_its_column(self) -> None:
        made = Table(["m2", "i", "x"], [[0.5, Interval(0.0, 1.0), "y"]], bold={(0, 0), (0, 2)})
        lines = made.render("markdown", numbers=Numbers(compact=True)).split("\n")
        assert lines[2] == "| **0.5000 ± 0.500** | **y** |"

    def test_programs_get_exact_numbers_whatever_people_want(self) -> None:
        for style in ("tsv", "csv"):
            numbers = Numbers(percent=True, digits=1, compact=True)
            assert render_tables([self.TABLE], style, numbers=numbers) == render_tables([self.TABLE], style)
