"""A benchmark: its leaderboard, its files, and the scores that changed."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from gecval.board import blobs, history
from gecval.board.access import benchmark_at, seen_campaigns
from gecval.board.benchmarks import open_phase
from gecval.board.campaigns.results import results
from gecval.board.clock import now
from gecval.board.database.models import Version
from gecval.board.errors import NotFoundError
from gecval.board.leaderboard import leaderboard
from gecval.board.web.asking import Asked, Page
from gecval.board.web.cache import PageCache
from gecval.board.web.choosing import phase_of, version_of
from gecval.board.web.drawing import bars
from gecval.board.web.files import csv_answer, text_answer

reading = APIRouter()


@reading.get("/b/{address}")
def show(asked: Page, address: str, sort: str = "", version: int = 0, phase: str = "") -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)

        def made() -> HTMLResponse:
            chosen, during = version_of(benchmark, version), phase_of(benchmark, phase)
            board = leaderboard(session, asked.viewer, chosen, during, sort)
            campaigns = seen_campaigns(session, asked.viewer, benchmark)
            closed = [row for row in campaigns if row.closed is not None and row.version_id == chosen.id]
            agreement = results(session, asked.viewer, closed[0]).correlations if closed and not board.blind else ()
            return asked.page(
                "leaderboard.html",
                benchmark=benchmark,
                version=chosen,
                phase=during,
                board=board,
                bars=bars(board),
                open_phase=open_phase(benchmark, now()),
                waiting=history.waiting(session, benchmark),
                campaigns=campaigns,
                judged=closed[0] if closed else None,
                agreement=[row for row in agreement if row.target == "expected-wins"],
                digits=4 if not chosen.hidden or asked.viewer.organiser else chosen.digits,
            )

        pages: PageCache = asked.request.app.state.pages
        return pages.answer(asked, session, made)


@reading.get("/b/{address}/leaderboard.csv")
def as_csv(asked: Page, address: str, version: int = 0, phase: str = "") -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        board = leaderboard(session, asked.viewer, version_of(benchmark, version), phase_of(benchmark, phase))
    return csv_answer(board, f"{benchmark.slug}.csv")


@reading.get("/b/{address}/files/{name}")
def file(asked: Page, address: str, name: str, version: int = 0) -> Response:
    """The source and the public references, for whoever may see the benchmark; hidden ones for organisers."""
    with asked.database.read() as session:
        chosen = version_of(benchmark_at(session, asked.viewer, address), version)
        return text_answer(_content(session, asked, chosen, name), name)


@reading.get("/b/{address}/changes")
def changes(asked: Page, address: str) -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        listed = history.changes(session, asked.viewer, benchmark)
        return asked.page("changes.html", benchmark=benchmark, changes=listed)


def _content(session: Session, asked: Asked, version: Version, name: str) -> bytes:
    if version.source and name == version.source_name:
        return blobs.content(session, version.source)
    for reference in version.references:
        if reference.name == name and (not reference.hidden or asked.viewer.organiser):
            return blobs.content(session, reference.blob)
    raise NotFoundError("there is no such file")
