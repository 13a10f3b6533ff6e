"""The report page of one or two systems, with every sentence and its edits: the page of ``gecval report``.

    python -m gecval.board.report_page VERSION SUBMISSION...

runs as a process of its own, so that no reader waits for it, and prints the page. The scores are those that were kept.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import cast

from sqlalchemy.orm import Session

from gecval.board import blobs
from gecval.board.data import Files, output
from gecval.board.database.models import Submission, Version
from gecval.board.database.session import open_database
from gecval.board.entries import current_scores
from gecval.board.metrics import board_metric
from gecval.board.scoring import unpack
from gecval.board.shown import inputs, judging
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.report.page.page import page
from gecval.stats import Resampling
from gecval.studies.overview.run import overview

POLITE = 10  # how far the process stands back behind others


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(POLITE)
    version_id, *submission_ids = sys.argv[1:]
    with closing(open_database(os.environ["GECVAL_DATABASE"])) as database, database.read() as session:
        version = session.get_one(Version, version_id)
        rows = [session.get_one(Submission, submission_id) for submission_id in submission_ids]
        try:
            made = report_page(session, version, rows)
        except InputError as error:
            sys.exit(str(error))
    sys.stdout.buffer.write(made.encode("utf-8", "surrogatepass"))


def report_page(session: Session, version: Version, submissions: Sequence[Submission]) -> str:
    """The page of some submissions, each as it is on the leaderboard. The first one is whose page it is."""
    first = submissions[0].system
    corpus = Files.of(session, version).corpus()
    kept = current_scores(session, version)
    metrics = [name for name in version.metrics if all(name in kept.get(row.id, {}) for row in submissions)]
    if not metrics:
        raise InputError("there are no scores yet")
    names = _names(submissions)
    seen = overview(
        corpus,
        [output(corpus, name, row.file_name, blobs.content(session, row.blob)) for name, row in names],
        [board_metric(name) for name in metrics],
        aggregate=cast(Aggregate, version.aggregate),
        resampling=Resampling(),
        extractor=version.edits,
        inputs=" ".join(map(shlex.quote, inputs(version, _files(submissions)))),
        judging=judging(version),
        evaluations=[
            [
                Evaluation(
                    board_metric(metric),
                    unpack(kept[row.id][metric].statistics),
                    cast(Aggregate, version.aggregate),
                    system=name,
                )
                for name, row in names
            ]
            for metric in metrics
        ],
    )
    benchmark = version.benchmark
    home = f"/b/{benchmark.address}/systems/{first.id}?version={version.number}"
    return page(seen, title=f"{first.name} – {benchmark.name}", home=(home, f"{first.name} on the board"))


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


if __name__ == "__main__":
    main()
