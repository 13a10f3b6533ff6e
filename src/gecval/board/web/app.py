"""The application: routes, what errors look like, and the state that requests share."""

from __future__ import annotations

import logging
from importlib.resources import files
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy import func, select
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException

from gecval.board import queue
from gecval.board.clock import now
from gecval.board.database.models import Benchmark, Job, State, Submission, User
from gecval.board.database.session import UNREACHABLE, Database, is_full
from gecval.board.errors import LogInFirstError
from gecval.board.score_cache import ScoreCache
from gecval.board.settings import SOFTWARE, Settings
from gecval.board.sso import Provider
from gecval.board.system_report import Reports
from gecval.board.web import api
from gecval.board.web.health import Health
from gecval.board.web.pages import accounts, benchmark, campaigns, organiser, submissions, system
from gecval.board.web.pages.benchmark import MAX_CARDS, PageCache
from gecval.board.web.request import load_secret, page_context, visitor_context
from gecval.board.web.security import HEADERS, Guard, Hashing
from gecval.errors import InputError
from gecval.studies.report.page import theme_css

log = logging.getLogger("gecval.board.web")
MAX_UPLOADS = 9  # a new benchmark may have so many times the bytes of one file
STATES: tuple[State, ...] = ("queued", "leased", "done", "failed", "cancelled")
# ``reading`` routers show pages; ``writing`` routers take forms of our own pages alone.
PAGES = (
    accounts.reading,
    accounts.writing,
    organiser.reading,
    organiser.writing,
    submissions.reading,
    submissions.writing,
    system.reading,
    campaigns.reading,
    campaigns.writing,
    benchmark.reading,
)
router = APIRouter()  # for those who operate a board


def make_app(settings: Settings, database: Database) -> FastAPI:
    app = FastAPI(
        title="gecval board", version=SOFTWARE, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json"
    )
    app.state.settings, app.state.database = settings, database
    app.state.secret, app.state.pages, app.state.hashing = load_secret(database), PageCache(), Hashing()
    app.state.health, app.state.scores = Health(database, settings.data), ScoreCache()
    app.state.provider, app.state.cards = Provider(), PageCache(MAX_CARDS)
    app.state.reports = Reports(database.engine.url.render_as_string(hide_password=False))
    app.add_middleware(Guard, max_body=settings.max_upload * MAX_UPLOADS, secure=settings.secure, hosts=settings.hosts)
    app.mount("/static", StaticFiles(directory=str(files("gecval.board") / "static")), name="static")
    app.include_router(router)
    app.include_router(api.router, prefix="/api")
    for pages in PAGES:
        app.include_router(pages, include_in_schema=False)
    app.add_exception_handler(InputError, _refuse)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse)
    app.add_exception_handler(DataError, _refuse_unstorable)
    app.add_exception_handler(OverflowError, _refuse_unstorable)
    for down in UNREACHABLE:
        app.add_exception_handler(down, _report_unreachable)
    app.add_exception_handler(Exception, _report_failure)
    return app


def _refuse(request: Request, error: Exception) -> Response:
    """One line, as a page or as JSON. Who is not logged in is led there, and back."""
    status, message, field = 400, str(error), ""
    if isinstance(error, LogInFirstError) and request.method == "GET" and not _wants_json(request):
        there = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/login?{urlencode({'next': there})}", status_code=303)
    if isinstance(error, HTTPException):
        status, message = error.status_code, str(error.detail)
    elif isinstance(error, RequestValidationError):
        status, message = 422, "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    elif isinstance(error, InputError):
        status, field = getattr(error, "status", 400), next(iter(error.parameters), "")
    return _answer(request, status, message, field)


def _refuse_unstorable(request: Request, error: Exception) -> Response:
    """A value that no column can hold, such as a NUL in a name or a number of thirty digits: nothing is called so."""
    return _answer(request, 404, "there is no such thing")


def _report_unreachable(request: Request, error: Exception) -> Response:
    """The database is being restarted, or so busy that it gives up; or its disk is full."""
    if is_full(error):
        return _report_full(request, error)
    log.error("no database", exc_info=error, extra={"path": request.url.path})
    answer = _answer(request, 503, "the database does not answer; try again in a moment")
    answer.headers["Retry-After"] = "5"
    return answer


def _report_full(request: Request, error: Exception) -> Response:
    request.app.state.health.report_full()
    log.error("the disk is full", exc_info=error, extra={"path": request.url.path})
    return _answer(request, 507, "the disk of the board is full; nothing was stored. Tell its operator")


def _report_failure(request: Request, error: Exception) -> Response:
    """An unexpected error is described in the log, not to the world."""
    log.error("failed", exc_info=error, extra={"path": request.url.path})
    answer = _answer(request, 500, "the board made a mistake; it is in the log")
    answer.headers.update(HEADERS)  # this answer goes out past the guard
    return answer


def _wants_json(request: Request) -> bool:
    """Programs, and the script that sends a form and leaves it as it is where it is refused."""
    return request.url.path.startswith("/api/") or request.headers.get("accept") == "application/json"


def _answer(request: Request, status: int, message: str, field: str = "") -> Response:
    if _wants_json(request):
        return JSONResponse({"error": message} | ({"field": field} if field else {}), status_code=status)
    try:
        context = page_context(request)
    except UNREACHABLE:  # who asks cannot be looked up either
        context = visitor_context(request)
    return context.page("message.html", status=status, title="That did not work", message=message)


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """200 where the database answers, and can store what comes."""
    health: Health = request.app.state.health
    trouble = await health.find_trouble()
    if trouble:
        return JSONResponse({"status": trouble}, status_code=503)
    return JSONResponse({"status": "ok", "gecval": SOFTWARE})


@router.get("/theme.css", include_in_schema=False)
def theme() -> Response:
    """The colours and fonts of reports, for the pages of the board too."""
    return Response(theme_css(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(request: Request) -> Response:
    """Numbers for Prometheus. None of them says anything about a person or a score."""
    with request.app.state.database.read() as session:
        jobs = queue.count_by_state(session)
        oldest = session.scalar(select(func.min(Job.created)).where(Job.state == "queued"))
        counts = {
            "benchmarks": session.scalar(select(func.count()).select_from(Benchmark)),
            "submissions": session.scalar(select(func.count()).select_from(Submission)),
            "users": session.scalar(select(func.count()).select_from(User)),
        }
        seconds = queue.mean_seconds(session) or 0.0
    lines = ["# TYPE gecval_jobs gauge"]
    lines += [f'gecval_jobs{{state="{state}"}} {jobs.get(state, 0)}' for state in STATES]
    lines += ["# TYPE gecval_oldest_waiting_seconds gauge"]
    lines += [f"gecval_oldest_waiting_seconds {max(0.0, now() - oldest) if oldest else 0.0:.3f}"]
    lines += ["# TYPE gecval_job_seconds gauge", f"gecval_job_seconds {seconds:.3f}"]
    for name, count in counts.items():
        lines += [f"# TYPE gecval_{name} gauge", f"gecval_{name} {count}"]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4; charset=utf-8")
