"""For those who operate a board: is it well, and how is it doing."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from sqlalchemy import func, select, text

from gecval.board import queue
from gecval.board.clock import now
from gecval.board.database.entries import State
from gecval.board.database.models import Benchmark, Job, Submission, User
from gecval.board.software import SOFTWARE
from gecval.report.page.page import theme_css

router = APIRouter()
STATES: tuple[State, ...] = ("queued", "leased", "done", "failed", "cancelled")


@router.get("/healthz")
def healthz(request: Request) -> Response:
    """200 where the database answers."""
    try:
        with request.app.state.database.read() as session:
            session.execute(text("SELECT 1"))
    except Exception:
        return JSONResponse({"status": "the database does not answer"}, status_code=503)
    return JSONResponse({"status": "ok", "gecval": SOFTWARE})


@router.get("/theme.css", include_in_schema=False)
def theme() -> Response:
    """The colours and fonts of reports, for the pages of the board too."""
    return Response(theme_css(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(request: Request) -> Response:
    """Numbers for Prometheus. None of them says anything about a person or a score."""
    with request.app.state.database.read() as session:
        jobs = queue.waiting(session)
        oldest = session.scalar(select(func.min(Job.created)).where(Job.state == "queued"))
        counts = {
            "benchmarks": session.scalar(select(func.count()).select_from(Benchmark)),
            "submissions": session.scalar(select(func.count()).select_from(Submission)),
            "users": session.scalar(select(func.count()).select_from(User)),
        }
        seconds = queue.seconds_per_job(session) or 0.0
    lines = ["# TYPE gecval_jobs gauge"]
    lines += [f'gecval_jobs{{state="{state}"}} {jobs.get(state, 0)}' for state in STATES]
    lines += ["# TYPE gecval_oldest_waiting_seconds gauge"]
    lines += [f"gecval_oldest_waiting_seconds {max(0.0, now() - oldest) if oldest else 0.0:.3f}"]
    lines += ["# TYPE gecval_job_seconds gauge", f"gecval_job_seconds {seconds:.3f}"]
    for name, count in counts.items():
        lines += [f"# TYPE gecval_{name} gauge", f"gecval_{name} {count}"]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4; charset=utf-8")
