"""Everything by keyboard: search, sentences, edits, pages, help."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from browser.watching import choose, count, listed, until


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


# For everyone: axe-core finds no serious fault, in light and dark, wide and narrow; structure; no width scrolls.


def faults(page: Any) -> list[str]:
    """Serious and critical ones. axe runs through the debugger: the page's policy lets no other script in."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    library = Path(axe.__file__).parent / "axe.min.js"
    page.evaluate(library.read_text("utf-8"))
    violations = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    serious = [entry for entry in violations if entry["impact"] in ("serious", "critical")]
    return [f"{entry['id']}: {node['html'][:200]}" for entry in serious for node in entry["nodes"]]


@pytest.mark.parametrize(("dark", "width"), [(False, 1400), (True, 360)])
def test_axe_finds_no_serious_fault(sample_page: Path, open_page: Any, dark: bool, width: int) -> None:
    # The last page of the list: axe needs a second for each sentence, and they are all made alike.
    page = open_page(sample_page, "shown=0.1.2.3&scores=1&page=1", dark=dark, width=width)
    assert faults(page) == []


def test_axe_finds_no_serious_fault_with_filters_and_help(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page, "q=(&regex=1&max=9&more=1")
    page.click("#shown summary")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.click("#help-open")
    assert faults(page) == []


@pytest.mark.parametrize("width", [360, 380, 700, 901, 2400])
def test_no_width_scrolls_sideways(sample_page: Path, open_page: Any, width: int) -> None:
    page = open_page(sample_page, "shown=0.1.2.3&scores=1&more=1", width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_tables_headings_and_landmarks(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    assert page.locator("th:not([scope])").count() == 0
    tables = page.locator("table")
    assert tables.count() > 6
    assert page.locator("table > caption").count() == tables.count()
    for landmark in ("main", "header.masthead", "nav[aria-label=Contents]", "form[role=search]"):
        assert page.locator(landmark).count() == 1
    levels = page.eval_on_selector_all("h1, h2, h3", "nodes => nodes.map(node => Number(node.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.locator("svg:not([aria-hidden=true])").count() == 0  # numbers stand next to every drawing


def test_the_number_of_sentences_is_announced(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    assert page.get_attribute("#count", "role") == "status"
    choose(page, max=9)
    number = page.evaluate("gecval.view.count")
    assert page.inner_text("#count") == f"{number} of 72 sentences"


def test_focus_can_be_seen(sample_page: Path, open_page: Any) -> None:
    page = open_page(sample_page)
    for _ in range(3):
        page.keyboard.press("Tab")
    style = page.evaluate(
        "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"
    )
    assert style == ["solid", "3px"]
