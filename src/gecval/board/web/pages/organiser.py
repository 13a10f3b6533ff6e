"""For organisers: new benchmarks and versions, phases, who is admitted, invitations, the audit log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar, cast

from fastapi import APIRouter, Depends, File, Form, UploadFile
from fastapi.responses import Response
from sqlalchemy import delete, select

from gecval.board import accounts, benchmark_data, benchmarks, clock, mail, queue
from gecval.board.access import find_deleted_benchmark, must_organise
from gecval.board.allowed_metrics import board_metrics, list_metrics
from gecval.board.benchmark_data import UploadedFile, VersionData
from gecval.board.benchmarks import PhaseRules
from gecval.board.database.models import Admission, Role, Submission, Team, User
from gecval.board.database.storage import list_entries, record
from gecval.board.errors import NotFoundError
from gecval.board.form_fields import check_choice, clean_text, file_name, parse_count
from gecval.board.web.request import Page, RequestContext, Text, find_phase, find_version, require_form_token
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(require_form_token)])
Upload = Annotated[UploadFile | None, File()]
Uploads = Annotated[list[UploadFile] | None, File()]
PHASE_ACTIONS = {"end": benchmarks.end_phase, "remove": benchmarks.remove_phase}


@dataclass
class PhaseForm:
    """What a form says of a phase. It is read only once the page knows who asks."""

    phase: Text = ""
    opens: Text = ""
    closes: Text = ""
    per_day: Text = ""
    in_all: Text = ""
    rule: Text = "best"
    entry: Text = ""
    blind: Annotated[bool, Form()] = False
    private: Text = ""
    ladder: Text = ""
    overlaps: Annotated[bool, Form()] = False

    def rules(self, *, name: str) -> PhaseRules:
        return PhaseRules(
            name=name,
            opens=_parse("opens", lambda: clock.parse_moment(self.opens, "the start")),
            closes=_parse("closes", lambda: clock.parse_moment(self.closes, "the end")),
            per_day=_parse("per_day", lambda: _parse_limit(self.per_day)),
            in_all=_parse("in_all", lambda: _parse_limit(self.in_all)),
            rule=self.rule,
            entry=self.entry,
            blind=self.blind,
            private={"true": True, "false": False}.get(self.private),
            ladder=_parse("ladder", lambda: _parse_step(self.ladder)),
            overlaps=self.overlaps,
        )


@dataclass
class DataForm:
    """What a form says of the data of a version. An empty field for a file is an upload without a name."""

    source: Upload = None
    public: Uploads = None
    hidden: Uploads = None
    metrics: Text = ""
    aggregate: Text = "corpus"
    missing: Text = "absent"
    language: Text = ""
    tokenize: Text = ""
    note: Text = ""

    def read(self, context: RequestContext) -> VersionData:
        """The data. Each upload is cut off behind the first byte that is too much: the gate then refuses it."""

        def read(file: UploadFile, *, hidden: bool = False) -> UploadedFile:
            content = file.file.read(context.settings.max_upload + 1)
            return UploadedFile(name=(file.filename or "file")[-200:], content=content, hidden=hidden)

        listed = [(file, False) for file in self.public or ()] + [(file, True) for file in self.hidden or ()]
        return VersionData(
            source=read(self.source) if self.source and self.source.filename else None,
            references=[read(file, hidden=hidden) for file, hidden in listed if file.filename],
            metrics=_parse("metrics", lambda: board_metrics(self.metrics)),
            aggregate=self.aggregate,
            missing=self.missing,
            language=self.language,
            tokenize=self.tokenize,
            note=self.note,
        )

    @contextmanager
    def files_named(self) -> Iterator[None]:
        """An error that speaks of a file names its field: that of the first file in the message."""
        try:
            yield
        except InputError as error:
            fields = {"source": [self.source], "public": self.public, "hidden": self.hidden}
            found = [
                (str(error).index(name), field)
                for field, files in fields.items()
                for file in files or ()
                if file and file.filename and (name := file_name(file.filename, "")) in str(error)
            ]
            error.parameters = error.parameters or tuple(field for _, field in sorted(found)[:1])
            raise


Phase = Annotated[PhaseForm, Depends()]
Data = Annotated[DataForm, Depends()]


@reading.get("/new")
def new_form(context: Page) -> Response:
    must_organise(context.viewer)
    return context.page("new.html", metrics=list_metrics(), presets=benchmark_data.PRESETS)


@writing.post("/new")
def new(
    context: Page,
    phase: Phase,
    data: Data,
    name: Text = "",
    about: Text = "",
    visibility: Text = "public",
    preset: Text = "",
) -> Response:
    user = must_organise(context.viewer)
    known = benchmark_data.PRESETS.get(preset)
    chosen = known.data(context.settings) if known else data.read(context)
    rules = phase.rules(name=phase.phase or "open")
    with context.database.write() as session, data.files_named():
        made = benchmarks.make_benchmark(
            session,
            context.settings,
            session.merge(user),
            name=name,
            about=about.strip() or (known.description if known else ""),
            visibility=visibility,
            data=chosen,
            phase=rules,
        )
    return context.go(f"/b/{made.address}")


@reading.get("/b/{address}/settings")
def settings_form(context: Page, address: str) -> Response:
    must_organise(context.viewer)
    with context.read_benchmark(address) as (session, benchmark):
        admitted = session.scalars(select(Admission.team_id).where(Admission.benchmark_id == benchmark.id)).all()
        return context.page(
            "settings.html",
            benchmark=benchmark,
            teams=session.scalars(select(Team).order_by(Team.name)).all(),
            admitted=set(admitted),
            link=f"{context.home}/b/{benchmark.address}",
        )


@writing.post("/b/{address}/settings")
def change(
    context: Page,
    address: str,
    about: Text = "",
    visibility: Text = "public",
    admitted: Annotated[list[str] | None, Form()] = None,
) -> Response:
    user = must_organise(context.viewer)
    with context.write_benchmark(address) as (session, benchmark):
        benchmark.about = clean_text(about, "the description")
        benchmark.visibility = check_choice(visibility, benchmarks.VISIBILITIES, "visibility")
        session.execute(delete(Admission).where(Admission.benchmark_id == benchmark.id))
        for team_id in dict.fromkeys(admitted or []):
            if session.get(Team, team_id) is None:
                raise NotFoundError("there is no such team")
            session.add(Admission(benchmark_id=benchmark.id, team_id=team_id))
        record(session, user.name, "change", f"benchmark {benchmark.id}", visibility=visibility)
    return context.go(f"/b/{benchmark.address}/settings")


@writing.post("/b/{address}/versions")
def add_version(context: Page, address: str, data: Data) -> Response:
    user = must_organise(context.viewer)
    chosen = data.read(context)
    with context.write_benchmark(address) as (session, benchmark), data.files_named():
        benchmarks.add_version(session, context.settings, session.merge(user), benchmark, chosen)
    return context.go(f"/b/{address}")


@writing.post("/b/{address}/versions/{number}/remove")
def remove_version(context: Page, address: str, number: int) -> Response:
    user = must_organise(context.viewer)
    with context.write_benchmark(address) as (session, benchmark):
        benchmarks.remove_version(session, session.merge(user), benchmark, find_version(benchmark, number))
    return context.go(f"/b/{address}/settings")


@writing.post("/b/{address}/phases")
def add_phase(context: Page, address: str, phase: Phase) -> Response:
    user = must_organise(context.viewer)
    rules = phase.rules(name=phase.phase)
    with context.write_benchmark(address) as (session, benchmark):
        benchmarks.add_phase(session, session.merge(user), benchmark, rules)
    return context.go(f"/b/{address}/settings")


@writing.post("/b/{address}/phases/{phase_id}")
def change_phase(context: Page, address: str, phase_id: str, phase: Phase) -> Response:
    user = must_organise(context.viewer)
    with context.write_benchmark(address) as (session, benchmark):
        chosen = find_phase(benchmark, phase_id)
        rules = phase.rules(name=phase.phase or chosen.name)
        # A field has no seconds: a date that nobody changed stays as it is.
        if phase.opens == clock.format_field(chosen.opens):
            rules = replace(rules, opens=chosen.opens)
        if phase.closes == clock.format_field(chosen.closes):
            rules = replace(rules, closes=chosen.closes)
        benchmarks.change_phase(session, session.merge(user), benchmark, chosen, rules)
    return context.go(f"/b/{address}/settings")


@writing.post("/b/{address}/phases/{phase_id}/{action}")
def act_on_phase(context: Page, address: str, phase_id: str, action: str) -> Response:
    """End a phase now, or remove one that nobody submitted to."""
    user = must_organise(context.viewer)
    if action not in PHASE_ACTIONS:
        raise NotFoundError("there is no such action")
    with context.write_benchmark(address) as (session, benchmark):
        PHASE_ACTIONS[action](session, session.merge(user), benchmark, find_phase(benchmark, phase_id))
    return context.go(f"/b/{address}/settings")


@writing.post("/b/{address}/delete")
def delete_benchmark(context: Page, address: str, name: Text = "") -> Response:
    """It takes the name of the benchmark, so that nobody does it by a slip."""
    user = must_organise(context.viewer)
    with context.write_benchmark(address) as (session, benchmark):
        if " ".join(name.split()) != benchmark.name:
            raise InputError("write the name of the benchmark to delete it")
        benchmarks.delete(session, benchmark, session.merge(user))
    return context.go("/")


@writing.post("/b/{address}/undo")
def bring_back(context: Page, address: str) -> Response:
    user = must_organise(context.viewer)
    with context.database.write() as session:
        benchmark = find_deleted_benchmark(session, context.viewer, address)
        benchmarks.undo(session, benchmark, session.merge(user), days=context.settings.undo_days)
    return context.go(f"/b/{benchmark.address}")


@writing.post("/b/{address}/submissions/{submission_id}/retry")
def retry(context: Page, address: str, submission_id: str) -> Response:
    """Score a failed submission once more, when the cause is fixed."""
    user = must_organise(context.viewer)
    with context.write_benchmark(address) as (session, benchmark):
        submission = session.get(Submission, submission_id)
        if submission is None or submission.system.benchmark_id != benchmark.id:
            raise NotFoundError("there is no such submission")
        queue.requeue(session, submission_id, "failed")
        record(session, user.name, "retry", f"submission {submission_id}")
    return context.go(f"/b/{address}/submissions/{submission_id}")


@reading.get("/people")
def people(context: Page) -> Response:
    must_organise(context.viewer)
    return _people(context)


@writing.post("/people")
def invite(context: Page, role: Text = "participant", address: Text = "") -> Response:
    """A link to hand out; or, with an address, a mail that brings it."""
    user = must_organise(context.viewer)
    chosen = cast(Role, check_choice(role, accounts.ROLES, "role"))
    with context.database.write() as session:
        if address.strip() and context.settings.smtp:
            to = mail.clean_address(address)
            mail.post(session, "invitation", user_id=user.id, address=to, role=chosen)
            return _people(context, invited=to)
        secret = accounts.invite(session, role=chosen, by=session.merge(user), days=accounts.INVITATION_DAYS)
    return _people(context, link=f"{context.home}/join/{secret}")


@writing.post("/people/{user_id}")
def change_person(
    context: Page, user_id: str, role: Text = "", disabled: Annotated[bool | None, Form()] = None, team: Text = ""
) -> Response:
    """Another role for somebody; shut them out or let them in; take them out of a team."""
    user = must_organise(context.viewer)
    with context.database.write() as session:
        person, by = session.get(User, user_id), session.merge(user)
        if person is None:
            raise NotFoundError("there is no such person")
        if role:
            accounts.set_role(session, person, cast(Role, check_choice(role, accounts.ROLES, "role")), by=by)
        if disabled is not None:
            accounts.disable(session, person, by=by, disabled=disabled)
        if team:
            if (left := session.get(Team, team)) is None:
                raise NotFoundError("there is no such team")
            accounts.leave_team(session, left, person, by=by)
    return context.go("/people")


@writing.post("/invitations/{invitation_id}/revoke")
def revoke_invitation(context: Page, invitation_id: str) -> Response:
    user = must_organise(context.viewer)
    with context.database.write() as session:
        accounts.revoke_invitation(session, invitation_id, by=session.merge(user))
    return context.go("/people")


def _people(context: RequestContext, link: str = "", invited: str = "") -> Response:
    with context.database.read() as session:
        listed = session.scalars(select(User).order_by(User.folded)).all()
        return context.page(
            "people.html",
            link=link,
            invited=invited,
            roles=accounts.ROLES,
            people=[(person, accounts.list_teams(session, person)) for person in listed],
            invitations=accounts.list_invitations(session),
            team_names={team.id: team.name for team in session.scalars(select(Team))},
        )


@reading.get("/audit")
def log(context: Page, before: int | None = None) -> Response:
    must_organise(context.viewer)
    with context.database.read() as session:
        entries = list_entries(session, before=before)
        more = bool(entries) and bool(list_entries(session, before=entries[-1].id))
        return context.page("audit.html", entries=entries, more=more)


Parsed = TypeVar("Parsed")


def _parse(field: str, parse: Callable[[], Parsed]) -> Parsed:
    """What a field says; an error names the field, so that a form can show it there."""
    try:
        return parse()
    except InputError as error:
        raise InputError(str(error), parameter=field) from None


def _parse_limit(text: str) -> int | None:
    return parse_count(text, "a limit") if text.strip() else None


def _parse_step(text: str) -> float | None:
    if not text.strip():
        return None
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text.strip()):
        raise InputError("a step of the Ladder is a number of standard errors, or nothing")
    return float(text)
