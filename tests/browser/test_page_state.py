"""The address keeps the choices: a link leads to the same view; a link from elsewhere does no harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from browser.watching import choose, column, count, listed, order, until

TEXT = 'a&b=c #"é?%+ 中'


def test_choices_go_into_the_address_and_come_back(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    choose(page, metric=2, a=3, b=1, min=10, sort="score-1", down=1, shown=[0, 2])
    address = page.evaluate("location.hash").lstrip("#")
    assert address == "metric=2&a=3&shown=0.2&min=10&sort=score-1&down=1"
    again = open_page(sample_page, address)
    assert (order(again), listed(again), count(again)) == (order(page), listed(page), count(page))
    assert again.evaluate("gecval.state") == page.evaluate("gecval.state")
    assert again.input_value("#choose-metric") == "2"
    assert again.input_value("#choose-min") == "10"
    again.wait_for_selector("html[data-scored=true]")
    assert column(again, "#ranking-table", 3) == column(page, "#ranking-table", 3)


def test_any_text_survives_the_address(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.fill("#choose-q", TEXT)
    assert page.evaluate("location.hash") == f"#q={quote(TEXT, safe='()!*')}"
    assert open_page(sample_page, page.evaluate("location.hash").lstrip("#")).input_value("#choose-q") == TEXT


def test_a_link_to_a_sentence_opens_its_page(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "page=1&at=60")
    assert listed(page) == list(range(50, 72))
    assert page.evaluate("document.activeElement.id") == "sentence-60"


@pytest.mark.parametrize(
    "address",
    ["metric=99&a=-1&b=x&type=1e9", "min=-5&max=abc&page=999", "shown=7.8.x&by=4", "nothing=1&%zz", "a=1&b=1"],
)
def test_a_link_from_another_report_falls_back(sample_page: Path, open_page: Any, address: str) -> None:
    page = open_page(sample_page, address)
    state = page.evaluate("gecval.state")
    assert state["a"] != state["b"]
    assert count(page) == "72 of 72 sentences"
    assert len(listed(page)) in (50, 22)


def test_following_a_changed_address(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.evaluate("location.hash = 'max=9'")
    until(page, "gecval.view.count < 72")
    assert page.input_value("#choose-max") == "9"
    page.evaluate("location.hash = ''")
    until(page, "gecval.view.count === 72")


def test_contents_lead_to_sections_and_leave_the_address(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "metric=1")
    page.click('#contents >> text="Sentences"')
    assert page.evaluate("document.activeElement.id") == "sentences-heading"
    assert page.evaluate("location.hash") == "#metric=1"


def test_choosing_the_other_system_swaps_the_pair(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.select_option("#choose-a", "1")
    assert page.evaluate("[gecval.state.a, gecval.state.b]") == [1, 0]
    assert page.input_value("#choose-b") == "0"
