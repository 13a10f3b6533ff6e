"""Take the pictures of docs/report.md: ``python docs/pictures/report.py report.html``.

They are parts of the page that the first command of docs/report.md writes. Needs Playwright and Debian's Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
# Name of the picture, what the reader has chosen, the part that is shown, and the picture's width and height in pixels.
PICTURES = [
    ("report-ranking.png", "", "body", 1160, 640),
    ("report-sentences.png", "shown=0.2&max=15", "#sentences", 900, 520),
]


def main(report: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, choices, part, width, height in PICTURES:
            page = browser.new_page(viewport={"width": 1160, "height": height})
            page.goto(f"{report.resolve().as_uri()}#{choices}")
            page.wait_for_selector("html[data-ready]")
            page.evaluate("(part) => document.querySelector(part).scrollIntoView()", part)
            left = page.locator(part).bounding_box()["x"]
            page.screenshot(path=FOLDER / name, clip={"x": max(0, left - 12), "y": 0, "width": width, "height": height})
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
