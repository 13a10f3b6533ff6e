"""Reports that readers ask for: made one after the other by a process that stands back, and kept for the next reader.

A report follows from its submissions, the version of the data and the scores that another gecval may give anew.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from gecval.board.errors import BusyError, FailedError

log = logging.getLogger("gecval.board.web")
MOST = 16  # pages that are kept
BYTES = 200_000_000  # that they may have together
WAITING = 8  # pages that may wait to be made
SECONDS = 600  # that making one may take


class Reports:
    """The last few pages, and those that are being made."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._thread = ThreadPoolExecutor(1)
        self._pages: OrderedDict[tuple[str, ...], Future[bytes]] = OrderedDict()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def page(self, version_id: str, submission_ids: Sequence[str], scoring: str = "") -> bytes | None:
        """The page; None while it is being made. What failed is told once, and made again when it is asked for.

        ``scoring`` tells the scores from those that the submissions had before.
        """
        wanted = (version_id, *submission_ids)
        key = (*wanted, scoring)
        with self._lock:
            if key not in self._pages:
                if sum(not future.done() for future in self._pages.values()) >= WAITING:
                    raise BusyError("many reports are being made; try again in a minute")
                self._forget()
                self._pages[key] = self._thread.submit(self._make, wanted)
            future = self._pages[key]
            if not future.done():
                return None
            if future.exception() is not None:
                del self._pages[key]
            else:
                self._pages.move_to_end(key)
        return future.result()

    def close(self) -> None:
        """Stop what is being made."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()

    def _forget(self) -> None:
        """Make room for a page, the oldest first; those that are being made stay."""
        done = {key: _size(future) for key, future in self._pages.items() if future.done()}
        for key in list(done):
            if len(self._pages) < MOST and sum(done.values()) <= BYTES:
                break
            del self._pages[key], done[key]

    def _make(self, key: tuple[str, ...]) -> bytes:
        # The address of the database may hold a password, and everybody on the machine can read arguments.
        environment = {**os.environ, "GECVAL_DATABASE": self._url}
        command = [sys.executable, "-m", "gecval.board.report_page", *key]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as process:
            self._process = process
            if self._closed:
                process.kill()
            try:
                made, said = process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise FailedError("the report took too long, and was given up") from None
        if process.returncode:
            log.error("no report", extra={"said": said.decode("utf-8", "replace")[-2000:]})
            raise FailedError("the report could not be made; the reason is in the board's log")
        return made


def _size(future: Future[bytes]) -> int:
    return 0 if future.cancelled() or future.exception() else len(future.result())
