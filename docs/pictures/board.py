"""Take the pictures of docs/board.md: ``python docs/pictures/board.py ADDRESS PASSWORD`` of a ``gecval demo --board``.

``python docs/pictures/board.py ADDRESS/b/BENCHMARK`` takes that of the preset ``no-comparison``, once the outputs
of CoNLL-2014 are scored. Needs Playwright and Debian's Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent


def main(address: str, password: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1080, "height": 900})
        page.goto(f"{address}/b/the-sample-corpus")
        _take(page, "board-leaderboard", height=720)
        page.goto(f"{address}/login")
        page.fill("[name=name]", "demo")
        page.fill("[name=password]", password)
        page.click("main >> button.main")
        page.wait_for_selector("text=Log out")
        page.goto(f"{address}/campaigns")
        page.click("main >> text=Your turn")
        page.wait_for_selector("[data-judging]")
        for key in ("e", "1", "1", "3"):
            page.keyboard.press(key)
        _take(page, "board-judge", height=830)
        browser.close()


def take_preset(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        page.goto(address)
        # All columns: nobody can scroll in a picture.
        page.eval_on_selector("main", "main => main.style.maxWidth = 'none'")
        _take(page, "board-no-comparison", height=1450)
        browser.close()


def _take(page: Page, name: str, *, height: int) -> None:
    page.set_viewport_size({"width": (page.viewport_size or {"width": 1080})["width"], "height": height})
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    (take_preset if len(sys.argv) == 2 else main)(*sys.argv[1:])
