"""JSON for programs. Who calls is told by a token: ``Authorization: Bearer gecval_...``; cookies count for nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile

from gecval.board import queue, submissions
from gecval.board.access import benchmark_at, listed_benchmarks, own_submission, owns, submission_of
from gecval.board.database.models import Benchmark, Submission, User
from gecval.board.leaderboard import leaderboard
from gecval.board.web.asking import Asked, Call
from gecval.board.web.choosing import phase_of, version_of
from gecval.board.web.intake import take_in
from gecval.board.web.telling import told

Json = dict[str, Any]
Text = Annotated[str, Form()]
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "What was sent cannot be meant; ``error`` says why, in one line."},
    403: {"description": "The token is not enough, or there is none."},
    404: {"description": "There is no such thing, or you may not know of it."},
    413: {"description": "The body is too large."},
    429: {"description": "A quota or a rate is used up."},
}
router = APIRouter(responses=ERRORS)


@router.get("/benchmarks")
def benchmarks(asked: Call) -> Json:
    """The benchmarks that you may see."""
    with asked.database.read() as session:
        return {"benchmarks": [_benchmark(row) for row in listed_benchmarks(session, asked.viewer)]}


@router.get("/benchmarks/{address}")
def benchmark(asked: Call, address: str) -> Json:
    with asked.database.read() as session:
        return _benchmark(benchmark_at(session, asked.viewer, address))


@router.get("/benchmarks/{address}/leaderboard")
def show_leaderboard(asked: Call, address: str, sort: str = "", version: int = 0, phase: str = "") -> Json:
    """The leaderboard, with signatures and the command that gives each number again."""
    with asked.database.read() as session:
        row = benchmark_at(session, asked.viewer, address)
        return asdict(leaderboard(session, asked.viewer, version_of(row, version), phase_of(row, phase), sort))


@router.post("/benchmarks/{address}/submissions", status_code=201)
def submit(
    asked: Call,
    address: str,
    file: Annotated[UploadFile, File()],
    system: Text,
    team: Text = "",
    data: Text = "",
    size: Text = "",
    paper: Text = "",
    code: Text = "",
    seen: Text = "",
) -> Json:
    """Submit a system's output: text, one sentence a line. It passes the gate before it counts."""
    content = file.file.read(asked.settings.most_upload + 1)
    row = take_in(
        asked,
        address,
        team_id=team,
        system=system,
        name=(file.filename or "output.txt")[-200:],
        content=content,
        sheet={"data": data, "size": size, "paper": paper, "code": code, "seen": seen},
    )
    return _submission(asked, address, row.id)


@router.get("/benchmarks/{address}/submissions/{submission_id}")
def submission(asked: Call, address: str, submission_id: str) -> Json:
    """Where a submission stands: waiting, with its place and the expected seconds; or its scores; or why it failed."""
    return _submission(asked, address, submission_id)


@router.post("/benchmarks/{address}/submissions/{submission_id}/withdraw")
def withdraw(asked: Call, address: str, submission_id: str) -> Json:
    with asked.database.write() as session:
        row = own_submission(session, asked.viewer, benchmark_at(session, asked.viewer, address), submission_id)
        submissions.withdraw(session, row, _by(asked))
    return _submission(asked, address, submission_id)


@router.post("/benchmarks/{address}/submissions/{submission_id}/undo")
def undo(asked: Call, address: str, submission_id: str) -> Json:
    with asked.database.write() as session:
        row = own_submission(session, asked.viewer, benchmark_at(session, asked.viewer, address), submission_id)
        submissions.undo(session, row, _by(asked), days=asked.settings.undo_days)
    return _submission(asked, address, submission_id)


@router.get("/queue")
def queue_state(asked: Call) -> Json:
    """How many jobs are in each state."""
    with asked.database.read() as session:
        return {"jobs": queue.waiting(session), "seconds_per_job": queue.seconds_per_job(session)}


def _by(asked: Asked) -> User:
    assert asked.viewer.user is not None  # own_submission has refused strangers
    return asked.viewer.user


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


def _submission(asked: Asked, address: str, submission_id: str) -> Json:
    with asked.database.read() as session:
        row = benchmark_at(session, asked.viewer, address)
        found: Submission = submission_of(session, asked.viewer, row, submission_id)
        state = told(session, asked, row, found)
        mine = owns(asked.viewer, found.system)
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
