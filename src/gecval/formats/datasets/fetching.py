"""Fetching a data set: all of its files or none.

Files are gathered in a folder next to the set's own, .NAME.fetching, and moved when all of them are there and right.
What an interrupted run has gathered stays in that folder, and the next run goes on from it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from ssl import SSLCertVerificationError
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from gecval.errors import InputError
from gecval.formats.datasets.catalog import DataFile, Recipe, Upstream, find_dataset
from gecval.formats.datasets.folder import DatasetState, check, data_folder, difference, refuse_different
from gecval.formats.files import read_lines, write_files
from gecval.formats.loading import load_corpus
from gecval.runtime.processes import exclusive_lock
from gecval.runtime.run import Progress, announce, silent

OFFLINE = ", or copy the data set from another machine into a folder of your own, $GECVAL_DATA (docs/offline.md)"


def fetch_dataset(name: str, folder: Path | str | None = None, *, progress: Progress = silent) -> Path:
    """Get what is missing of a data set, and return its folder.

    Files that are there already and right are not fetched again. One that is there and differs is refused, and stays.

    Parameters
    ----------
    name
        One of :func:`datasets`.
    folder
        The data folder. Default: $GECVAL_DATA, or the user's own.
    progress
        Is called now and then with how many bytes are there, and how many there will be.

    Returns
    -------
    Path
        The folder of the data set.

    Examples
    --------
    >>> fetch_dataset("conll15")
    Traceback (most recent call last):
    gecval.errors.InputError: no data set 'conll15'; did you mean conll14?
    """
    entry = find_dataset(name)
    root = Path(folder) if folder is not None else data_folder()
    state = check(entry, root)
    if not entry.fetched:
        return _got_by_hand(state)
    if not _wanted(state):
        return state.folder
    home = state.folder.resolve()  # a link may lead to another disk: gather there
    lock = home.with_name(f".{home.name}.lock")
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(lock, lambda: announce(progress, f"waiting: another process fetches {entry.name}")):
            announce(progress, f"fetching {entry.name}, bytes")
            _fetch(check(entry, root), home, progress)  # checked again: that process may have fetched it
    except OSError as error:
        raise InputError(f"cannot write {error.filename or home}: {error.strerror or error}") from None
    return state.folder


def _fetch(state: DatasetState, home: Path, progress: Progress) -> None:
    stage = home.with_name(f".{home.name}.fetching")
    wanted = _wanted(state)
    try:
        _gather(wanted, state, stage, progress)
    finally:
        _remove_empty_folders(stage)
    _move([file.name for file in wanted], stage, home)


def _wanted(state: DatasetState) -> list[DataFile]:
    """What is to be fetched: a file that differs in a clone is left alone, and fetched into our layout."""
    refuse_different(state)
    return [file.file for file in state.files if file.state != "present" and file.file.origin is not None]


def _gather(wanted: list[DataFile], state: DatasetState, stage: Path, progress: Progress) -> None:
    """Bring all files into the folder ``stage``."""
    here = {file.file.sha256: file.path for file in state.list_files("present")}
    total, before = sum(file.bytes or 0 for file in wanted), 0
    progress(0, total)
    for file in sorted(wanted, key=lambda file: isinstance(file.origin, Recipe)):
        target = stage / file.name
        if not (target.is_file() and not difference(file, target)):
            target.parent.mkdir(parents=True, exist_ok=True)
            if copy := here.get(file.sha256):  # the same content under another name
                _copy(copy, target)
            elif isinstance(file.origin, Upstream):
                download(
                    file.origin.address,
                    target,
                    size=file.bytes or 0,
                    sha256=file.sha256 or "",
                    report=lambda done, before=before: progress(before + done, total),  # type: ignore[misc]
                )
            elif isinstance(file.origin, Recipe):
                _make(file, file.origin, state, stage)
        here[file.sha256] = target
        before += file.bytes or 0
        progress(before, total)


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f"{target.name}.part")
    shutil.copyfile(source, part)
    part.replace(target)


def _make(file: DataFile, recipe: Recipe, state: DatasetState, stage: Path) -> None:
    from gecval.formats.datasets.fetching import make

    present = {source.file.name: source.path for source in state.list_files("present")}
    make(recipe.rule, present.get(recipe.source) or stage / recipe.source, stage / file.name)
    if why := difference(file, stage / file.name):
        (stage / file.name).unlink()
        raise InputError(f"{file.name} of {state.dataset.name} cannot be made on this system: {why}")


def _remove_empty_folders(stage: Path) -> None:
    """Where nothing came, nothing stays."""
    for folder, _, _ in os.walk(stage, topdown=False):
        with suppress(OSError):  # it is not empty
            Path(folder).rmdir()


def _move(names: list[str], stage: Path, home: Path) -> None:
    """Into the set's folder: in one step where that is not there yet."""
    for path in stage.rglob("*"):
        if path.is_file() and path.relative_to(stage).as_posix() not in names:
            path.unlink()  # left by a run with another version of the registry
    if names and not home.exists():
        stage.rename(home)
        return
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # where A and a are one file: it was moved under the other name
            (stage / name).replace(home / name)
    _remove_empty_folders(stage)


def _got_by_hand(state: DatasetState) -> Path:
    for missing in state.list_files("missing"):
        path = state.folder / missing.file.name
        raise InputError(f"{state.dataset.name} must be got by hand: {path} is missing. {state.dataset.by_hand}")
    return state.folder


# One file over HTTP, whole and verified or not at all.
#
# What comes is appended to NAME.part. After a broken connection the next try, or the next run, goes on where that ends
# (HTTP Range). The file gets its name only when size and sha256 are right.


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
            again = f"try again{': what has come is kept' if _size(part) else ' later'}"
            raise InputError(f"{reason}; {again}{OFFLINE if reason.startswith('cannot reach') else ''}")
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
        return _number(whole)
    length = response.headers.get("Content-Length", "")
    return _number(length)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


def _asked_pause(seconds: str) -> float:
    return min(float(seconds), LONGEST_PAUSE_S) if seconds.isascii() and seconds.isdecimal() else 0.0


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Files that are made from others of their set: each rule takes a file to the lines of the new one.

_WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")


def _words(source: Path) -> Iterable[str]:
    """Plain text cut into words and signs, with a blank between."""
    return (" ".join(_WORD.findall(line)) for line in read_lines(source))


def _second_annotator(source: Path) -> Iterable[str]:
    """What the second annotator of an M2 file made of each sentence."""
    corpus = load_corpus(None, [source], missing="inferred")
    return (corpus.texts_of(i)[1] for i in range(len(corpus)))


RULES: dict[str, Callable[[Path], Iterable[str]]] = {"words": _words, "second-annotator": _second_annotator}


def make(rule: str, source: Path, target: Path) -> None:
    """Write the file that a rule makes from another, complete or not at all."""
    write_files({target: RULES[rule](source)})
