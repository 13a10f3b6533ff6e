"""Take the pictures of pages: ``python docs/pictures/report.py report.html card.html``.

The report is the page that the first command of docs/report.md writes, the card that of ``gecval validate -m gleu
--sample``. Pictures for README.md come light and dark. Needs Playwright and Debian's Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from gecval import load_sample, metric, score
from gecval.metrics.base import find_proper_names
from gecval.results.chart_files import to_svg
from gecval.studies.scores.charts import score_chart

FOLDER = Path(__file__).parent
DARK = {False: "", True: "-dark"}


class Picture(NamedTuple):
    """A part of a page, from its upper left corner on, in pixels; ``choices`` are what the reader has chosen."""

    name: str
    choices: str
    part: str
    width: int
    height: int
    dark: bool = False


OF_REPORT = [
    Picture("report-ranking", "", "body", 1160, 690),
    Picture("report-ranking", "", "body", 1160, 690, dark=True),
    Picture("report-pair", "a=0&b=1", "#pair", 900, 430),
    Picture("report-sentences", "shown=0.2&max=15", "#sentences", 900, 520),
]
OF_CARD = [Picture("card", "", "body", 1160, 790), Picture("card", "", "body", 1160, 790, dark=True)]


def main(report: Path, card: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for path, pictures in ((report, OF_REPORT), (card, OF_CARD)):
            for picture in pictures:
                take(browser, path, picture)
        browser.close()
    corpus, systems = load_sample()
    metrics = [metric(name) for name in ("m2", "errant", "gleu")]
    scores = score(corpus, systems, metrics, confidence=True, clusters=True)
    names = find_proper_names(metrics)
    for dark, ending in DARK.items():
        (FOLDER / f"leaderboard{ending}.svg").write_text(to_svg(score_chart(scores, names), dark=dark), "utf-8")


def take(browser: Browser, path: Path, picture: Picture) -> None:
    scheme = "dark" if picture.dark else "light"
    page = browser.new_page(viewport={"width": 1160, "height": picture.height}, color_scheme=scheme)
    page.goto(f"{path.resolve().as_uri()}#{picture.choices}")
    page.wait_for_selector("html[data-ready]" if picture in OF_REPORT else "main")
    page.evaluate("(part) => document.querySelector(part).scrollIntoView()", picture.part)
    page.evaluate("document.getElementById('filters-on')?.style.setProperty('display', 'none')")  # it would be cut
    left = max(0, page.locator(picture.part).bounding_box()["x"] - 12)
    clip = {"x": left, "y": 0, "width": min(picture.width, 1160 - left), "height": picture.height}
    page.screenshot(path=FOLDER / f"{picture.name}{DARK[picture.dark]}.png", clip=clip)
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
