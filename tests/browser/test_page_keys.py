"""Everything by keyboard: search, sentences, edits, pages, help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser.watching import count, listed, until


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_slash_searches_and_keys_rest_while_one_types(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("/")
    assert focused(page) == "choose-q"
    page.keyboard.type("njk/?c")
    assert page.input_value("#choose-q") == "njk/?c"
    assert not page.evaluate("document.querySelector('#help').open")
    until(page, "gecval.view.count === 0")
    page.keyboard.press("Escape")
    assert focused(page) == "sentences-heading"
    page.keyboard.press("c")
    until(page, "gecval.view.count === 72")
    assert count(page) == "72 of 72 sentences"


def test_j_and_k_walk_over_the_ends_of_pages(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("j")
    assert focused(page) == "sentence-0"
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page) == "sentence-2"
    page.keyboard.press("k")
    assert focused(page) == "sentence-1"
    assert page.evaluate("location.hash") == "#at=1"
    page.focus("#sentence-49")
    page.keyboard.press("j")
    assert focused(page) == "sentence-50"
    assert listed(page) == list(range(50, 72))
    page.keyboard.press("k")
    assert focused(page) == "sentence-49"
    assert listed(page) == list(range(50))
    page.focus("#sentence-0")
    page.keyboard.press("k")
    assert focused(page) == "sentence-0"


def test_n_and_p_turn_pages_and_stop_at_the_ends(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("p")
    assert listed(page) == list(range(50))
    page.keyboard.press("n")
    assert (focused(page), listed(page)) == ("sentence-50", list(range(50, 72)))
    page.keyboard.press("n")
    assert listed(page) == list(range(50, 72))
    assert page.is_disabled(".pager .next >> nth=0")
    assert page.inner_text(".pager .where >> nth=0") == "51–72 of 72"
    page.keyboard.press("p")
    assert (focused(page), listed(page)) == ("sentence-0", list(range(50)))


def test_arrows_visit_the_edits_of_a_sentence(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("j")
    edits = page.locator("#sentence-0 .edit")
    for number in range(edits.count()):
        page.keyboard.press("ArrowRight")
        assert edits.nth(number).evaluate("node => node === document.activeElement")
    page.keyboard.press("ArrowLeft")
    last = edits.nth(edits.count() - 2)
    assert last.evaluate("node => node === document.activeElement")
    shown = last.evaluate("node => getComputedStyle(node, '::after').content")
    assert shown == f'"{last.get_attribute("title")}"'  # what hovering shows, focus shows too
    page.keyboard.press("j")
    assert focused(page) == "sentence-1"


def test_question_mark_opens_the_help_and_escape_closes_it(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("?")
    assert page.evaluate("document.querySelector('#help').open")
    keys = page.locator("#keys dt").all_inner_texts()
    assert keys == ["/", "j", "k", "→", "←", "n", "p", "s", "r", "c", "?"]
    page.keyboard.press("Escape")
    assert not page.evaluate("document.querySelector('#help').open")
    page.click("#help-open")
    page.click("#help-close")
    assert not page.evaluate("document.querySelector('#help').open")


def test_s_and_r_go_to_sections_and_shortcuts_of_the_browser_stay(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("s")
    assert focused(page) == "sentences-heading"
    page.keyboard.press("r")
    assert focused(page) == "ranking-heading"
    page.keyboard.press("Control+s")
    page.keyboard.press("Alt+j")
    assert focused(page) == "ranking-heading"


def test_the_first_tab_is_the_way_past_the_panel(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the results"
    page.keyboard.press("Enter")
    assert focused(page) == "content"
    assert page.evaluate("location.hash") == ""
