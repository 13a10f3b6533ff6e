"""A board without a network: FastAPI's test client, people who are logged in, and a worker that works when told."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi.testclient import TestClient
from sqlalchemy import select

from board import making
from gecval.board.database.models import User
from gecval.board.database.session import Database
from gecval.board.settings import Settings
from gecval.board.web.app import make_app
from gecval.board.worker import Worker

ORIGIN = "http://localhost"


@dataclass
class Served:
    """An organiser ``olga``, participants ``anna`` and ``ben`` with a team each, and whoever else a test makes."""

    database: Database
    settings: Settings

    def __post_init__(self) -> None:
        self.app = make_app(self.settings, self.database)
        with self.database.write() as session:
            making.user(session, self.settings, "olga", "organiser")
            for name in ("anna", "ben"):
                making.participant(session, self.settings, name)

    def browser(self, name: str = "") -> Browser:
        browser = Browser(TestClient(self.app, base_url=ORIGIN, follow_redirects=False, raise_server_exceptions=True))
        if name:
            answer = browser.send("/login", {"name": name, "password": making.PASSWORD}, form="/login")
            assert answer.status_code == 303, answer.text
        return browser

    def work(self) -> int:
        """Score all that waits."""
        worker, count = Worker(self.database, self.settings), 0
        while worker.work():
            count += 1
        return count

    def benchmark(self, **rules) -> str:
        with self.database.write() as session:
            olga = session.scalar(select(User).where(User.name == "olga"))
            return making.benchmark(session, self.settings, olga, **rules).address


@dataclass
class Browser:
    """Sends forms as a browser does: with the token of the page that shows the form."""

    client: TestClient

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:2000])
        return answer.text

    def token(self, page: str) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.client.get(page).text)
        assert found, f"{page} has no form"
        return found[1]

    def send(self, path: str, data: dict[str, object], *, form: str = "/account", files=None):
        return self.client.post(path, data={"csrf": self.token(form), **data}, files=files)

    def submit(self, address: str, *, text: str = making.GOOD, system: str = "mine", name: str = "mine.txt", **sheet):
        page = f"/b/{address}/submit"
        return self.send(
            page, {"system": system, **sheet}, form=page, files={"file": (name, text.encode(), "text/plain")}
        )
