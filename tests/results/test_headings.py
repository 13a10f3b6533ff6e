"""Titles of charts: lines of 24 letters at least, which break between words."""

from __future__ import annotations

import pytest

from gecval.results.theme import heading


@pytest.mark.parametrize(("letters", "lines"), [(12, 1), (13, 2)])
def test_a_narrow_chart_has_lines_of_24_letters(letters: int, lines: int) -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    made = heading("eleven long " + "w" * letters, "eleven long " + "w" * letters, 10).to_dict()
    assert (len(made["text"]), len(made["subtitle"])) == (lines, lines)


def test_a_long_word_stays_whole() -> None:
    pytest.importorskip("altair", reason="needs the extra [report]")
    assert heading("a " + "w" * 30, "", 10).to_dict()["text"] == ["a", "w" * 30]
