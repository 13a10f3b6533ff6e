"""Pages in Debian's Chromium, driven by Playwright. Every page that a test opens is watched: no request may leave the
file, and nothing may be complained about on the console."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.boards import NEEDED, WAIT, Board
from gecval.sample import load_sample
from gecval.stats import Resampling
from gecval.studies.report.page import write_page
from gecval.studies.report.result import Overview
from gecval.studies.report.study import overview

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
METRICS = ("m2", "errant", "gleu")
READY_MS = 60_000  # a page that is not drawn by then never will be

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for each file of tests: Playwright's event loop runs in this thread as long as it is open, and tests in
    other files, which the same process may run next, start loops of their own."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Open a report: ``open_page(path, "metric=1", width=380, dark=True)``."""
    complaints: list[str] = []
    contexts = []

    def opened(path: Path, choices: str = "", *, width: int = 1400, dark: bool = False, **options: Any) -> Page:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith(("file:", "blob:")) or complaints.append(request.url))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(path.as_uri() + (f"#{choices}" if choices else ""))
        page.wait_for_selector("html[data-ready]", timeout=READY_MS)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def sample() -> Overview:
    corpus, systems = load_sample()
    return overview(corpus, systems, METRICS, confidence=Resampling(200))


@pytest.fixture(scope="session")
def sample_page(sample: Overview, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on the sample corpus."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_page(sample, path, title="Sample corpus", corpus="Learners", date="2026-01-31")
    return path


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    if not NEEDED:
        pytest.skip("the board needs gecval[board]")
    running = Board(tmp_path_factory.mktemp("board"))
    yield running
    running.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A new person at a browser. Complaints of the console and requests to other hosts fail the test."""
    complaints: list[str] = []
    contexts = []

    def opened(*, width: int = 1300, dark: bool = False) -> Page:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        ours = ("http://127.0.0.1:", "data:", "blob:")
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", lambda asked: asked.url.startswith(ours) or complaints.append(asked.url))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        return page

    yield opened
    for context in contexts:
        context.close()
    # A form that is refused is answered with 400 or 403, and Chromium says so.
    assert [said for said in complaints if not re.search("status of 40[03]", said)] == []
