"""For organisers: new benchmarks and versions, phases, who is admitted, invitations, the audit log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, UploadFile
from fastapi.responses import Response
from sqlalchemy import delete, select

from gecval.board import accounts, audit, benchmarks, clock, deletion, presets, queue
from gecval.board.access import benchmark_at, deleted_benchmark, must_organise
from gecval.board.benchmarks import Data, GivenFile, PhaseRules
from gecval.board.database.models import Admission, Submission, Team, User
from gecval.board.database.people import Role
from gecval.board.errors import NotFoundError
from gecval.board.metrics import choosable
from gecval.board.names import clean_text
from gecval.board.web.asking import Asked, Page, form
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(form)])
Text = Annotated[str, Form()]
Files = Annotated[list[UploadFile], File()]
NO_FILES: list[UploadFile] = []


@dataclass
class PhaseForm:
    """What a form says of a phase. It is read only once the page knows who asks."""

    phase: Text = ""
    opens: Text = ""
    closes: Text = ""
    per_day: Text = ""
    in_all: Text = ""
    rule: Text = "best"
    entry: Text = "system"
    blind: Annotated[bool, Form()] = False
    ladder: Text = ""

    def rules(self, *, name: str) -> PhaseRules:
        return PhaseRules(
            name=name,
            opens=clock.read(self.opens, "the start"),
            closes=clock.read(self.closes, "the end"),
            per_day=_count(self.per_day),
            in_all=_count(self.in_all),
            rule=self.rule,
            entry=self.entry,
            blind=self.blind,
            ladder=_step(self.ladder),
        )


Phase = Annotated[PhaseForm, Depends()]


@reading.get("/new")
def new_form(asked: Page) -> Response:
    must_organise(asked.viewer)
    return asked.page("new.html", metrics=choosable(), presets=presets.PRESETS)


@writing.post("/new")
def new(
    asked: Page,
    phase: Phase,
    name: Text = "",
    about: Text = "",
    visibility: Text = "public",
    preset: Text = "",
    source: Annotated[UploadFile | None, File()] = None,
    public: Files = NO_FILES,
    hidden: Files = NO_FILES,
    metrics: Text = "",
    aggregate: Text = "corpus",
    missing: Text = "absent",
    language: Text = "",
    tokenize: Text = "",
) -> Response:
    user = must_organise(asked.viewer)
    data = (
        presets.PRESETS[preset].data()
        if preset in presets.PRESETS
        else given_data(
            asked,
            source,
            public,
            hidden,
            metrics=metrics,
            aggregate=aggregate,
            missing=missing,
            language=language,
            tokenize=tokenize,
        )
    )
    rules = phase.rules(name=phase.phase or "open")
    with asked.database.write() as session:
        made = benchmarks.make_benchmark(
            session,
            asked.settings,
            session.merge(user),
            name=name,
            about=about,
            visibility=visibility,
            data=data,
            phase=rules,
        )
    return asked.go(f"/b/{made.address}")


@reading.get("/b/{address}/settings")
def settings_form(asked: Page, address: str) -> Response:
    must_organise(asked.viewer)
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        admitted = session.scalars(select(Admission.team_id).where(Admission.benchmark_id == benchmark.id)).all()
        return asked.page(
            "settings.html",
            benchmark=benchmark,
            teams=session.scalars(select(Team).order_by(Team.name)).all(),
            admitted=set(admitted),
            link=f"{asked.request.base_url}b/{benchmark.address}",
        )


@writing.post("/b/{address}/settings")
def change(
    asked: Page,
    address: str,
    about: Text = "",
    visibility: Text = "public",
    admitted: Annotated[list[str] | None, Form()] = None,
) -> Response:
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        if visibility not in benchmarks.VISIBILITIES:
            raise InputError("visibility is public, link or private")
        benchmark.about, benchmark.visibility = clean_text(about, "the description"), visibility
        session.execute(delete(Admission).where(Admission.benchmark_id == benchmark.id))
        for team_id in dict.fromkeys(admitted or []):
            if session.get(Team, team_id) is None:
                raise NotFoundError("there is no such team")
            session.add(Admission(benchmark_id=benchmark.id, team_id=team_id))
        audit.record(session, user.name, "change", f"benchmark {benchmark.id}", visibility=visibility)
    return asked.go(f"/b/{benchmark.address}/settings")


@writing.post("/b/{address}/versions")
def add_version(
    asked: Page,
    address: str,
    note: Text = "",
    source: Annotated[UploadFile | None, File()] = None,
    public: Files = NO_FILES,
    hidden: Files = NO_FILES,
    metrics: Text = "",
    aggregate: Text = "corpus",
    missing: Text = "absent",
    language: Text = "",
    tokenize: Text = "",
) -> Response:
    user = must_organise(asked.viewer)
    data = given_data(
        asked,
        source,
        public,
        hidden,
        metrics=metrics,
        aggregate=aggregate,
        missing=missing,
        language=language,
        tokenize=tokenize,
        note=note,
    )
    with asked.database.write() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        benchmarks.add_version(session, asked.settings, session.merge(user), benchmark, data)
    return asked.go(f"/b/{address}")


@writing.post("/b/{address}/phases")
def add_phase(asked: Page, address: str, phase: Phase) -> Response:
    user = must_organise(asked.viewer)
    rules = phase.rules(name=phase.phase)
    with asked.database.write() as session:
        benchmarks.add_phase(session, session.merge(user), benchmark_at(session, asked.viewer, address), rules)
    return asked.go(f"/b/{address}/settings")


@writing.post("/b/{address}/delete")
def delete_benchmark(asked: Page, address: str, name: Text = "") -> Response:
    """It takes the name of the benchmark, so that nobody does it by a slip."""
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        if " ".join(name.split()) != benchmark.name:
            raise InputError("write the name of the benchmark to delete it")
        deletion.delete(session, benchmark, session.merge(user))
    return asked.go("/")


@writing.post("/b/{address}/undo")
def bring_back(asked: Page, address: str) -> Response:
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        benchmark = deleted_benchmark(session, asked.viewer, address)
        deletion.undo(session, benchmark, session.merge(user), days=asked.settings.undo_days)
    return asked.go(f"/b/{benchmark.address}")


@writing.post("/b/{address}/submissions/{submission_id}/retry")
def retry(asked: Page, address: str, submission_id: str) -> Response:
    """Score a failed submission once more, when what was wrong is mended."""
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        submission = session.get(Submission, submission_id)
        if submission is None or submission.system.benchmark_id != benchmark.id:
            raise NotFoundError("there is no such submission")
        queue.requeue(session, submission_id, "failed")
        audit.record(session, user.name, "retry", f"submission {submission_id}")
    return asked.go(f"/b/{address}/submissions/{submission_id}")


@reading.get("/people")
def people(asked: Page) -> Response:
    must_organise(asked.viewer)
    return _people(asked)


@writing.post("/people")
def invite(asked: Page, role: Text = "participant") -> Response:
    user = must_organise(asked.viewer)
    chosen: Role | None = next((known for known in accounts.ROLES if known == role), None)
    if chosen is None:
        raise InputError(f"a role is {', '.join(accounts.ROLES)}")
    with asked.database.write() as session:
        secret = accounts.invite(session, role=chosen, by=session.merge(user), days=accounts.INVITATION_DAYS)
    return _people(asked, link=f"{asked.request.base_url}join/{secret}")


def _people(asked: Asked, link: str = "") -> Response:
    with asked.database.read() as session:
        listed = session.scalars(select(User).order_by(User.folded)).all()
        people = [(person, [team.name for team in accounts.teams_of(session, person)]) for person in listed]
        return asked.page("people.html", link=link, roles=accounts.ROLES, people=people)


@reading.get("/audit")
def log(asked: Page, before: int | None = None) -> Response:
    must_organise(asked.viewer)
    with asked.database.read() as session:
        entries = audit.entries(session, before=before)
        more = bool(entries) and bool(audit.entries(session, before=entries[-1].id))
        return asked.page("audit.html", entries=entries, more=more)


def given_data(
    asked: Asked, source: UploadFile | None, public: list[UploadFile], hidden: list[UploadFile], **more: str
) -> Data:
    """The files of a form. An empty field of a form is an upload without a name."""
    given = [(file, concealed) for files, concealed in ((public, False), (hidden, True)) for file in files]
    references = [read_file(asked, file, hidden=concealed) for file, concealed in given if file.filename]
    return Data(
        source=read_file(asked, source) if source and source.filename else None,
        references=references,
        **more,  # type: ignore[arg-type]
    )


def read_file(asked: Asked, file: UploadFile, *, hidden: bool = False) -> GivenFile:
    """An upload, cut off behind the first byte that is too much: the gate then refuses it."""
    content = file.file.read(asked.settings.most_upload + 1)
    return GivenFile(name=(file.filename or "file")[-200:], content=content, hidden=hidden)


def _count(text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.strip().isascii() and text.strip().isdigit() and len(text.strip()) < 8):
        raise InputError("a limit is a number, or nothing")
    return int(text)


def _step(text: str) -> float | None:
    if not text.strip():
        return None
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text.strip()):
        raise InputError("a step of the Ladder is a number of standard errors, or nothing")
    return float(text)
