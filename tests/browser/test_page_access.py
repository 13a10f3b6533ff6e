"""For everyone: axe-core finds no serious fault, in light and dark, wide and narrow; structure; no width scrolls."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from browser.watching import choose


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
    for landmark in ("main", "header.masthead", "nav[aria-label=Contents]", "aside[aria-label]", "form[role=search]"):
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
