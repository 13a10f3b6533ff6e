"""JSON for programs. Callers show a token, ``Authorization: Bearer gecval_...``; cookies are ignored."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, File, Response, UploadFile

from gecval.board import queue, submissions
from gecval.board.access import find_own_submission, find_submission, list_benchmarks, must_log_in, owns
from gecval.board.database.models import Benchmark, Submission
from gecval.board.leaderboard import make_leaderboard
from gecval.board.web.pages.benchmark import find_shared
from gecval.board.web.pages.submissions import Sheet, describe_submission, receive_submission
from gecval.board.web.request import Call, RequestContext, Text, find_phase, find_version

Json = dict[str, Any]
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "Invalid input; ``error`` says why, in one line."},
    403: {"description": "The token is not enough, or there is none."},
    404: {"description": "There is no such thing, or you may not know of it."},
    413: {"description": "The body is too large."},
    429: {"description": "A quota or a rate is used up."},
}
PHASE_FIELDS = ("id", "name", "opens", "closes", "per_day", "in_all", "rule", "entry", "blind", "private", "ladder")
router = APIRouter(responses=ERRORS)


@router.get("/benchmarks")
def benchmarks(context: Call) -> Json:
    """The benchmarks that you may see."""
    with context.database.read() as session:
        return {"benchmarks": [_describe_benchmark(row) for row in list_benchmarks(session, context.viewer)]}


@router.get("/benchmarks/{address}")
def benchmark(context: Call, address: str) -> Json:
    with context.read_benchmark(address) as (_, row):
        return _describe_benchmark(row)


@router.get("/benchmarks/{address}/leaderboard", response_model=Json)
def show_leaderboard(context: Call, address: str, sort: str = "", version: int = 0, phase: str = "") -> Response:
    """The leaderboard, with signatures and the command that gives each number again."""
    with context.read_benchmark(address) as (session, row):

        def make() -> str:
            chosen, during = find_version(row, version), find_phase(row, phase)
            board = make_leaderboard(session, context.viewer, chosen, during, sort, context.scores)
            return json.dumps(asdict(board), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

        return Response(find_shared(context, session, row, make).before.content, media_type="application/json")


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
    content = file.file.read(context.settings.max_upload + 1)
    row = receive_submission(
        context,
        address,
        team_id=team,
        system=system,
        name=(file.filename or "output.txt")[-200:],
        content=content,
        sheet=asdict(sheet),
    )
    return _describe_submission(context, address, row.id)


@router.get("/benchmarks/{address}/submissions/{submission_id}")
def submission(context: Call, address: str, submission_id: str) -> Json:
    """Where a submission stands: waiting, with its place and the expected seconds; or its scores; or why it failed."""
    return _describe_submission(context, address, submission_id)


@router.post("/benchmarks/{address}/submissions/{submission_id}/withdraw")
def withdraw(context: Call, address: str, submission_id: str) -> Json:
    with context.write_benchmark(address) as (session, benchmark):
        row = find_own_submission(session, context.viewer, benchmark, submission_id)
        submissions.withdraw(session, row, must_log_in(context.viewer))
    return _describe_submission(context, address, submission_id)


@router.post("/benchmarks/{address}/submissions/{submission_id}/undo")
def undo(context: Call, address: str, submission_id: str) -> Json:
    with context.write_benchmark(address) as (session, benchmark):
        row = find_own_submission(session, context.viewer, benchmark, submission_id)
        submissions.undo(session, row, must_log_in(context.viewer), days=context.settings.undo_days)
    return _describe_submission(context, address, submission_id)


@router.get("/queue")
def queue_state(context: Call) -> Json:
    """How many jobs are in each state."""
    with context.database.read() as session:
        return {"jobs": queue.count_by_state(session), "seconds_per_job": queue.mean_seconds(session)}


def _describe_benchmark(row: Benchmark) -> Json:
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
        "files": [version.source_file]
        + [reference.name for reference in version.references if version.offered and not reference.hidden],
        "phases": [{name: getattr(phase, name) for name in PHASE_FIELDS} for phase in row.phases],
    }


def _describe_submission(context: RequestContext, address: str, submission_id: str) -> Json:
    with context.read_benchmark(address) as (session, row):
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
            "notes": state["input_notes"],
            "sheet": found.sheet,
            "kept_back": state["kept_back"],
            "scores": [asdict(score) for score in state["scores"]],
        }
