"""What tests read off a page."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page


def choose(page: Page, /, **choices: Any) -> None:
    """Make choices as the controls do, and wait until the page has followed."""
    page.evaluate(
        "async (choices) => { gecval.choose(choices); await gecval.settled(); }",
        choices,
    )


def settle(page: Page) -> None:
    """Wait until all sentences of the list are drawn: the first few are at once, the others follow."""
    page.evaluate("gecval.settled()")


def until(page: Page, condition: str) -> None:
    """Wait until an expression holds. Playwright's own way is eval, which the page's policy forbids."""
    deadline = time.monotonic() + 60
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(50)


def listed(page: Page) -> list[int]:
    """The numbers of the sentences on show, from 0, in their order."""
    settle(page)
    return page.eval_on_selector_all(".sentence", "nodes => nodes.map(node => Number(node.dataset.sentence))")


def order(page: Page) -> list[int]:
    """All sentences that are in, over all pages."""
    return list(page.evaluate("[...gecval.view.order]"))


def count(page: Page) -> str:
    return page.inner_text("#count")


def data(page: Page, path: str) -> Any:
    """A part of the page's data, e.g. ``outputEdits``."""
    return page.evaluate(f"gecval.data.{path}")


def column(page: Page, table: str, number: int) -> list[str]:
    """The texts of a column of a table, counted from 1; from −1 on, from the right."""
    if number < 0:
        return [
            text.strip() for text in page.locator(f"{table} tbody tr > :nth-last-child({-number})").all_inner_texts()
        ]
    return [text.strip() for text in page.locator(f"{table} tbody tr > :nth-child({number})").all_inner_texts()]
