"""The application: routes, what errors look like, and the state that requests share."""

from __future__ import annotations

import logging
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException

from gecval.board.database.patience import DOWN
from gecval.board.database.session import Database
from gecval.board.settings import Settings
from gecval.board.software import SOFTWARE
from gecval.board.web import api, operating
from gecval.board.web.asking import board_secret, visitor
from gecval.board.web.cache import PageCache
from gecval.board.web.reports import Reports
from gecval.board.web.routes import ROUTERS
from gecval.board.web.security import HEADERS, Guard
from gecval.errors import InputError

log = logging.getLogger("gecval.board.web")
ROOM = 9  # a new benchmark may have so many times the bytes of one file


def make_app(settings: Settings, database: Database) -> FastAPI:
    app = FastAPI(
        title="gecval board", version=SOFTWARE, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json"
    )
    app.state.settings, app.state.database = settings, database
    app.state.secret, app.state.pages = board_secret(database), PageCache()
    app.state.reports = Reports(database.engine.url.render_as_string(hide_password=False))
    app.add_middleware(Guard, most=settings.most_upload * ROOM, secure=settings.secure)
    app.mount("/static", StaticFiles(directory=str(files("gecval.board") / "static")), name="static")
    app.include_router(operating.router)
    app.include_router(api.router, prefix="/api")
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.add_exception_handler(InputError, _refused)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _refused)
    app.add_exception_handler(DataError, _unstorable)
    app.add_exception_handler(OverflowError, _unstorable)
    for down in DOWN:
        app.add_exception_handler(down, _unreachable)
    app.add_exception_handler(Exception, _broken)
    return app


def _refused(request: Request, error: Exception) -> Response:
    """One line, as a page or as JSON."""
    status, message = 400, str(error)
    if isinstance(error, HTTPException):
        status, message = error.status_code, str(error.detail)
    elif isinstance(error, RequestValidationError):
        status, message = 422, "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    elif isinstance(error, InputError):
        status = getattr(error, "status", 400)
    return _answer(request, status, message)


def _unstorable(request: Request, error: Exception) -> Response:
    """A value that no column can hold, such as a NUL in a name or a number of thirty digits: nothing is called so."""
    return _answer(request, 404, "there is no such thing")


def _unreachable(request: Request, error: Exception) -> Response:
    """The database is being restarted, or so busy that it gives up."""
    log.error("no database", exc_info=error, extra={"path": request.url.path})
    answer = _answer(request, 503, "the database does not answer; try again in a moment")
    answer.headers["Retry-After"] = "5"
    return answer


def _broken(request: Request, error: Exception) -> Response:
    """What nobody foresaw is told in the log, not to the world."""
    log.error("failed", exc_info=error, extra={"path": request.url.path})
    answer = _answer(request, 500, "the board made a mistake; it is in the log")
    answer.headers.update(HEADERS)  # this answer goes out past the guard
    return answer


def _answer(request: Request, status: int, message: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, status_code=status)
    return visitor(request).page("message.html", status=status, title="That did not work", message=message)
