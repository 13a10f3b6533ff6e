"""A board in a browser: sign up, make a benchmark, upload, see the leaderboard; no request leaves the host.

Every page is looked at wide and phone-narrow, light and dark: nothing is wider than the window, and axe-core finds no
serious fault.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if not all(map(find_spec, ("fastapi", "sqlalchemy", "uvicorn", "argon2"))):
    pytest.skip("the board needs gecval[board]", allow_module_level=True)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SOURCE = "He go to home .\nShe like apple .\nFine .\nI has two cat .\n"
REFERENCE = "He goes home .\nShe likes apples .\nFine .\nI have two cats .\n"
PASSWORD = "correct horse battery"
HTML = "<b onclick=alert(1)>bold</b>"
WAIT = 60_000  # milliseconds: a board that has not answered by then never will


class Board:
    """A board in this process: a server thread and a worker thread."""

    def __init__(self, folder: Path) -> None:
        import uvicorn

        from gecval.board import accounts
        from gecval.board.database import open_database
        from gecval.board.settings import Settings
        from gecval.board.web.app import make_app
        from gecval.board.worker import Worker

        settings = Settings(data=folder, password_cost=1, open_signup=True, poll=0.1)
        self.database = open_database(settings.url)
        with self.database.write() as session:
            link = accounts.first_link(session)
        config = uvicorn.Config(make_app(settings, self.database), port=0, log_config=None)
        self.server = uvicorn.Server(config)
        self.worker = Worker(self.database, settings)
        self.threads = [threading.Thread(target=run, daemon=True) for run in (self.server.run, self.worker.run)]
        for thread in self.threads:
            thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.address = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"
        self.link = f"{self.address}/join/{link}"

    def close(self) -> None:
        self.server.should_exit = True
        self.worker.stopping.set()
        for thread in self.threads:
            thread.join(30)
        self.database.close()


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    running = Board(tmp_path_factory.mktemp("board"))
    yield running
    running.close()


@pytest.fixture
def new_page(browser: Browser, board: Board) -> Iterator:
    """A new person at a browser. Complaints of the console and requests to other hosts fail the test."""
    complaints: list[str] = []
    contexts = []

    def opened(*, width: int = 1300, dark: bool = False) -> Page:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", lambda asked: asked.url.startswith((board.address, "data:")) or complaints.append(asked.url))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        return page

    yield opened
    for context in contexts:
        context.close()
    # A form that is refused is answered with 400, and Chromium says so.
    assert [said for said in complaints if "status of 400" not in said] == []


def test_from_the_first_link_to_the_leaderboard(board: Board, new_page, tmp_path: Path) -> None:
    for name, text in {"src.txt": SOURCE, "ref.txt": REFERENCE, "mine.txt": REFERENCE, "bad.txt": "one\n"}.items():
        (tmp_path / name).write_text(text)
    olga = new_page()
    olga.goto(board.link)
    olga.fill("[name=name]", "olga")
    olga.fill("[name=password]", PASSWORD)
    olga.click("text=Make the account")
    olga.click("text=New benchmark")
    olga.fill("[name=name]", "Four sentences")
    olga.fill("[name=about]", HTML)
    olga.set_input_files("[name=source]", tmp_path / "src.txt")
    olga.set_input_files("[name=public]", tmp_path / "ref.txt")
    olga.fill("[name=metrics]", "gleu, accuracy")
    olga.click("text=Make the benchmark")
    olga.wait_for_url("**/b/four-sentences")

    anna = new_page()
    anna.goto(f"{board.address}/signup")
    # The keyboard alone: tab through the form, type, press Enter.
    anna.focus("[name=name]")
    anna.keyboard.type("anna")
    anna.keyboard.press("Tab")
    anna.keyboard.type(PASSWORD)
    anna.keyboard.press("Tab")
    anna.keyboard.type("team anna")
    anna.keyboard.press("Enter")
    anna.wait_for_selector("text=Log out")
    anna.goto(f"{board.address}/b/four-sentences/submit")
    anna.set_input_files("[name=file]", tmp_path / "bad.txt")
    anna.click("main >> button.main")
    assert "bad.txt has 1 lines, src.txt 4" in anna.inner_text("[role=alert]")
    anna.fill("[name=system]", "")
    anna.set_input_files("[name=file]", tmp_path / "mine.txt")
    assert anna.input_value("[name=system]") == "mine"
    anna.fill("[name=data]", HTML)
    anna.click("main >> button.main")
    anna.wait_for_selector("#status table")  # htmx asks until it is scored
    assert HTML in anna.inner_text("dl")

    visitor = new_page()
    visitor.goto(f"{board.address}/b/four-sentences")
    row = visitor.locator("tr.system")
    assert row.count() == 1
    assert "1.0000" in row.inner_text()
    assert visitor.locator("tr.decoy").count() == 3
    visitor.focus("tr.system summary >> nth=0")
    visitor.keyboard.press("Enter")
    command = visitor.locator("tr.system .command >> nth=0")
    assert command.inner_text() == "gecval score mine.txt -s src.txt -r ref.txt -m gleu --confidence"
    visitor.keyboard.press("Escape")
    assert not command.is_visible()
    visitor.click("th >> text=accuracy")
    assert visitor.get_attribute("th:has-text('accuracy')", "aria-sort") == "descending"


@pytest.mark.parametrize(("width", "dark"), [(1300, False), (380, True)])
def test_every_page_fits_and_can_be_used_by_all(board: Board, new_page, width: int, dark: bool) -> None:
    page = new_page(width=width, dark=dark)
    page.goto(f"{board.address}/login")
    page.fill("[name=name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main >> button.main")
    page.wait_for_selector("text=Log out")
    there = f"{board.address}/b/four-sentences"
    page.goto(there)
    system = page.get_attribute("tr.system th a", "href").partition("?")[0]
    decoy = page.get_attribute("tr.decoy th a", "href").partition("?")[0].rpartition("/")[2]
    paths = ["/", "/new", "/people", "/audit", "/account", "/b/four-sentences", "/b/four-sentences/settings"]
    paths += ["/b/four-sentences/changes", system, f"{system}/sentences", f"{system}/against?other={decoy}"]
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    faults = []
    for path in paths:
        page.goto(board.address + path)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{path} is wider than {width} pixels")
        for fault in axe.run(page).response["violations"]:
            if fault["impact"] in ("serious", "critical"):
                faults.append(f"{path}: {fault['id']}: {fault['nodes'][0]['html'][:200]}")
    assert faults == []
