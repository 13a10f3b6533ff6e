"""Who asks, and with what: the one thing that every page and every call gets."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from gecval.board.access import NOBODY, Viewer
from gecval.board.accounts import user_of_session
from gecval.board.database.models import Remembered
from gecval.board.database.session import Database
from gecval.board.errors import ForbiddenError
from gecval.board.settings import Settings
from gecval.board.tokens import viewer_of_token
from gecval.board.web.security import SESSION, VISITOR, check_form, form_token
from gecval.board.web.templating import render


@dataclass(frozen=True)
class Asked:
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
    def address(self) -> str:
        """Where the request comes from; behind a proxy, uvicorn has put the right one there."""
        return self.request.client.host if self.request.client else "unknown"

    def page(self, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
        """A page for this viewer. A browser without a session gets a cookie, so that its forms can be known again."""
        cookie = self.request.cookies.get(SESSION) or self.request.cookies.get(VISITOR)
        visitor = cookie or secrets.token_urlsafe(16)
        text = render(
            template,
            viewer=self.viewer,
            path=self.request.url.path,
            csrf=form_token(self.secret, visitor),
            settings=self.settings,
            **values,
        )
        response = HTMLResponse(text, status_code=status)
        if cookie is None:
            self.set_cookie(response, VISITOR, visitor)
        return response

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


def _asked(request: Request, viewer: Viewer) -> Asked:
    state = request.app.state
    return Asked(request, state.settings, state.database, viewer)


def visitor(request: Request) -> Asked:
    """Whoever looks at a page: by the session of their cookie."""
    cookie = request.cookies.get(SESSION)
    if not cookie:
        return _asked(request, NOBODY)
    with request.app.state.database.read() as session:
        user = user_of_session(session, cookie)
        return _asked(request, Viewer.of(session, user) if user else NOBODY)


def form(request: Request, csrf: Annotated[str, Form()] = "") -> None:
    """A form of ours, from the browser that it was made for."""
    check_form(request, request.app.state.secret, csrf)


def program(request: Request) -> Asked:
    """Whoever calls the API: by token, and by nothing else, so that no other site can use a browser's cookie."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if not kind:
        return _asked(request, NOBODY)
    if kind.lower() != "bearer":
        raise ForbiddenError("show a token: Authorization: Bearer gecval_...")
    with request.app.state.database.read() as session:
        return _asked(request, viewer_of_token(session, secret.strip()))


def board_secret(database: Database) -> str:
    """The secret of this board, made at its first start."""
    with database.write() as session:
        row = session.get(Remembered, "secret")
        if row is None:
            row = Remembered(key="secret", value=secrets.token_hex(32))
            session.add(row)
        return row.value


Page = Annotated[Asked, Depends(visitor)]
Call = Annotated[Asked, Depends(program)]
