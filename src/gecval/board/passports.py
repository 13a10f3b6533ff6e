"""The passport of a system's scores, from the statistics that were kept: ``gecval verify`` computes all of it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sqlalchemy.orm import Session

from gecval.board import blobs
from gecval.board.access import Viewer
from gecval.board.data import output
from gecval.board.database.models import Job, System, Version
from gecval.board.entries import current_scores
from gecval.board.errors import NotFoundError
from gecval.board.metrics import board_metric
from gecval.board.scoring import unpack
from gecval.board.systems import reported, visible_corpus
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.stats import Resampling
from gecval.studies.passport.lines import Entry, output_hash, own_metric, passport_lines


def passport(session: Session, viewer: Viewer, version: Version, system: System) -> Iterator[str]:
    """The lines of the passport. It holds sentence scores, so whoever sees it may see the references."""
    [submission] = reported(session, viewer, version, [system])
    rows = list(current_scores(session, version)[submission.id].values())
    scorers = {session.get_one(Job, row.job_id).software for row in rows}
    if len(scorers) > 1:
        raise NotFoundError("two versions of gecval made these scores; they have no passport")
    aggregate = cast(Aggregate, version.aggregate)
    corpus = visible_corpus(session, viewer, version)
    written = output_hash(output(corpus, system.name, submission.file_name, blobs.content(session, submission.blob)))
    entries = [
        Entry(
            evaluation=Evaluation(
                own_metric(board_metric(row.metric)), unpack(row.statistics), aggregate, system=system.name
            ),
            signature=row.signature,
            output=written,
        )
        for row in rows
    ]
    resampling = Resampling() if all(row.level is not None for row in rows) else None
    return passport_lines(entries, aggregate=aggregate, resampling=resampling, made_by=scorers.pop())
