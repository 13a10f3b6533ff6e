"""A benchmark: its leaderboard, its files, and the scores that changed."""

from __future__ import annotations

import gzip
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.access import list_campaigns
from gecval.board.benchmark_data import load_sources
from gecval.board.benchmarks import find_open_phase
from gecval.board.campaign_results import compute_results
from gecval.board.clock import now
from gecval.board.database.models import AuditEntry, Version
from gecval.board.database.storage import read_file
from gecval.board.errors import NotFoundError
from gecval.board.leaderboard import Leaderboard, list_changes, make_leaderboard
from gecval.board.public_scores import shown_digits
from gecval.board.queue import count_waiting
from gecval.board.web.rendering import csv_response, file_response, list_csv_rows
from gecval.board.web.request import Page, RequestContext, find_phase, find_version

reading = APIRouter()


@reading.get("/b/{address}")
def show(context: Page, address: str, sort: str = "", version: int = 0, phase: str = "") -> Response:
    with context.read_benchmark(address) as (session, benchmark):

        def made() -> HTMLResponse:
            chosen, during = find_version(benchmark, version), find_phase(benchmark, phase)
            board = make_leaderboard(session, context.viewer, chosen, during, sort)
            campaigns = list_campaigns(session, context.viewer, benchmark)
            closed = [row for row in campaigns if row.closed is not None and row.version_id == chosen.id]
            agreement = (
                compute_results(session, context.viewer, closed[0]).correlations if closed and not board.blind else ()
            )
            return context.page(
                "leaderboard.html",
                benchmark=benchmark,
                version=chosen,
                phase=during,
                board=board,
                bars=make_bars(board),
                open_phase=find_open_phase(benchmark, now()),
                waiting=count_waiting(session, benchmark),
                campaigns=campaigns,
                judged=closed[0] if closed else None,
                agreement=[row for row in agreement if row.target == "expected-wins"],
                digits=shown_digits(context.viewer, chosen),
            )

        pages: PageCache = context.request.app.state.pages
        return pages.answer(context, session, made)


@reading.get("/b/{address}/leaderboard.csv")
def as_csv(context: Page, address: str, version: int = 0, phase: str = "") -> Response:
    with context.read_benchmark(address) as (session, benchmark):
        board = make_leaderboard(
            session, context.viewer, find_version(benchmark, version), find_phase(benchmark, phase)
        )
    return csv_response(list_csv_rows(board), f"{benchmark.slug}.csv")


@reading.get("/b/{address}/files/{name}")
def file(context: Page, address: str, name: str, version: int = 0) -> Response:
    """The source and the references that are offered, for whoever may see the benchmark; others for organisers."""
    with context.read_benchmark(address) as (session, benchmark):
        chosen = find_version(benchmark, version)
        return file_response(_read_public_file(session, context, chosen, name), name)


@reading.get("/b/{address}/changes")
def changes(context: Page, address: str) -> Response:
    with context.read_benchmark(address) as (session, benchmark):
        listed = list_changes(session, context.viewer, benchmark)
        return context.page("changes.html", benchmark=benchmark, changes=listed)


def _read_public_file(session: Session, context: RequestContext, version: Version, name: str) -> bytes:
    if name == version.source_file:
        if version.source:
            return read_file(session, version.source)
        sources = load_sources(session, version).sources
        return "".join(f"{sentence}\n" for sentence in sources).encode("utf-8")
    for reference in version.references:
        if reference.name == name and (context.viewer.organiser or (version.offered and not reference.hidden)):
            return read_file(session, reference.blob)
    raise NotFoundError("there is no such file")


# Where the interval bars of a leaderboard begin and end, in percent of the width that all of them share.


@dataclass(frozen=True)
class Bar:
    start: float
    width: float
    point: float


def make_bars(board: Leaderboard) -> dict[str, Bar]:
    """A bar for every line that has a score under the metric that the leaderboard is sorted by."""
    scores = {line.submission_id: cell.score for line in board.lines if (cell := line.cells.get(board.sort))}
    ends = [end for score in scores.values() for end in (score.low, score.high, score.score) if end is not None]
    if not ends or max(ends) == min(ends):
        return {}
    low, span = min(ends), max(ends) - min(ends)

    def place(value: float) -> float:
        return round(2 + 96 * (value - low) / span, 2)

    return {
        key: Bar(
            start=place(score.score if score.low is None else score.low),
            width=round(0 if score.low is None or score.high is None else place(score.high) - place(score.low), 2),
            point=place(score.score),
        )
        for key, score in scores.items()
    }


# Leaderboards for readers without a log-in, rendered and compressed once for as long as nothing changes.
#
# What may change a page leaves a trace: an entry in the audit log, or a job that is done or given up. Two small queries
# show whether there is a new trace, in whatever process it was made. Phases open and close by the clock, so a page is
# valid for a few seconds at most. While one reader waits for the new page, the others get the last one, unless that is
# too old.


MAX_PAGES = 64
FRESH_SECONDS = 5.0  # after which a page is made again
MAX_AGE = 30.0  # seconds: an older page is shown to nobody


@dataclass(frozen=True)
class CachedPage:
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

    _pages: OrderedDict[tuple[str, str], CachedPage] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def answer(self, context: RequestContext, session: Session, make: Callable[[], HTMLResponse]) -> HTMLResponse:
        """The page that ``make`` gives. Without a log-in, it may be an equal page that was made before."""
        if context.viewer.user is not None:
            return make()
        key = (context.request.url.path, context.request.url.query)
        trace = (*_last_trace(session), int(now() / FRESH_SECONDS))
        page = self._pages.get(key)
        if page is None or page.trace != trace:
            page = self._renew(key, trace, page, make)
        return page.answer(context.request)

    def _renew(
        self, key: tuple[str, str], trace: tuple[object, ...], last: CachedPage | None, make: Callable[[], HTMLResponse]
    ) -> CachedPage:
        """Of many who ask at once, one computes."""
        too_old = last is None or time.monotonic() - last.made > MAX_AGE
        if not self._lock.acquire(blocking=too_old):
            assert last is not None
            return last
        try:
            page = self._pages.get(key)
            if page is None or page.trace != trace:
                body = bytes(make().body)
                page = self._pages[key] = CachedPage(body, gzip.compress(body, 6, mtime=0), trace, time.monotonic())
                self._pages.move_to_end(key)
                while len(self._pages) > MAX_PAGES:
                    self._pages.popitem(last=False)
            return page
        finally:
            self._lock.release()


def _last_trace(session: Session) -> tuple[object, ...]:
    last = session.scalar(select(func.max(AuditEntry.id)))
    states = queue.count_by_state(session)
    unfinished = states.pop("queued", 0) + states.pop("leased", 0)  # a page shows both alike
    return last, unfinished, tuple(sorted(states.items()))
