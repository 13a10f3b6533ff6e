"""Submitting: the form, a submission's own page, and what its owners may do with it. The API takes the same path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, UploadFile
from fastapi.responses import Response
from sqlalchemy.orm import Session

from gecval.board import accounts, queue, submissions
from gecval.board.access import (
    find_own_submission,
    find_submission,
    is_kept_back,
    must_act,
    must_log_in,
    owns,
    sees_output,
    sees_scores,
    sees_submission_scores,
)
from gecval.board.accounts import HOUR, check_rate, count_attempt
from gecval.board.benchmark_data import check_size, load_sources, read_output
from gecval.board.benchmarks import find_open_phase
from gecval.board.clock import now
from gecval.board.database.models import Benchmark, Job, Submission, User, Version
from gecval.board.database.storage import read_file
from gecval.board.errors import ForbiddenError, NotFoundError
from gecval.board.form_fields import check_text_file
from gecval.board.public_scores import choose_digits, make_public
from gecval.board.recent_cache import RecentCache
from gecval.board.submissions import ScoresBySubmission, can_return, load_scores, may_choose
from gecval.board.web.rendering import file_response
from gecval.board.web.request import Page, RequestContext, Text, require_form_token
from gecval.errors import InputError
from gecval.studies.scores.input_notes import input_notes

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(require_form_token)])
ACTIONS = {"withdraw": submissions.withdraw, "delete": submissions.delete, "choose": submissions.choose}


@dataclass
class SheetForm:
    """The fact sheet of a system."""

    data: Text = ""
    size: Text = ""
    paper: Text = ""
    code: Text = ""
    seen: Text = ""


Sheet = Annotated[SheetForm, Depends()]


@reading.get("/b/{address}/submit")
def submit_form(context: Page, address: str) -> Response:
    return _submit_page(context, address)


@writing.post("/b/{address}/submit")
def submit(
    context: Page,
    address: str,
    sheet: Sheet,
    file: Annotated[UploadFile | None, File()] = None,
    system: Text = "",
    team: Text = "",
) -> Response:
    try:
        if file is None or not file.filename:
            raise InputError("choose a file first")
        content = file.file.read(context.settings.max_upload + 1)
        row = receive_submission(
            context,
            address,
            team_id=team,
            system=system,
            name=file.filename[-200:],
            content=content,
            sheet=asdict(sheet),
        )
    except InputError as error:
        if getattr(error, "status", 400) not in (400, 429):
            raise
        return _submit_page(context, address, error=str(error), given={"system": system[:80], **asdict(sheet)})
    return context.go(f"/b/{address}/submissions/{row.id}")


@reading.get("/submissions")
def show_own(context: Page) -> Response:
    """What the teams of this viewer have submitted, and how it goes."""
    must_log_in(context.viewer)
    with context.database.read() as session:
        rows = submissions.list_own(session, context.viewer)
        versions = {row.system.benchmark_id: row.system.benchmark.versions[-1] for row in rows}
        scores: ScoresBySubmission = {}
        for version in versions.values():
            scores |= load_scores(session, version, [row.id for row in rows], metric=version.metrics[0])
        own = [_describe_own(session, context, row, scores) for row in rows]
        return context.page("submissions.html", rows=own, busy=any(row.busy for row in own))


@dataclass(frozen=True)
class OwnSubmission:
    """A line of the page of one's own submissions. ``score`` is the main one, where its owner may see it. ``busy``:
    its state will change by itself, as it waits for the worker or is being scored."""

    submission: Submission
    state: str
    busy: bool
    metric: str
    score: float | None
    digits: int


def _describe_own(
    session: Session, context: RequestContext, row: Submission, scores: ScoresBySubmission
) -> OwnSubmission:
    version = row.system.benchmark.versions[-1]
    job = next((job for job in reversed(row.jobs) if job.version_id == version.id), None)
    metric, score = version.metrics[0], None
    if row.deleted:
        state = "deleted"
    elif row.withdrawn:
        state = "withdrawn"
    elif job is None:
        state = "not scored"
    elif job.state == "queued":
        state = f"number {queue.find_place(session, job)} in the queue"
    elif job.state == "leased":
        state = "being scored"
    elif job.state == "failed":
        state = "could not be scored"
    elif not sees_scores(context.viewer, row.phase):
        state = "scored; shown when the phase closes"
    elif is_kept_back(context.viewer, row, version.id):
        state = "scored; not better by more than chance"
    else:
        state = "scored"
        stored = scores.get(row.id, {}).get(metric)
        score = make_public(context.viewer, version, row, stored).score if stored else None
    busy = row.live and job is not None and job.state in ("queued", "leased")
    return OwnSubmission(row, state, busy, metric, score, choose_digits(context.viewer, version))


@reading.get("/b/{address}/submissions/{submission_id}")
def show(context: Page, address: str, submission_id: str) -> Response:
    with context.read_benchmark(address) as (session, benchmark):
        submission = find_submission(session, context.viewer, benchmark, submission_id)
        return context.page("submission.html", **describe_submission(session, context, benchmark, submission))


@reading.get("/b/{address}/submissions/{submission_id}/status")
def status(context: Page, address: str, submission_id: str) -> Response:
    """The part of the page that changes while a submission waits; htmx asks for it again."""
    with context.read_benchmark(address) as (session, benchmark):
        submission = find_submission(session, context.viewer, benchmark, submission_id)
        return context.page("status.html", **describe_submission(session, context, benchmark, submission))


@reading.get("/b/{address}/submissions/{submission_id}/output")
def download_output(context: Page, address: str, submission_id: str) -> Response:
    with context.read_benchmark(address) as (session, benchmark):
        submission = find_submission(session, context.viewer, benchmark, submission_id)
        if not sees_output(context.viewer, submission):
            raise NotFoundError("the output of this decoy would give hidden references away")
        return file_response(read_file(session, submission.blob), submission.file_name)


@writing.post("/b/{address}/submissions/{submission_id}/{action}")
def act(context: Page, address: str, submission_id: str, action: str) -> Response:
    """Withdraw, delete, choose, or undo."""
    user = must_log_in(context.viewer)
    with context.write_benchmark(address) as (session, benchmark):
        submission = find_own_submission(session, context.viewer, benchmark, submission_id)
        by = session.get_one(User, user.id)
        if action == "undo":
            submissions.undo(session, submission, by, days=context.settings.undo_days)
        elif action in ACTIONS:
            ACTIONS[action](session, submission, by)
        else:
            raise NotFoundError("there is no such action")
    return context.go(f"/b/{address}/submissions/{submission_id}")


def _submit_page(
    context: RequestContext, address: str, *, error: str = "", given: dict[str, str] | None = None
) -> Response:
    user = must_log_in(context.viewer)
    with context.read_benchmark(address) as (session, benchmark):
        phase = find_open_phase(benchmark, now())
        teams = accounts.list_teams(session, user)
        return context.page(
            "submit.html",
            status=400 if error else 200,
            benchmark=benchmark,
            version=benchmark.versions[-1],
            phase=phase,
            teams=teams,
            quotas={team.id: submissions.count_quota(session, phase, team.id) for team in teams} if phase else {},
            error=error,
            given=given or {},
            seen=submissions.SEEN,
        )


def describe_submission(
    session: Session, context: RequestContext, benchmark: Benchmark, submission: Submission
) -> dict[str, Any]:
    """All that a submission's page says."""
    version = benchmark.versions[-1]
    if submission.version_id:
        version = next(row for row in benchmark.versions if row.id == submission.version_id)
    jobs = [job for job in submission.jobs if job.version_id == version.id]
    job: Job | None = jobs[-1] if jobs else None
    place = queue.find_place(session, job) if job and job.state == "queued" else None
    visible = sees_scores(context.viewer, submission.phase)
    shows = sees_submission_scores(context.viewer, submission, version.id)
    rows = load_scores(session, version, [submission.id]).get(submission.id, {}) if shows else {}
    return {
        "benchmark": benchmark,
        "version": version,
        "submission": submission,
        "job": job,
        "place": place,
        "wait": queue.expect_wait(session, place) if place else None,
        "scores": [make_public(context.viewer, version, submission, row) for row in rows.values()],
        "visible": visible,
        "kept_back": is_kept_back(context.viewer, submission, version.id),
        "may_choose": may_choose(submission),
        "can_return": can_return(submission, days=context.settings.undo_days),
        "owner": owns(context.viewer, submission.system),
        "digits": choose_digits(context.viewer, version),
        "output": sees_output(context.viewer, submission),
        "input_notes": _input_notes(session, version, submission) if owns(context.viewer, submission.system) else (),
    }


_noted: RecentCache[tuple[str, ...]] = RecentCache(1000)


def _input_notes(session: Session, version: Version, submission: Submission) -> tuple[str, ...]:
    """What looks wrong with the output, as ``gecval score`` says it. Only the source is looked at: it is public."""

    def read() -> tuple[str, ...]:
        corpus = load_sources(session, version)
        content = read_file(session, submission.blob)
        try:
            output = read_output(corpus, submission.system.name, submission.file_name, content)
        except InputError:  # it was made for another version: its job says so
            return ()
        return tuple(input_notes(corpus, [output]))

    return () if submission.system.decoy else _noted.get((version.id, submission.id), read)


# From a form or the API to the queue: rate, gate, then the transaction that counts the submission.


def receive_submission(
    context: RequestContext,
    address: str,
    *,
    team_id: str,
    system: str,
    name: str,
    content: bytes,
    sheet: Mapping[str, str],
) -> Submission:
    """The submission, queued; or the one line that says why not. Nothing that is refused costs quota."""
    user = must_act(context.viewer, "submit")
    with context.database.write() as session:
        check_rate(session, "upload", user.id, limit=context.settings.uploads, seconds=HOUR)
        count_attempt(session, "upload", user.id)
    with context.read_benchmark(address) as (session, benchmark):
        check_text_file(content, name, max_bytes=context.settings.max_upload)
        corpus = load_sources(session, benchmark.versions[-1])
        check_size(corpus, name, content)
        read_output(corpus, "the output", name, content)
    chosen = _choose_team(context, team_id)
    with context.write_benchmark(address) as (session, benchmark):
        by = session.get_one(User, user.id)
        return submissions.submit(
            session, benchmark, chosen, by, system=system, name=name, content=content, sheet=sheet
        )


def _choose_team(context: RequestContext, team_id: str) -> str:
    """The team that submits: the one with this name or id, or the only one that there is."""
    teams = context.viewer.teams
    if team_id:
        with context.database.read() as session:
            found = accounts.find_team(session, team_id)
        if found is None or found.id not in teams:
            raise ForbiddenError("you are not in this team")
        return found.id
    if not teams:
        raise InputError("you are in no team yet: make one on your account page")
    if len(teams) > 1:
        raise InputError("you are in several teams: say which one submits")
    return next(iter(teams))
