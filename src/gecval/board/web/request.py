"""Who asks, and with what: the one thing that every page and every call gets."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy.orm import Session, joinedload

from gecval.board.access import NOBODY, Viewer, find_benchmark
from gecval.board.accounts import find_session_viewer, find_token_viewer
from gecval.board.database.models import Benchmark, Phase, StoredSetting, Version
from gecval.board.database.session import Database
from gecval.board.errors import ForbiddenError, NotFoundError
from gecval.board.leaderboard import find_default_phase
from gecval.board.score_cache import ScoreCache
from gecval.board.settings import Settings
from gecval.board.sso import Provider
from gecval.board.web.rendering import render
from gecval.board.web.security import (
    SESSION,
    VISITOR,
    Hashing,
    check_form,
    cut_at_secret,
    form_token,
    page_response,
)


@dataclass(frozen=True)
class RequestContext:
    """A request with what it takes to answer it."""

    request: Request
    settings: Settings
    database: Database
    viewer: Viewer

    @property
    def secret(self) -> str:
        """The board's own secret, from which the tokens of forms are made."""
        secret: str = self.request.app.state.secret
        return secret

    @property
    def hashing(self) -> Hashing:
        """Where passwords are hashed."""
        hashing: Hashing = self.request.app.state.hashing
        return hashing

    @property
    def provider(self) -> Provider:
        """Where single sign-on asks."""
        provider: Provider = self.request.app.state.provider
        return provider

    @property
    def scores(self) -> ScoreCache:
        """The scores that this process has read before."""
        scores: ScoreCache = self.request.app.state.scores
        return scores

    @property
    def address(self) -> str:
        """Where the request comes from; behind a proxy, uvicorn has put the right one there."""
        return self.request.client.host if self.request.client else "unknown"

    @property
    def home(self) -> str:
        """What links from elsewhere begin with. Without the setting ``address``, it is what the browser asked for."""
        return self.settings.address or str(self.request.base_url).rstrip("/")

    @contextmanager
    def read_benchmark(self, address: str) -> Iterator[tuple[Session, Benchmark]]:
        """A session, and the benchmark at an address if this viewer may know of it."""
        with self.database.read() as session:
            yield session, find_benchmark(session, self.viewer, address, joinedload(Benchmark.phases))

    @contextmanager
    def write_benchmark(self, address: str) -> Iterator[tuple[Session, Benchmark]]:
        with self.database.write() as session:
            yield session, find_benchmark(session, self.viewer, address)

    def page(self, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """A page for this viewer. A browser without a session gets a cookie, which its forms must match."""
        cookie = self.request.cookies.get(SESSION) or self.request.cookies.get(VISITOR)
        visitor = cookie or secrets.token_urlsafe(16)
        page = self.render(template, visitor, **values)
        response = page_response(self.request, cut_at_secret(page, form_token(self.secret, visitor)), status=status)
        if cookie is None:
            self.set_cookie(response, VISITOR, visitor)
        return response

    def render(self, template: str, visitor: str = "", *, shared: bool = False, **values: object) -> str:
        """A page, or a part of one. Without a ``visitor`` it has no forms; a ``shared`` one has nothing personal."""
        csrf = form_token(self.secret, visitor or self.request.cookies.get(SESSION, ""))
        return render(template, viewer=self.viewer, csrf=csrf, settings=self.settings, shared=shared, **values)

    def set_cookie(self, response: Response, name: str, value: str, *, days: int | None = None) -> None:
        response.set_cookie(
            name,
            value,
            max_age=days * 86400 if days else None,
            httponly=True,
            samesite="lax",
            secure=self.settings.secure,
            path="/",
        )

    def go(self, path: str) -> RedirectResponse:
        """To another page, after a form was taken."""
        return RedirectResponse(path, status_code=303)


def _make_context(request: Request, viewer: Viewer) -> RequestContext:
    state = request.app.state
    return RequestContext(request, state.settings, state.database, viewer)


def visitor_context(request: Request) -> RequestContext:
    """Somebody, whoever it is."""
    return _make_context(request, NOBODY)


def page_context(request: Request) -> RequestContext:
    """Whoever looks at a page: by the session of their cookie."""
    cookie = request.cookies.get(SESSION)
    if not cookie:
        return visitor_context(request)
    with request.app.state.database.read() as session:
        return _make_context(request, find_session_viewer(session, cookie) or NOBODY)


def require_form_token(request: Request, csrf: Annotated[str, Form()] = "") -> None:
    """A form of ours, from the browser that it was made for."""
    check_form(request, request.app.state.secret, csrf)


def api_context(request: Request) -> RequestContext:
    """Whoever calls the API: by token, and by nothing else, so that no other site can use a browser's cookie."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if not kind:
        return _make_context(request, NOBODY)
    if kind.lower() != "bearer":
        raise ForbiddenError("show a token: Authorization: Bearer gecval_...")
    with request.app.state.database.read() as session:
        return _make_context(request, find_token_viewer(session, secret.strip()))


def load_secret(database: Database) -> str:
    """The secret of this board, made at its first start."""
    with database.write() as session:
        row = session.get(StoredSetting, "secret")
        if row is None:
            row = StoredSetting(key="secret", value=secrets.token_hex(32))
            session.add(row)
        return row.value


Text = Annotated[str, Form()]  # a field of a form
Page = Annotated[RequestContext, Depends(page_context)]
Call = Annotated[RequestContext, Depends(api_context)]


# The version and the phase that an address names.


def find_version(benchmark: Benchmark, number: int = 0) -> Version:
    """A version by its number; 0 is the latest."""
    if not number:
        return benchmark.versions[-1]
    for version in benchmark.versions:
        if version.number == number:
            return version
    raise NotFoundError("there is no such version")


def find_phase(benchmark: Benchmark, phase_id: str = "") -> Phase:
    if not phase_id:
        return find_default_phase(benchmark)
    for phase in benchmark.phases:
        if phase.id == phase_id:
            return phase
    raise NotFoundError("there is no such phase")
