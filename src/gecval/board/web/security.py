"""What browsers and bodies are held to: headers of every answer, the size of every request, forms of our own pages.

A form carries a token that only this board can make for this browser: an HMAC of the session, or, before log-in, of a
cookie that the browser got with the form. Requests that come from another site, as the browser says, are refused too.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Semaphore
from typing import TypeVar
from urllib.parse import urlsplit

from fastapi.responses import HTMLResponse
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gecval.board.errors import BusyError, ForbiddenError
from gecval.runtime.threads import cores
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
MONITORING = ("/healthz", "/metrics")  # who asks for these knows the machine, not the name of the board
UPLOADS = re.compile(r"/new|/b/[^/]+/(submit|versions)|/api/benchmarks/[^/]+/submissions")  # paths that take files


class Guard:
    """Adds the headers, cuts off bodies that are too large, and answers HEAD as GET without the body.

    ``max_body`` is for requests that bring files; a form without files may have ``MAX_FORM`` bytes. ``hosts`` are the
    names under which the board answers, None for any: links are made from the name that a browser asked for.
    """

    def __init__(self, app: ASGIApp, *, max_body: int, secure: bool, hosts: frozenset[str] | None = None) -> None:
        self.app, self.max_body, self.secure, self.hosts = app, max_body, secure, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.hosts is not None and scope["path"] not in MONITORING and _host(scope) not in self.hosts:
            await self._refuse(send, 400, "the board has another address; set `address` in board.toml")
            return
        limit = self.max_body if UPLOADS.fullmatch(scope["path"]) else min(self.max_body, MAX_FORM)
        without_body = scope.get("method") == "HEAD"
        if without_body:
            scope = {**scope, "method": "GET"}
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > 18 or int(declared) > limit:
            await self._refuse(send, 413, f"a request may have {limit} bytes")
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
                await self._refuse(send, 413, f"a request may have {limit} bytes")

    async def _refuse(self, send: Send, status: int, why: str) -> None:
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": f"{why}\n".encode()})


def _host(scope: Scope) -> str | None:
    """The name that a request asks for, without its port."""
    host: bytes = dict(scope["headers"]).get(b"host", b"")
    try:
        return urlsplit(f"//{host.decode('latin-1')}").hostname
    except ValueError:
        return None


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


# Compressed pages. Where a page that holds a secret is compressed as a whole, its length tells whether a guess, which
# an attacker had put into the page, is like the secret (BREACH). So a page is cut where secrets stand: what lies around
# them is compressed piece by piece, without looking back, and they stay as they are. The pieces are one gzip file.


_GZIP_HEAD, _DEFLATE_END = b"\x1f\x8b\x08\0\0\0\0\0\0\xff", b"\x03\0"
_STORED, _SMALL = 0, 6


@dataclass(frozen=True)
class Piece:
    """A piece of a page, and how it stands in the compressed page."""

    content: bytes
    packed: bytes

    @classmethod
    def of(cls, content: bytes, *, secret: bool = False) -> Piece:
        """A piece. One that is ``secret`` takes as much room as it has bytes."""
        deflate = zlib.compressobj(_STORED if secret else _SMALL, wbits=-zlib.MAX_WBITS)
        return cls(content, deflate.compress(content) + deflate.flush(zlib.Z_FULL_FLUSH))


def page_response(request: Request, pieces: Sequence[Piece], *, status: int = 200) -> HTMLResponse:
    """The page of these pieces, compressed where the browser takes it.

    >>> import gzip
    >>> page = [Piece.of(b"<p>" * 400), Piece.of(b"f3a9", secret=True), Piece.of(b"</p>" * 400)]
    >>> gzip.decompress(compress_pieces(page)) == b"<p>" * 400 + b"f3a9" + b"</p>" * 400
    True
    """
    taken = request.headers.get("accept-encoding", "").split(",")
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" not in {part.partition(";")[0].strip() for part in taken}:
        return HTMLResponse(b"".join(piece.content for piece in pieces), status_code=status, headers=headers)
    return HTMLResponse(compress_pieces(pieces), status_code=status, headers={**headers, "Content-Encoding": "gzip"})


def compress_pieces(pieces: Sequence[Piece]) -> bytes:
    """The pieces as one gzip file."""
    check = size = 0
    for piece in pieces:
        check, size = zlib.crc32(piece.content, check), size + len(piece.content)
    tail = struct.pack("<LL", check, size & 0xFFFFFFFF)
    return b"".join((_GZIP_HEAD, *(piece.packed for piece in pieces), _DEFLATE_END, tail))


def cut_at_secret(page: str, secret: str) -> list[Piece]:
    """A page in pieces, with its secret in pieces of its own."""
    hidden = Piece.of(secret.encode(), secret=True)
    pieces = [hidden, *(part for text in page.split(secret) for part in (Piece.of(text.encode()), hidden))]
    return pieces[1:-1]


# What hashes passwords keeps a core busy for a moment. It gets threads of its own, fewer than there are cores, so that
# no other request waits for it.


Answer = TypeVar("Answer")
MAX_WAITING = 200  # log-ins that may wait for their turn


class Hashing:
    """Runs what hashes a password, in turn."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="hashing")
        self._places = Semaphore(MAX_WAITING)

    async def run(self, work: Callable[[], Answer]) -> Answer:
        if not self._places.acquire(blocking=False):
            raise BusyError("many people log in at this moment; try again in a minute")
        try:
            return await asyncio.wrap_future(self._threads.submit(work))
        finally:
            self._places.release()
