"""A benchmark: its leaderboard, its files, and the scores that changed."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.access import Viewer, list_campaigns
from gecval.board.allowed_metrics import explain_metric
from gecval.board.benchmark_data import load_sources
from gecval.board.benchmarks import find_open_phase
from gecval.board.campaign_results import compute_results
from gecval.board.clock import now
from gecval.board.database.models import AuditEntry, Benchmark, Job, Submission, System, Version
from gecval.board.database.storage import read_file
from gecval.board.errors import NotFoundError
from gecval.board.leaderboard import Leaderboard, list_changes, make_leaderboard
from gecval.board.public_scores import choose_digits
from gecval.board.queue import count_waiting
from gecval.board.web.rendering import MASTHEAD, file_response, list_csv_rows, write_csv
from gecval.board.web.request import Page, RequestContext, find_phase, find_version
from gecval.board.web.security import Piece, page_response

reading = APIRouter()


@reading.get("/b/{address}")
def show(context: Page, address: str, sort: str = "", version: int = 0, phase: str = "") -> Response:
    with context.read_benchmark(address) as (session, benchmark):

        def make() -> str:
            chosen, during = find_version(benchmark, version), find_phase(benchmark, phase)
            board = make_leaderboard(session, context.viewer, chosen, during, sort, context.scores)
            campaigns = list_campaigns(session, context.viewer, benchmark)
            closed = [row for row in campaigns if row.closed is not None and row.version_id == chosen.id]
            found = compute_results(session, context.viewer, closed[0]) if closed and not board.blind else None
            return context.render(
                "leaderboard.html",
                shared=True,
                benchmark=benchmark,
                version=chosen,
                phase=during,
                board=board,
                bars=make_bars(board),
                open_phase=find_open_phase(benchmark, now()),
                waiting=count_waiting(session, benchmark),
                campaigns=campaigns,
                judged=closed[0] if closed else None,
                judged_result=found.result if found else None,
                agreement=[row for row in found.correlations if row.target == "expected-wins"] if found else [],
                digits=choose_digits(context.viewer, chosen),
                metrics=[explain_metric(metric) for metric in chosen.metrics],
                moment=now(),
            )

        return find_shared(context, session, benchmark, make).answer(context)


def make_card(context: RequestContext, session: Session, benchmark: Benchmark) -> str:
    """What the first page says of a benchmark: what it is, until when it is open, how many systems, who leads."""

    def make() -> str:
        version, phase = benchmark.versions[-1], find_phase(benchmark)
        board = make_leaderboard(session, context.viewer, version, phase, "", context.scores)
        ranked = [line for line in board.lines if line.decoy is None and board.sort in line.cells]
        rivals = [line for line in ranked[1:] if (line.cells[board.sort].ranks or (0, 0))[0] == 1]
        return context.render(
            "card.html",
            benchmark=benchmark,
            version=version,
            phase=phase,
            board=board,
            leader=ranked[0] if ranked else None,
            systems=len([line for line in board.lines if line.decoy is None]),
            rivals=len(rivals),
            digits=choose_digits(context.viewer, version),
            open_phase=find_open_phase(benchmark, now()),
            moment=now(),
        )

    return find_shared(context, session, benchmark, make, card=True).before.content.decode()


@reading.get("/b/{address}/leaderboard.csv")
def as_csv(context: Page, address: str, version: int = 0, phase: str = "") -> Response:
    with context.read_benchmark(address) as (session, benchmark):

        def make() -> str:
            chosen, during = find_version(benchmark, version), find_phase(benchmark, phase)
            board = make_leaderboard(session, context.viewer, chosen, during, "", context.scores)
            return write_csv(list_csv_rows(board))

        shared = find_shared(context, session, benchmark, make)
    return file_response(shared.before.content, f"{benchmark.slug}.csv", "text/csv")


@reading.get("/b/{address}/files/{name}")
def file(context: Page, address: str, name: str, version: int = 0) -> Response:
    """The source and the references that are offered, for whoever may see the benchmark; others for organisers."""
    with context.read_benchmark(address) as (session, benchmark):
        chosen = find_version(benchmark, version)
        return file_response(_read_public_file(session, context, chosen, name), name)


@reading.get("/b/{address}/changes")
def changes(context: Page, address: str) -> Response:
    with context.read_benchmark(address) as (session, benchmark):

        def make() -> str:
            listed = list_changes(session, context.viewer, benchmark)
            return context.render("changes.html", shared=True, benchmark=benchmark, changes=listed)

        return find_shared(context, session, benchmark, make).answer(context)


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


# Where the interval bars of a leaderboard begin and end, in units of a drawing that all of them share. The axis reaches
# over the intervals of systems; a decoy beyond it has no bar.


BAR_WIDTH, MARGIN, MAX_TICKS = 176, 12, 4


@dataclass(frozen=True)
class Bar:
    start: float
    width: float
    point: float


@dataclass(frozen=True)
class Bars:
    """A bar for every line, by its submission; and the ticks of the axis with their places."""

    of: dict[str, Bar]
    ticks: tuple[tuple[float, str], ...]


def make_bars(board: Leaderboard) -> Bars:
    """Bars of all lines that have a score under the metric that the leaderboard is sorted by."""
    scores = {line.submission_id: cell.score for line in board.lines if (cell := line.cells.get(board.sort))}
    ranked = {line.submission_id for line in board.lines if line.decoy is None} & scores.keys()
    ends = [
        end
        for key in ranked or scores
        for end in (scores[key].low, scores[key].high, scores[key].score)
        if end is not None
    ]
    if not ends or max(ends) == min(ends):
        return Bars({}, ())
    low, span = min(ends), max(ends) - min(ends)

    def place(value: float) -> float:
        return round(MARGIN + (BAR_WIDTH - 2 * MARGIN) * min(1.0, max(0.0, (value - low) / span)), 2)

    bars = {
        key: Bar(
            start=place(score.score if score.low is None else score.low),
            width=round(0 if score.low is None or score.high is None else place(score.high) - place(score.low), 2),
            point=place(score.score),
        )
        for key, score in scores.items()
        if low <= score.score <= low + span
    }
    return Bars(bars, tuple((place(tick), text) for tick, text in list_ticks(low, low + span)))


def list_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers from ``low`` to ``high``, as few as tell where one is.

    >>> [text for _, text in list_ticks(0.0, 1.0)], [text for _, text in list_ticks(-35.0, 61.0)]
    (['0.0', '0.5', '1.0'], ['0', '50'])
    >>> [text for _, text in list_ticks(0.18, 0.99)], [text for _, text in list_ticks(0.3412, 0.3533)]
    (['0.2', '0.4', '0.6', '0.8'], ['0.345', '0.350'])
    """
    size = 10.0 ** math.floor(math.log10(high - low))
    steps = [size * part for part in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)]
    step = next(step for step in steps if math.floor(high / step) - math.ceil(low / step) < MAX_TICKS)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(number * step, f"{number * step:.{digits}f}") for number in numbers]


# What many readers get alike: leaderboards, as a page, CSV and JSON, and what changed. It is made once for organisers
# and once for all others, for as long as nothing changes. What is personal, the head of a page, is added.
#
# What may change it leaves a trace: an entry in the audit log, a job that is done or given up, a phase that opens or
# closes. Small queries show whether there is a new trace, in whatever process it was made. To be safe, all is valid for
# a few seconds at most. While one reader waits for the new page, others get the last one, unless that is too old, a
# phase has changed since, or they changed something themselves: who submits sees it at once.


PERSONAL = ("log in", "change password", "make token", "revoke token")  # actions that change no page of others
MAX_PAGES, MAX_CARDS = 64, 2000
FRESH_SECONDS = 5.0  # after which a page is made again
MAX_AGE = 30.0  # seconds: an older page is shown to nobody
CLOCKS = 5.0  # seconds by which the clocks of workers may differ


@dataclass(frozen=True)
class SharedText:
    """A text, as it was when ``trace`` was the last one; a page is cut in two where its head belongs."""

    before: Piece
    after: Piece | None
    trace: tuple[object, ...]
    asked: float  # when whoever had it made looked for traces
    moment: float = 0.0  # the same, by the clock
    entry: int = 0  # the last of the audit log

    def answer(self, context: RequestContext) -> HTMLResponse:
        """The page for this viewer."""
        if self.after is None:
            return page_response(context.request, [self.before])
        head = Piece.of(context.render("masthead.html").encode(), secret=True)
        return page_response(context.request, [self.before, head, self.after])


def find_shared(
    context: RequestContext, session: Session, benchmark: Benchmark, make: Callable[[], str], *, card: bool = False
) -> SharedText:
    """What ``make`` gives for this address, or what it gave before, to a viewer who may see as much.

    The first page shows the ``card`` of every benchmark at once, so cards have a cache of their own.
    """
    state = context.request.app.state
    pages: PageCache = state.cards if card else state.pages
    viewer, url, moment, asked = context.viewer, context.request.url, now(), time.monotonic()
    phases = tuple(
        (phase.id, phase.blind, phase.opens <= moment, phase.closes is not None and phase.closes <= moment)
        for phase in benchmark.phases
    )

    def cut(trace: tuple[object, ...]) -> SharedText:
        before, mark, after = make().partition(MASTHEAD)
        return SharedText(
            Piece.of(before.encode()), Piece.of(after.encode()) if mark else None, trace, asked, moment, entry
        )

    def is_patient(last: SharedText) -> bool:
        return phases != last.trace[0] or _has_changed(session, viewer, benchmark, last)

    entry, states = _find_last_entry(session), queue.count_by_state(session)
    unfinished = states.pop("queued", 0) + states.pop("leased", 0)  # a page shows both alike
    trace = (phases, entry, unfinished, *sorted(states.items()), int(moment / FRESH_SECONDS))
    key = (benchmark.id, "", viewer.organiser) if card else (url.path, url.query, viewer.organiser)
    return pages.find(key, trace, cut, asked=asked, is_patient=is_patient)


Key = tuple[str, str, bool]  # path, query, and whether it is for organisers


@dataclass
class PageCache:
    """The last few texts, by their addresses."""

    size: int = MAX_PAGES
    _pages: OrderedDict[Key, SharedText] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def find(
        self,
        key: Key,
        trace: tuple[object, ...],
        make: Callable[[tuple[object, ...]], SharedText],
        *,
        asked: float,
        is_patient: Callable[[SharedText], bool],
    ) -> SharedText:
        """The text of a key. Who is patient waits while another makes a new one; else they get the last."""
        page = self._pages.get(key)
        if page is None or page.trace != trace:
            page = self._renew(key, trace, page, make, asked=asked, is_patient=is_patient)
        return page

    def _renew(
        self,
        key: Key,
        trace: tuple[object, ...],
        last: SharedText | None,
        make: Callable[[tuple[object, ...]], SharedText],
        *,
        asked: float,
        is_patient: Callable[[SharedText], bool],
    ) -> SharedText:
        """Of many who ask at once, one computes. Who waited takes what was asked for later: it is newer than theirs."""
        if not self._lock.acquire(blocking=False):
            if last is not None and time.monotonic() - last.asked <= MAX_AGE and not is_patient(last):
                return last
            self._lock.acquire()
        try:
            page = self._pages.get(key)
            if page is None or (page.trace != trace and page.asked < asked):
                page = self._pages[key] = make(trace)
                self._pages.move_to_end(key)
                while len(self._pages) > self.size:
                    self._pages.popitem(last=False)
            return page
        finally:
            self._lock.release()


def _has_changed(session: Session, viewer: Viewer, benchmark: Benchmark, page: SharedText) -> bool:
    """Whether a viewer, or the scoring of their submissions, may have changed something since a page was made."""
    if viewer.user is None:
        return False
    own = select(AuditEntry.id).where(AuditEntry.id > page.entry, AuditEntry.actor == viewer.name)
    if session.scalar(own.where(AuditEntry.action.not_in(PERSONAL)).limit(1)) is not None:
        return True
    jobs = select(Job.id).join(Submission, Submission.id == Job.submission_id).join(System)
    jobs = jobs.where(System.benchmark_id == benchmark.id, System.team_id.in_(viewer.teams))
    return session.scalar(jobs.where(Job.finished >= page.moment - CLOCKS).limit(1)) is not None


def _find_last_entry(session: Session) -> int:
    """The last entry of the audit log that may change a page of others; 0 where there is none."""
    entries = select(AuditEntry.id).where(AuditEntry.action.not_in(PERSONAL)).order_by(AuditEntry.id.desc())
    return session.scalar(entries.limit(1)) or 0
