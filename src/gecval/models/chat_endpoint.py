"""One question to an OpenAI-compatible server: ``POST {url}/chat/completions``, with retries and checks.

Trouble that may pass (no connection, silence, 408, 409, 425, 429, 5xx, broken JSON) is tried again after 1, 2, 4, ...
seconds, or after as long as ``Retry-After`` says. What cannot pass (a wrong key, no such model) ends the run. A request
that the server finds wrong (400, 413, 422) is tried again without the fields that the server does not know.

Whatever comes back is foreign: its size, its shape and its time are bounded, and redirects are not followed, since
they would carry the key elsewhere. The key is never shown.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from functools import cache
from http.client import HTTPException
from threading import Event, Lock
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from gecval.errors import InputError, shorten

MOST_BYTES = 1_000_000  # of an answer
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
PASSING = {408, 409, 425, 429}
WRONG = {400, 413, 422}
# Fields that some servers do not know. The score may then depend on their own defaults, but the answer is checked.
OPTIONAL = ("response_format", "temperature", "seed", "max_tokens")
LOCAL = ("localhost", "127.0.0.1", "::1")
SHORTEST_SECRET = 8  # a shorter key, such as EMPTY, hides nothing


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the server said. ``refusal`` is why it has no text, ``without`` the fields that it did not take."""

    text: str = ""
    finish: str = ""
    model: str = ""
    refusal: str = ""
    tokens: int = 0
    without: tuple[str, ...] = ()


class _TroubleError(Exception):
    """Something that may pass. ``wait`` is what the server asks for."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.wait = wait


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **named: Any) -> None:
        return None


@dataclass
class Endpoint:
    """A server, and what was learned about it in this process. ``key`` names an environment variable."""

    url: str
    key: str
    timeout: float
    retries: int
    budget: Budget
    unknown: set[str] = field(default_factory=set)  # fields that the server does not take
    refused: dict[str, Reply] = field(default_factory=dict)  # prompts that it does not answer, by their keys

    def ask(self, request: dict[str, Any], stop: Event) -> Reply:
        """The answer to one request. Every try counts in the budget. ``stop`` ends the waiting between tries."""
        words = sum(estimate_tokens(message["content"]) for message in request["messages"])
        reserved = words + request["max_tokens"]
        for attempt in range(self.retries + 1):
            self.budget.reserve(reserved)
            used = words
            try:
                reply = self._reply(request)
                used = reply.tokens or words + estimate_tokens(reply.text)
                return reply
            except _TroubleError as error:
                trouble = error
            finally:
                self.budget.settle(reserved, used)
            wait = FIRST_WAIT_S * 2**attempt if trouble.wait is None else trouble.wait
            if attempt == self.retries or stop.wait(min(wait, LONGEST_WAIT_S)):
                tries = f"{attempt + 1} tries" if attempt else "one try"
                raise InputError(f"{self.url} {trouble}; given up after {tries}")
        raise AssertionError("the loop ends with an answer or an error")

    def _reply(self, request: dict[str, Any]) -> Reply:
        """The answer, asked for again without fields that the server may not know."""
        unknown = set(self.unknown)
        while True:
            without = tuple(name for name in OPTIONAL if name in unknown)
            sent = {name: value for name, value in request.items() if name not in without}
            status, headers, body = self._send(sent)
            if status == 200:
                self.unknown |= unknown  # other prompts need not find out
                return self._read(body, without)
            if status not in WRONG:
                raise self._failure(status, headers, body)
            named = {name for name in OPTIONAL if name in _message(body)} or {"response_format"}
            if not named & set(sent):
                return Reply(refusal=f"the server answers {status}{self._quote(body)}")
            unknown |= named
            self.budget.reserve(0)

    def _send(self, request: dict[str, Any]) -> tuple[int, Message | None, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if secret := self.secret():
            headers["Authorization"] = f"Bearer {secret}"
        posted = Request(f"{self.url}/chat/completions", json.dumps(request).encode(), headers)
        deadline = time.monotonic() + self.timeout
        try:
            with _opener(self.url).open(posted, timeout=self.timeout) as response:
                return response.status, None, _read_until(response.read1, deadline)
        except HTTPError as error:
            with error:
                return error.code, error.headers, _error_body(error, deadline)
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise _TroubleError(f"is silent for {self.timeout:g} s") from None
            raise _TroubleError(f"does not answer ({self._clean(str(reason) or type(reason).__name__)})") from None

    def _failure(self, status: int, headers: Message | None, body: bytes) -> Exception:
        what = f"answers {status}{self._quote(body)}"
        if status in PASSING or status >= 500:
            return _TroubleError(what, _seconds(headers.get("Retry-After") if headers else None))
        if status in (401, 403):
            has = f"the key in {self.key} is not accepted" if self.secret() else f"put a key into ${self.key}"
            return InputError(f"{self.url} {what}: {has}")
        if status == 404:
            return InputError(f"{self.url} {what}: there is no /chat/completions, or no such model")
        redirects = ": redirects are not followed, so name the URL itself" if 300 <= status < 400 else ""
        return InputError(f"{self.url} {what}{redirects}")

    def _read(self, body: bytes, without: tuple[str, ...]) -> Reply:
        """The reply in a server's JSON."""
        if len(body) > MOST_BYTES:
            return Reply(refusal=f"the answer is larger than {MOST_BYTES:,} bytes", without=without)
        try:
            answer = json.loads(body)
            choice = answer["choices"][0]
            message = choice["message"]
            content, refusal = message.get("content"), message.get("refusal")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise _TroubleError(f"sends no answer of a chat model{self._quote(body)}") from None
        usage = answer.get("usage")
        tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
        return Reply(
            text=self._hidden(content) if isinstance(content, str) else "",
            finish=str(choice.get("finish_reason") or "")[:40],
            model=self._clean(str(answer.get("model") or "")),
            refusal=self._clean(refusal) if isinstance(refusal, str) else "",
            tokens=tokens if type(tokens) is int and 0 <= tokens <= MOST_BYTES else 0,
            without=without,
        )

    def secret(self) -> str:
        """The key. A wrong one would be shown by the library that refuses it, so it is looked at first."""
        secret = os.environ.get(self.key, "").strip()
        if not re.fullmatch(r"[!-~]*", secret):
            raise InputError(f"the key in ${self.key} has characters that no key has")
        return secret

    def _quote(self, body: bytes) -> str:
        message = self._clean(_message(body))
        return f" ({message})" if message else ""

    def _clean(self, text: str) -> str:
        """Foreign text for one line of ours."""
        return shorten(" ".join("".join(c if c.isprintable() else " " for c in self._hidden(text)).split()), 120)

    def _hidden(self, text: str) -> str:
        """A text without the key, should the server repeat it."""
        secret = self.secret()
        return text.replace(secret, "***") if len(secret) >= SHORTEST_SECRET else text


def check_url(url: str) -> str:
    """The part of a URL before ``/chat/completions``. A password in it would be shown with the metric's name.

    >>> check_url("http://localhost:8000/v1/")
    'http://localhost:8000/v1'
    """
    try:
        parts = urlsplit(url)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
        wrong = wrong or bool(parts.username or parts.password or parts.query or parts.fragment)
        wrong = wrong or not re.fullmatch(r"[!-~]+", url)
    except ValueError:
        wrong = True
    if wrong:
        raise InputError("url must be like http://localhost:8000/v1, without a user, a password or a query")
    return url.rstrip("/").removesuffix("/chat/completions")


@cache
def _opener(url: str) -> OpenerDirector:
    """What opens a URL; made once, since reading certificates takes time."""
    # A proxy elsewhere knows nothing of this machine's ports.
    nearby = [ProxyHandler({})] if urlsplit(url).hostname in LOCAL else []
    return build_opener(_NoRedirects(), *nearby)


def _read_until(read: Callable[[int], bytes], deadline: float) -> bytes:
    """What can be read before the deadline. Reading ends where there are too many bytes."""
    parts, size = [], 0
    while size <= MOST_BYTES and (part := read(65_536)):
        parts.append(part)
        size += len(part)
        if time.monotonic() > deadline:
            raise _TroubleError("takes too long to answer")
    return b"".join(parts)


def _error_body(error: HTTPError, deadline: float) -> bytes:
    """What a server says besides the status; nothing where even this fails."""
    try:
        return _read_until(getattr(error, "read1", error.read), deadline)
    except (OSError, HTTPException, _TroubleError):
        return b""


def _message(body: bytes) -> str:
    """What a server says about an error: in the usual fields, else all of it."""
    try:
        error = json.loads(body)
    except (ValueError, RecursionError):
        return body[:1000].decode("utf-8", "replace")
    error = error.get("error", error) if isinstance(error, dict) else error
    return str(error.get("message", error) if isinstance(error, dict) else error)[:1000]


def _seconds(header: str | None) -> float | None:
    """How long a server asks to wait, where it gives seconds."""
    return float(header) if header and re.fullmatch(r"\d{1,6}", header.strip()) else None


# What a run may spend on a chat model: requests and tokens, counted for this process.
#
# before a request    its prompt and the longest answer are reserved
# after it            what the server says it used takes their place, else an estimate: a token is about 4 bytes


BYTES_PER_TOKEN = 4  # of English; other languages have more bytes a letter, and more tokens too


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> estimate_tokens("He goes home .")
    4
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


@dataclass
class Budget:
    """``most_requests`` counts every try. None is no limit."""

    most_requests: int | None = None
    most_tokens: int | None = None
    requests: int = 0
    tokens: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def check(self, prompts: int, tokens: int) -> None:
        """Refuse so many prompts, with so many tokens together, before any is asked."""
        limits = (self.most_requests, self.requests, prompts), (self.most_tokens, self.tokens, tokens)
        if any(most is not None and spent + wanted > most for most, spent, wanted in limits):
            raise InputError(
                f"{prompts:,} prompts of about {tokens:,} tokens remain to be asked, which is over the budget of "
                f"{self._limits()} ({self._spent()}): nothing more is asked. Allow more with most_requests or "
                "most_tokens"
            )

    def reserve(self, tokens: int) -> None:
        """Take one request of so many tokens off the budget, or refuse it."""
        with self._lock:
            over = self.most_requests is not None and self.requests + 1 > self.most_requests
            if over or (self.most_tokens is not None and self.tokens + tokens > self.most_tokens):
                raise InputError(
                    f"the budget of {self._limits()} does not allow another request ({self._spent()}). Allow more "
                    "with most_requests or most_tokens"
                )
            self.requests += 1
            self.tokens += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Put what was used in the place of what was reserved."""
        with self._lock:
            self.tokens += used - reserved

    def _limits(self) -> str:
        limits = {"requests": self.most_requests, "tokens": self.most_tokens}
        return " and ".join(f"{most:,} {what}" for what, most in limits.items() if most is not None)

    def _spent(self) -> str:
        return f"spent in this run: {self.requests:,} requests, {self.tokens:,} tokens"
