"""Submitting: the form, a submission's own page, and what its owners may do with it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, UploadFile
from fastapi.responses import Response

from gecval.board import accounts, blobs, submissions
from gecval.board.access import (
    benchmark_at,
    must_be_known,
    own_submission,
    sees_output,
    submission_of,
)
from gecval.board.benchmarks import open_phase
from gecval.board.clock import now
from gecval.board.database.models import User
from gecval.board.errors import NotFoundError
from gecval.board.web.asking import Asked, Page, form
from gecval.board.web.files import text_answer
from gecval.board.web.intake import take_in
from gecval.board.web.telling import told
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(form)])
Text = Annotated[str, Form()]
ACTIONS = {"withdraw": submissions.withdraw, "delete": submissions.delete, "choose": submissions.choose}


@reading.get("/b/{address}/submit")
def submit_form(asked: Page, address: str) -> Response:
    return _form(asked, address)


@writing.post("/b/{address}/submit")
def submit(
    asked: Page,
    address: str,
    file: Annotated[UploadFile | None, File()] = None,
    system: Text = "",
    team: Text = "",
    data: Text = "",
    size: Text = "",
    paper: Text = "",
    code: Text = "",
    seen: Text = "",
) -> Response:
    sheet = {"data": data, "size": size, "paper": paper, "code": code, "seen": seen}
    try:
        if file is None or not file.filename:
            raise InputError("choose a file first")
        content = file.file.read(asked.settings.most_upload + 1)
        row = take_in(
            asked, address, team_id=team, system=system, name=file.filename[-200:], content=content, sheet=sheet
        )
    except InputError as error:
        if getattr(error, "status", 400) not in (400, 429):
            raise
        return _form(asked, address, error=str(error), given={"system": system[:80], **sheet})
    return asked.go(f"/b/{address}/submissions/{row.id}")


@reading.get("/b/{address}/submissions/{submission_id}")
def show(asked: Page, address: str, submission_id: str) -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        submission = submission_of(session, asked.viewer, benchmark, submission_id)
        return asked.page("submission.html", **told(session, asked, benchmark, submission))


@reading.get("/b/{address}/submissions/{submission_id}/status")
def status(asked: Page, address: str, submission_id: str) -> Response:
    """The part of the page that changes while a submission waits; htmx asks for it again."""
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        submission = submission_of(session, asked.viewer, benchmark, submission_id)
        return asked.page("status.html", **told(session, asked, benchmark, submission))


@reading.get("/b/{address}/submissions/{submission_id}/output")
def output(asked: Page, address: str, submission_id: str) -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        submission = submission_of(session, asked.viewer, benchmark, submission_id)
        if not sees_output(asked.viewer, submission):
            raise NotFoundError("the output of this decoy would give hidden references away")
        return text_answer(blobs.content(session, submission.blob), submission.file_name)


@writing.post("/b/{address}/submissions/{submission_id}/{action}")
def act(asked: Page, address: str, submission_id: str, action: str) -> Response:
    """Withdraw, delete, choose, or undo."""
    user = must_be_known(asked.viewer)
    with asked.database.write() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        submission = own_submission(session, asked.viewer, benchmark, submission_id)
        by = session.get_one(User, user.id)
        if action == "undo":
            submissions.undo(session, submission, by, days=asked.settings.undo_days)
        elif action in ACTIONS:
            ACTIONS[action](session, submission, by)
        else:
            raise NotFoundError("there is no such action")
        system_id = submission.system_id
    if action == "delete":
        return asked.go(f"/b/{address}/systems/{system_id}")
    return asked.go(f"/b/{address}/submissions/{submission_id}")


def _form(asked: Asked, address: str, *, error: str = "", given: dict[str, str] | None = None) -> Response:
    user = must_be_known(asked.viewer)
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        phase = open_phase(benchmark, now())
        teams = accounts.teams_of(session, user)
        return asked.page(
            "submit.html",
            status=400 if error else 200,
            benchmark=benchmark,
            version=benchmark.versions[-1],
            phase=phase,
            teams=teams,
            quotas={team.id: submissions.quota(session, phase, team.id) for team in teams} if phase else {},
            error=error,
            given=given or {},
            seen=submissions.SEEN,
        )
