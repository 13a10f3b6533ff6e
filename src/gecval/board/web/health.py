"""Whether a board is healthy, for those who watch it. The answer must not wait for anything that readers wait for."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import Future
from pathlib import Path
from threading import Lock, Thread

from sqlalchemy import text

from gecval.board.clock import now
from gecval.board.database.session import Database

FULL = "the disk is full"
DOWN = "the database does not answer"
FULL_SECONDS = 60.0  # for which it is full after something could not be stored
MIN_FREE = 50_000_000  # bytes on the disk of the board's folder
PATIENCE = 10.0  # seconds that the database may take


class Health:
    """Asks the database in a thread of its own, once at a time: who asks meanwhile gets the same answer."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder
        self._full_until = 0.0
        self._asked: Future[str] | None = None
        self._lock = Lock()

    def report_full(self) -> None:
        """Something could not be stored."""
        self._full_until = now() + FULL_SECONDS

    async def find_trouble(self) -> str:
        """What is wrong; empty where nothing is."""
        if self._full_until > now():
            return FULL
        try:
            return await asyncio.wait_for(asyncio.wrap_future(self._ask()), PATIENCE)
        except asyncio.TimeoutError:
            return DOWN

    def _ask(self) -> Future[str]:
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                self._asked.set_running_or_notify_cancel()  # who gives up does not take the answer from others
                Thread(target=self._answer, args=(self._asked,), daemon=True).start()
            return self._asked

    def _answer(self, asked: Future[str]) -> None:
        try:
            full = shutil.disk_usage(self.folder).free < MIN_FREE
            with self.database.read() as session:
                session.execute(text("SELECT 1"))
            asked.set_result(FULL if full else "")
        except Exception:
            asked.set_result(DOWN)
