"""What browsers and bodies are held to: headers of every answer, the size of every request, forms of our own pages.

A form carries a token that only this board can make for this browser: an HMAC of the session, or, before log-in, of a
cookie that the browser got with the form. Requests that come from another site, as the browser says, are refused too.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gecval.board.errors import ForbiddenError
from gecval.studies.report.page import policy as report_policy

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
FILE_POLICY = "default-src 'none'; sandbox"
# A report runs its own scripts, known by their hashes, in an origin of its own: it gets at no cookie of ours.
REPORT_POLICY = f"{report_policy()}; frame-ancestors 'none'; sandbox allow-scripts"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
SESSION, VISITOR = "gecval_session", "gecval_visitor"


MAX_FORM = 1_000_000  # bytes
UPLOADS = re.compile(r"/new|/b/[^/]+/(submit|versions)|/api/benchmarks/[^/]+/submissions")  # paths that take files


class Guard:
    """Adds the headers, cuts off bodies that are too large, and answers HEAD as GET without the body.

    ``max_body`` is for requests that bring files; a form without files may have ``MAX_FORM`` bytes.
    """

    def __init__(self, app: ASGIApp, *, max_body: int, secure: bool) -> None:
        self.app, self.max_body, self.secure = app, max_body, secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.max_body if UPLOADS.fullmatch(scope["path"]) else min(self.max_body, MAX_FORM)
        without_body = scope.get("method") == "HEAD"
        if without_body:
            scope = {**scope, "method": "GET"}
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > 18 or int(declared) > limit:
            await self._refuse(send, limit)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise TooLargeError
            return message

        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self.secure:
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            if without_body and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self.app(scope, counted, guarded)
        except TooLargeError:
            if not started:
                await self._refuse(send, limit)

    async def _refuse(self, send: Send, limit: int) -> None:
        text = f"a request may have {limit} bytes\n".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": text})


class TooLargeError(Exception):
    """The body goes on beyond what it may have."""


def form_token(secret: str, cookie: str) -> str:
    """What a form must carry, for the browser that has this cookie."""
    return hmac.new(secret.encode(), b"form\n" + cookie.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def check_form(request: Request, secret: str, token: str) -> None:
    """Refuse a form that another site made, or that was made for another browser."""
    cookie = request.cookies.get(SESSION) or request.cookies.get(VISITOR) or ""
    fits = hmac.compare_digest(form_token(secret, cookie).encode(), token.encode("utf-8", "surrogatepass"))
    origin = request.headers.get("origin")
    foreign = request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if origin and origin != "null" and urlsplit(origin).netloc != request.headers.get("host"):
        foreign = True
    if not cookie or not fits or foreign or origin == "null":
        raise ForbiddenError("this form is out of date: go back, load the page again, and send it once more")
