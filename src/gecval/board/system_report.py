"""The report page of one or two systems, with every sentence and its edits: the page of ``gecval report``.

    python -m gecval.board.system_report VERSION SUBMISSION...

prints the page. ``Reports`` starts it in a process of its own with a low priority, so that no reader waits for it, and
caches the page for the next reader. The scores are the stored ones.
"""

from __future__ import annotations

import logging
import os
import shlex
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from threading import Lock
from typing import cast

from sqlalchemy.orm import Session

from gecval.board.allowed_metrics import board_metric
from gecval.board.benchmark_data import VersionFiles, read_output
from gecval.board.database.models import Submission, Version
from gecval.board.database.session import open_database
from gecval.board.database.storage import read_file
from gecval.board.errors import BusyError, FailedError
from gecval.board.public_scores import input_arguments, scoring_options
from gecval.board.scoring import load_evaluation
from gecval.board.submissions import load_scores
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate
from gecval.stats import Resampling
from gecval.studies.report.page import page
from gecval.studies.report.study import overview

NICENESS = 10  # how far the process stands back behind others


def report_page(session: Session, version: Version, submissions: Sequence[Submission]) -> str:
    """The page of some submissions, each as it is on the leaderboard. The first one is whose page it is."""
    first = submissions[0].system
    corpus = VersionFiles.load(session, version).corpus()
    scores = load_scores(session, version)
    metrics = [name for name in version.metrics if all(name in scores.get(row.id, {}) for row in submissions)]
    if not metrics:
        raise InputError("there are no scores yet")
    names = _names(submissions)
    seen = overview(
        corpus,
        [read_output(corpus, name, row.file_name, read_file(session, row.blob)) for name, row in names],
        [board_metric(name) for name in metrics],
        aggregate=cast(Aggregate, version.aggregate),
        confidence=Resampling(),
        edits=version.edits,
        inputs=" ".join(map(shlex.quote, input_arguments(version, _files(submissions)))),
        judging=scoring_options(version),
        evaluations=[
            [load_evaluation(scores[row.id][metric], version, name) for name, row in names] for metric in metrics
        ],
        for_page=True,
    )
    benchmark = version.benchmark
    home = f"/b/{benchmark.address}/systems/{first.id}?version={version.number}"
    return page(
        seen, title=f"{first.name} – {benchmark.name}", corpus=benchmark.name, home=(home, f"{first.name} on the board")
    )


def _names(submissions: Sequence[Submission]) -> list[tuple[str, Submission]]:
    """The systems' names; where two teams chose the same, with their teams."""
    names = [row.system.name for row in submissions]
    if len(set(names)) < len(names):
        names = [f"{row.system.name} ({row.system.team.name if row.system.team else ''})" for row in submissions]
    return list(zip(names, submissions, strict=True))


def _files(submissions: Sequence[Submission]) -> list[str]:
    """The names of the files to download; where two are equal, they are numbered."""
    files = [row.file_name for row in submissions]
    if len(set(files)) < len(files):
        files = [f"{number}-{name}" for number, name in enumerate(files, start=1)]
    return files


# Reports that readers ask for. A report is determined by its submissions, the version of the data and the scores.


log = logging.getLogger("gecval.board.web")
MAX_PAGES = 16  # pages that are cached
MAX_BYTES = 200_000_000  # that they may have together
MAX_WAITING = 8  # pages that may wait to be made
MAX_SECONDS = 600  # that making one may take


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
        """The page; None while it is being made. A failure is raised once; the next call tries again.

        ``scoring`` is a hash of the scores: other scores make another page.
        """
        wanted = (version_id, *submission_ids)
        key = (*wanted, scoring)
        with self._lock:
            if key not in self._pages:
                if sum(not future.done() for future in self._pages.values()) >= MAX_WAITING:
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
        """Drop the oldest pages until another one fits. Those that are being made stay."""
        done = {key: _size_of(future) for key, future in self._pages.items() if future.done()}
        for key in list(done):
            if len(self._pages) < MAX_PAGES and sum(done.values()) <= MAX_BYTES:
                break
            del self._pages[key], done[key]

    def _make(self, key: tuple[str, ...]) -> bytes:
        # The address of the database may hold a password, and everybody on the machine can read arguments.
        environment = {**os.environ, "GECVAL_DATABASE": self._url}
        command = [sys.executable, "-m", "gecval.board.system_report", *key]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as process:
            self._process = process
            if self._closed:
                process.kill()
            try:
                made, said = process.communicate(timeout=MAX_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise FailedError("the report took too long, and was given up") from None
        if process.returncode:
            log.error("no report", extra={"said": said.decode("utf-8", "replace")[-2000:]})
            raise FailedError("the report could not be made; the reason is in the board's log")
        return made


def _size_of(future: Future[bytes]) -> int:
    return 0 if future.cancelled() or future.exception() else len(future.result())


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    version_id, *submission_ids = sys.argv[1:]
    with closing(open_database(os.environ["GECVAL_DATABASE"])) as database, database.read() as session:
        version = session.get_one(Version, version_id)
        rows = [session.get_one(Submission, submission_id) for submission_id in submission_ids]
        try:
            made = report_page(session, version, rows)
        except InputError as error:
            sys.exit(str(error))
    sys.stdout.buffer.write(made.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
