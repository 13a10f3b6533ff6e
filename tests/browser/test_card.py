"""A metric's card in a browser: nothing leaves the file, nothing is too wide, axe finds no serious fault."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.test_page_keys import faults
from gecval import validate
from gecval.studies.validate.documents import html

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("card") / "card.html"
    path.write_text(html(validate(["accuracy", "ld"], sample=True, replicates=2)), "utf-8")
    return path


@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_card_is_read_everywhere(browser: Browser, card: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
    page.goto(card.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h2").all_inner_texts() == ["accuracy", "ld"]
    other = "light" if scheme == "dark" else "dark"
    assert page.locator(f".chart .{scheme}").first.is_visible()
    assert not page.locator(f".chart .{other}").first.is_visible()
    assert faults(page) == []
    assert complaints == []
    context.close()
