"""Leaderboards for readers without a log-in, rendered once for as long as nothing changes.

What may change a page leaves a trace: an entry in the audit log, or a job in another state. Two small queries tell
whether there is a new trace, in whatever process it was made. Phases open and close by the clock, so a page holds for a
few seconds at most.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from fastapi.responses import HTMLResponse
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.clock import now
from gecval.board.database.models import AuditEntry
from gecval.board.web.asking import Asked

MOST = 64  # pages
SECONDS = 5.0


@dataclass
class PageCache:
    """The last few pages, each under all that it depends on."""

    _pages: OrderedDict[tuple[object, ...], bytes] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def answer(self, asked: Asked, session: Session, make: Callable[[], HTMLResponse]) -> HTMLResponse:
        """The page that ``make`` gives, for somebody who is logged in; for others perhaps an equal one made before."""
        if asked.viewer.user is not None:
            return make()
        key = (asked.request.url.path, asked.request.url.query, *_trace(session), int(now() / SECONDS))
        body = self._pages.get(key)
        if body is None:
            with self._lock:  # of many who ask at once, one computes
                body = self._pages.get(key)
                if body is None:
                    body = self._pages[key] = bytes(make().body)
                    while len(self._pages) > MOST:
                        self._pages.popitem(last=False)
        return HTMLResponse(body)


def _trace(session: Session) -> tuple[object, ...]:
    last = session.scalar(select(func.max(AuditEntry.id)))
    return last, tuple(sorted(queue.waiting(session).items()))
