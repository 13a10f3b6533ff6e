"""Wide tables: which columns stand side by side, and how wide each is."""

from __future__ import annotations

import pytest

from gecval.results.table import Column
from gecval.results.table_styles import Page

NAME = Column("a name", ["four", "a longerword"])
NUMBER = Column("n", ["0.5", "-0.25"], rigid=True)
INTERVAL = Column("interval", ["[0, 1]"], rigid=True, of_last=True)


def page(width: float, *, bold: float = 1.0) -> Page:
    return Page(width=width, measure=len, gap=3, edges=2, longest_word=20, shortest=10, bold=bold)


def names(width: float, *columns: Column) -> list[list[str]]:
    return [[column.name for column in part] for part in page(width).parts(columns)]


@pytest.mark.parametrize(("letters", "least"), [(19, 19), (20, 20), (21, 20)])
def test_a_word_of_twenty_letters_does_not_break(letters: int, least: float) -> None:
    """With ten columns more for the number and the blanks, all just fits."""
    long = Column("x", ["w" * letters, "w " * 30])
    assert names(least + 10, long, NUMBER) == [["x", "n"]]
    assert page(least + 10).sizes([long, NUMBER]) == [least, 5]
    assert names(least + 9, long, NUMBER) == [["x", "n"]]  # the first part holds a number, however narrow the page
    assert page(least + 9).sizes([long, NUMBER]) == [least - 1, 5]


def test_all_that_fits_is_one_part() -> None:
    least = 10 + 5 + 8 + 2 * 3 + 2  # words, numbers, blanks between and at the ends
    assert names(least, NAME, NUMBER, INTERVAL) == [["a name", "n", "interval"]]
    assert names(least - 1, NAME, NUMBER, INTERVAL) == [["a name", "n"], ["a name", "interval"]]


def test_a_number_stays_with_its_interval() -> None:
    other = Column("m", ["0.5"], rigid=True)
    assert names(32, NAME, other, NUMBER, INTERVAL) == [["a name", "m"], ["a name", "n", "interval"]]


def test_names_take_half_of_the_width_at_most() -> None:
    second = Column("b", ["eightlong"])
    wide = [Column(f"{i}", ["0.123456789"], rigid=True) for i in range(4)]
    total = 10 + 9 + 3 + 2
    assert names(2 * total, NAME, second, *wide)[1][:2] == ["a name", "b"]
    assert names(2 * total - 1, NAME, second, *wide)[1][:2] != ["a name", "b"]


def test_sizes_are_all_that_is_wanted_or_a_fair_share() -> None:
    wanted = [len("a longerword"), len("-0.25")]
    assert page(12 + 5 + 3 + 2).sizes([NAME, NUMBER]) == wanted
    assert page(12 + 5 + 3 + 2 - 1).sizes([NAME, NUMBER]) == [11, 5]
    assert page(15).sizes([NAME, NUMBER]) == [10, 5]  # no word of ten letters breaks, and no number ever
    longer = Column("a", ["w" * 30])
    assert page(15).sizes([longer, NUMBER]) == [10, 5]


def test_bold_letters_are_wider() -> None:
    bold = Column("n", ["0.5", "0.25"], bold=frozenset({1}), rigid=True)
    assert page(80, bold=1.5).natural(bold) == 6
    assert page(80).natural(bold) == 4
    assert page(80).natural(Column("", [])) == page(80).natural(Column("", [""])) == 1
    assert page(80).natural(Column("n", ["0.5\n-0.125\n1"])) == 6


def test_a_column_without_words_is_one_sign_wide() -> None:
    empty, other = Column("", [""]), Column("m", ["0.125"], rigid=True)
    assert names(1 + 5 + 5 + 2 * 3 + 2, empty, NUMBER, other) == [["", "n", "m"]]
    assert names(1 + 5 + 5 + 2 * 3 + 1, empty, NUMBER, other) == [["", "n"], ["", "m"]]


def test_of_texts_alone_the_first_names_the_row() -> None:
    columns = [Column(letter, [letter * size]) for letter, size in (("a", 5), ("b", 5), ("c", 20), ("d", 20))]
    assert names(50, *columns) == [["a", "b", "c"], ["a", "d"]]


def test_no_word_breaks_where_all_just_fit() -> None:
    first, second = Column("a", ["w" * 15 + " w"]), Column("b", ["v" * 12 + " v" * 30])
    assert page(15 + 12 + 3 + 2).sizes([first, second]) == [15, 12]


def test_lines_break_between_words() -> None:
    assert page(80).lines("one two three", 7) == ["one two", "three"]
    assert page(80).lines("one two three", 6) == ["one", "two", "three"]
    assert page(80).lines("incomprehensible one", 6) == ["incomprehensible", "one"]
    assert page(80).lines("", 6) == []
