"""One file over HTTP, whole and verified or not at all.

What comes is appended to NAME.part. After a broken connection the next try, or the next run, goes on where that ends
(HTTP Range). The file gets its name only when size and sha256 are right.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from ssl import SSLCertVerificationError
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from gecval.errors import InputError

# Before each further try. A try that got further than any before it starts the series again.
PAUSES_S = (0.5, 1.0, 2.0, 4.0)
TIMEOUT_S = 30.0  # without a byte
LONGEST_PAUSE_S = 60.0  # that a busy server may ask for
IN_BETWEEN = "does a proxy, a mirror or a login page send something else?"
_CHUNK = 1 << 16
_BUSY = (408, 425, 429, 500, 502, 503, 504)


class _BrokenError(Exception):
    """A try that failed and may work next time."""

    def __init__(self, reason: str, pause_s: float = 0.0) -> None:
        super().__init__(reason)
        self.pause_s = pause_s


class _OutdatedError(Exception):
    """What lies in the partial file cannot be continued."""


def download(
    address: str, target: Path, *, size: int, sha256: str, report: Callable[[int], None] = lambda done: None
) -> None:
    """Fetch ``address`` to ``target``. ``report`` is told how many bytes there are so far."""
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        resumed = part.exists()
        _complete(address, part, size, report)
        if _sha256(part) != sha256 and resumed:  # the part may have been of another file
            part.unlink()
            _complete(address, part, size, report)
        if _sha256(part) != sha256:
            part.unlink()
            raise InputError(f"{address}: wrong checksum; {IN_BETWEEN}")
        part.replace(target)
    except OSError as error:
        kept = "; what has come is kept for the next try" if part.exists() else ""
        raise InputError(f"cannot write {error.filename or part}: {error.strerror or error}{kept}") from None


def _complete(address: str, part: Path, size: int, report: Callable[[int], None]) -> None:
    """Try again and again, as long as it brings the part further."""
    pauses, furthest = iter(PAUSES_S), _size(part)
    while _size(part) != size:
        try:
            _attempt(address, part, size, report)
        except _OutdatedError:
            part.unlink(missing_ok=True)
            pause: float | None = next(pauses, None)
            reason = f"{address} does not give the rest of the file"
        except _BrokenError as broken:
            if _size(part) > furthest:
                pauses, furthest = iter(PAUSES_S), _size(part)
            pause = next(pauses, None)
            reason = str(broken)
            if pause is not None:
                pause = max(pause, broken.pause_s)
        else:
            return
        if pause is None:
            raise InputError(f"{reason}; try again{': what has come is kept' if _size(part) else ' later'}")
        time.sleep(pause)


def _attempt(address: str, part: Path, size: int, report: Callable[[int], None]) -> None:
    """One connection: append what comes, up to the registered size."""
    done = _size(part)
    if done > size:
        raise _OutdatedError
    headers = {"Accept-Encoding": "identity", "User-Agent": "gecval"}
    if done:
        headers["Range"] = f"bytes={done}-"
    with _open(Request(address, headers=headers)) as response:
        whole = _whole_size(response, done)
        if whole not in (None, size):
            raise InputError(f"{address}: wrong size, {whole:,} bytes instead of {size:,}; {IN_BETWEEN}")
        if done and response.status != 206:  # a server that does not know Range sends all of it
            done = 0
        with part.open("ab" if done else "wb") as file:
            report(done)
            while done < size:
                chunk = _read(response, min(_CHUNK, size - done))
                if not chunk:
                    raise _BrokenError(f"{address}: the connection broke after {done:,} of {size:,} bytes")
                file.write(chunk)
                file.flush()  # so that a full disk is met here, and a killed run loses nothing
                done += len(chunk)
                report(done)


def _open(request: Request) -> HTTPResponse:
    where = request.full_url
    try:
        response: HTTPResponse = urlopen(request, timeout=TIMEOUT_S)
    except HTTPError as error:
        error.close()
        if error.code == 416:
            raise _OutdatedError from None
        message = f"{where}: {error.code} {error.reason}"
        if error.code in _BUSY:
            raise _BrokenError(message, _asked_pause(error.headers.get("Retry-After", ""))) from None
        if error.code in (404, 410):
            raise InputError(f"{message}: the file is no longer there") from None
        raise InputError(message) from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        if isinstance(reason, SSLCertVerificationError):
            raise InputError(f"cannot trust {request.host}: {reason.verify_message}") from None
        raise _BrokenError(f"cannot reach {request.host} ({text}): check the network") from None
    return response


def _read(response: HTTPResponse, count: int) -> bytes:
    try:
        return response.read1(count)  # what is there: read would wait for all of it, and lose it if that never comes
    except (HTTPException, OSError) as error:
        raise _BrokenError(f"{response.url}: the connection broke ({error})") from None


def _whole_size(response: HTTPResponse, done: int) -> int | None:
    """How large the server says the file is; a part that starts elsewhere than asked for is of no use."""
    if response.status == 206:
        span, _, whole = response.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
        if span.partition("-")[0] != str(done):
            raise _OutdatedError
        return int(whole) if whole.isascii() and whole.isdecimal() else None
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdecimal() else None


def _asked_pause(seconds: str) -> float:
    return min(float(seconds), LONGEST_PAUSE_S) if seconds.isascii() and seconds.isdecimal() else 0.0


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
