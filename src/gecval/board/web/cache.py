"""Leaderboards for readers without a log-in, rendered and compressed once for as long as nothing changes.

What may change a page leaves a trace: an entry in the audit log, or a job that is done or given up. Two small queries
tell whether there is a new trace, in whatever process it was made. Phases open and close by the clock, so a page holds
for a few seconds at most. While one reader waits for the new page, the others get the last one, unless it is too old.
"""

from __future__ import annotations

import gzip
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from fastapi import Request
from fastapi.responses import HTMLResponse
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.clock import now
from gecval.board.database.models import AuditEntry
from gecval.board.web.asking import Asked

MOST = 64  # pages
SECONDS = 5.0  # after which a page is made again
OLDEST = 30.0  # seconds: an older one is shown to nobody


@dataclass(frozen=True)
class Kept:
    """A page, as it was when ``trace`` was the last one. It holds no secret, so that it may be compressed."""

    body: bytes
    compressed: bytes
    trace: tuple[object, ...]
    made: float

    def answer(self, request: Request) -> HTMLResponse:
        taken = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
        if "gzip" not in taken:
            return HTMLResponse(self.body, headers={"Vary": "Accept-Encoding"})
        return HTMLResponse(self.compressed, headers={"Vary": "Accept-Encoding", "Content-Encoding": "gzip"})


@dataclass
class PageCache:
    """The last few pages, by their addresses."""

    _pages: OrderedDict[tuple[str, str], Kept] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def answer(self, asked: Asked, session: Session, make: Callable[[], HTMLResponse]) -> HTMLResponse:
        """The page that ``make`` gives, for somebody who is logged in; for others perhaps an equal one made before."""
        if asked.viewer.user is not None:
            return make()
        key = (asked.request.url.path, asked.request.url.query)
        trace = (*_trace(session), int(now() / SECONDS))
        kept = self._pages.get(key)
        if kept is None or kept.trace != trace:
            kept = self._renewed(key, trace, kept, make)
        return kept.answer(asked.request)

    def _renewed(
        self, key: tuple[str, str], trace: tuple[object, ...], last: Kept | None, make: Callable[[], HTMLResponse]
    ) -> Kept:
        """Of many who ask at once, one computes."""
        too_old = last is None or time.monotonic() - last.made > OLDEST
        if not self._lock.acquire(blocking=too_old):
            assert last is not None
            return last
        try:
            kept = self._pages.get(key)
            if kept is None or kept.trace != trace:
                body = bytes(make().body)
                kept = self._pages[key] = Kept(body, gzip.compress(body, 6, mtime=0), trace, time.monotonic())
                self._pages.move_to_end(key)
                while len(self._pages) > MOST:
                    self._pages.popitem(last=False)
            return kept
        finally:
            self._lock.release()


def _trace(session: Session) -> tuple[object, ...]:
    last = session.scalar(select(func.max(AuditEntry.id)))
    states = queue.waiting(session)
    unfinished = states.pop("queued", 0) + states.pop("leased", 0)  # a page does not tell one from the other
    return last, unfinished, tuple(sorted(states.items()))
