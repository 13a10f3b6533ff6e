"""All that can be told about a submission: its place in the queue or its scores. Its page and the API tell the same."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from gecval.board import queue
from gecval.board.access import kept_back, owns, sees_output, sees_scores, sees_scores_of
from gecval.board.database.models import Benchmark, Job, Submission
from gecval.board.entries import current_scores
from gecval.board.shown import shown
from gecval.board.submissions import can_return
from gecval.board.web.asking import Asked


def told(session: Session, asked: Asked, benchmark: Benchmark, submission: Submission) -> dict[str, Any]:
    """All that a submission's page says."""
    version = benchmark.versions[-1]
    if submission.version_id:
        version = next(row for row in benchmark.versions if row.id == submission.version_id)
    jobs = [job for job in submission.jobs if job.version_id == version.id]
    job: Job | None = jobs[-1] if jobs else None
    place = queue.place(session, job) if job and job.state == "queued" else None
    seconds = queue.seconds_per_job(session)
    visible = sees_scores(asked.viewer, submission.phase)
    shows = sees_scores_of(asked.viewer, submission, version.id)
    rows = current_scores(session, version).get(submission.id, {}) if shows else {}
    return {
        "benchmark": benchmark,
        "version": version,
        "submission": submission,
        "job": job,
        "place": place,
        "wait": place * seconds if place and seconds else None,
        "scores": [shown(asked.viewer, version, submission, row) for row in rows.values()],
        "visible": visible,
        "kept_back": kept_back(asked.viewer, submission, version.id),
        "can_return": can_return(submission, days=asked.settings.undo_days),
        "owner": owns(asked.viewer, submission.system),
        "digits": 4 if not version.hidden or asked.viewer.organiser else version.digits,
        "output": sees_output(asked.viewer, submission),
    }
