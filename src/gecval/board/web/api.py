"""JSON for programs. Callers show a token, ``Authorization: Bearer gecval_...``; cookies are ignored."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile

from gecval.board import queue, submissions
from gecval.board.access import find_benchmark, find_own_submission, find_submission, list_benchmarks, owns
from gecval.board.database.models import Benchmark, Submission, User
from gecval.board.leaderboard import make_leaderboard
from gecval.board.web.pages.submissions import Sheet, describe_submission, receive_submission
from gecval.board.web.request import Call, RequestContext, find_phase, find_version

Json = dict[str, Any]
Text = Annotated[str, Form()]
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "Invalid input; ``error`` says why, in one line."},
    403: {"description": "The token is not enough, or there is none."},
    404: {"description": "There is no such thing, or you may not know of it."},
    413: {"description": "The body is too large."},
    429: {"description": "A quota or a rate is used up."},
}
router = APIRouter(responses=ERRORS)


@router.get("/benchmarks")
def benchmarks(context: Call) -> Json:
    """The benchmarks that you may see."""
    with context.database.read() as session:
        return {"benchmarks": [_benchmark(row) for row in list_benchmarks(session, context.viewer)]}


@router.get("/benchmarks/{address}")
def benchmark(context: Call, address: str) -> Json:
    with context.database.read() as session:
        return _benchmark(find_benchmark(session, context.viewer, address))


@router.get("/benchmarks/{address}/leaderboard")
def show_leaderboard(context: Call, address: str, sort: str = "", version: int = 0, phase: str = "") -> Json:
    """The leaderboard, with signatures and the command that gives each number again."""
    with context.database.read() as session:
        row = find_benchmark(session, context.viewer, address)
        return asdict(
            make_leaderboard(session, context.viewer, find_version(row, version), find_phase(row, phase), sort)
        )


@router.post("/benchmarks/{address}/submissions", status_code=201)
def submit(
    context: Call,
    address: str,
    file: Annotated[UploadFile, File()],
    system: Text,
    sheet: Sheet,
    team: Text = "",
) -> Json:
    """Submit a system's output: text, one sentence a line. It passes the gate before it counts."""
    content = file.file.read(context.settings.most_upload + 1)
    row = receive_submission(
        context,
        address,
        team_id=team,
        system=system,
        name=(file.filename or "output.txt")[-200:],
        content=content,
        sheet=asdict(sheet),
    )
    return _submission(context, address, row.id)


@router.get("/benchmarks/{address}/submissions/{submission_id}")
def submission(context: Call, address: str, submission_id: str) -> Json:
    """Where a submission stands: waiting, with its place and the expected seconds; or its scores; or why it failed."""
    return _submission(context, address, submission_id)


@router.post("/benchmarks/{address}/submissions/{submission_id}/withdraw")
def withdraw(context: Call, address: str, submission_id: str) -> Json:
    with context.database.write() as session:
        row = find_own_submission(
            session, context.viewer, find_benchmark(session, context.viewer, address), submission_id
        )
        submissions.withdraw(session, row, _by(context))
    return _submission(context, address, submission_id)


@router.post("/benchmarks/{address}/submissions/{submission_id}/undo")
def undo(context: Call, address: str, submission_id: str) -> Json:
    with context.database.write() as session:
        row = find_own_submission(
            session, context.viewer, find_benchmark(session, context.viewer, address), submission_id
        )
        submissions.undo(session, row, _by(context), days=context.settings.undo_days)
    return _submission(context, address, submission_id)


@router.get("/queue")
def queue_state(context: Call) -> Json:
    """How many jobs are in each state."""
    with context.database.read() as session:
        return {"jobs": queue.count_by_state(session), "seconds_per_job": queue.mean_seconds(session)}


def _by(context: RequestContext) -> User:
    assert context.viewer.user is not None  # own_submission has refused strangers
    return context.viewer.user


def _benchmark(row: Benchmark) -> Json:
    version = row.versions[-1]
    return {
        "address": row.address,
        "name": row.name,
        "about": row.about,
        "visibility": row.visibility,
        "version": version.number,
        "metrics": version.metrics,
        "aggregate": version.aggregate,
        "hidden": version.hidden,
        "files": [name for name in [version.source_name] if name]
        + [reference.name for reference in version.references if not reference.hidden],
        "phases": [
            {
                name: getattr(phase, name)
                for name in ("id", "name", "opens", "closes", "per_day", "in_all", "rule", "entry", "blind", "ladder")
            }
            for phase in row.phases
        ],
    }


def _submission(context: RequestContext, address: str, submission_id: str) -> Json:
    with context.database.read() as session:
        row = find_benchmark(session, context.viewer, address)
        found: Submission = find_submission(session, context.viewer, row, submission_id)
        state = describe_submission(session, context, row, found)
        mine = owns(context.viewer, found.system)
        job = state["job"]
        return {
            "id": found.id,
            "system": found.system.name,
            "team": found.system.team.name if found.system.team else None,
            "created": found.created,
            "withdrawn": found.withdrawn,
            "state": "withdrawn" if not found.live else job.state if job else "none",
            "place": state["place"],
            "wait": state["wait"],
            "log": job.log if job and mine else "",
            "sheet": found.sheet,
            "kept_back": state["kept_back"],
            "scores": [asdict(score) for score in state["scores"]],
        }
