"""The passport of a system's scores, from the statistics that were kept: ``gecval verify`` computes all of it again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import cast

from sqlalchemy.orm import Session

from gecval.board import blobs
from gecval.board.access import Viewer
from gecval.board.data import Files, output, without_references
from gecval.board.database.models import Job, Submission, System, Version
from gecval.board.entries import current_scores
from gecval.board.errors import NotFoundError
from gecval.board.metrics import board_metric
from gecval.board.scoring import unpack
from gecval.board.systems import reported, scoring_of
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.stats import Resampling
from gecval.studies.passport.lines import Entry, output_hash, own_metric, passport_lines

KEPT = 16  # passports that are held in memory
_kept: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()
_lock = Lock()


def passport(session: Session, viewer: Viewer, version: Version, system: System) -> bytes:
    """The passport. It holds sentence scores, so whoever sees it may see the references."""
    [submission] = reported(session, viewer, version, [system])
    key = (version.id, submission.id, scoring_of(session, version, [submission]))
    with _lock:  # intervals are computed anew, so of many who ask, one computes
        if key not in _kept:
            _kept[key] = "".join(f"{line}\n" for line in _lines(session, version, submission)).encode()
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return _kept[key]


def _lines(session: Session, version: Version, submission: Submission) -> Iterator[str]:
    rows = list(current_scores(session, version)[submission.id].values())
    scorers = {session.get_one(Job, row.job_id).software for row in rows}
    if len(scorers) > 1:
        raise NotFoundError("two versions of gecval made these scores; they have no passport")
    aggregate, name = cast(Aggregate, version.aggregate), submission.system.name
    corpus = without_references(Files.of(session, version).corpus())
    written = output(corpus, name, submission.file_name, blobs.content(session, submission.blob))
    entries = [
        Entry(
            evaluation=Evaluation(own_metric(board_metric(row.metric)), unpack(row.statistics), aggregate, system=name),
            signature=row.signature,
            output=output_hash(written),
        )
        for row in rows
    ]
    resampling = Resampling() if all(row.level is not None for row in rows) else None
    return passport_lines(entries, aggregate=aggregate, resampling=resampling, made_by=scorers.pop())
