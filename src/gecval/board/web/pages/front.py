"""The first page, log-in, and joining by a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response

from gecval.board import accounts, deletion
from gecval.board.access import listed_benchmarks
from gecval.board.database.models import Team
from gecval.board.errors import ForbiddenError
from gecval.board.limits import HOUR, check_rate, count_attempt
from gecval.board.web.asking import Asked, Page, form
from gecval.board.web.security import SESSION, VISITOR
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(form)])
Text = Annotated[str, Form()]
SIGNUPS = 10  # accounts that one address may make in an hour


@reading.get("/")
def home(asked: Page) -> Response:
    with asked.database.read() as session:
        gone = deletion.deleted(session, days=asked.settings.undo_days) if asked.viewer.organiser else []
        return asked.page("home.html", benchmarks=listed_benchmarks(session, asked.viewer), deleted=gone)


@reading.get("/login")
def login_form(asked: Page) -> Response:
    return asked.page("login.html", error="", name="")


@writing.post("/login")
def login(asked: Page, name: Text = "", password: Text = "") -> Response:
    with asked.database.write() as session:
        secret = accounts.log_in(session, asked.settings, name=name, password=password, address=asked.address)
    if secret is None:
        return asked.page("login.html", status=401, error="Name or password is wrong.", name=name[:80])
    return _entered(asked, secret, "/")


@writing.post("/logout")
def logout(asked: Page) -> Response:
    with asked.database.write() as session:
        accounts.end_session(session, asked.request.cookies.get(SESSION, ""))
    response = asked.go("/")
    response.delete_cookie(SESSION, path="/")
    response.delete_cookie(VISITOR, path="/")
    return response


@reading.get("/signup")
def signup_form(asked: Page) -> Response:
    _must_be_open(asked)
    return asked.page("join.html", role="participant", team=None, action="/signup", error="", name="", team_name="")


@writing.post("/signup")
def signup(asked: Page, name: Text = "", password: Text = "", team: Text = "") -> Response:
    _must_be_open(asked)
    try:
        with asked.database.write() as session:
            check_rate(session, "sign-up", asked.address, most=SIGNUPS, seconds=HOUR)
            count_attempt(session, "sign-up", asked.address)
            user = accounts.make_user(session, asked.settings, name=name, password=password, role="participant")
            if team.strip():
                accounts.make_team(session, team, user)
            secret = accounts.start_session(session, asked.settings, user)
    except InputError as error:
        if hasattr(error, "status"):
            raise
        values = {"role": "participant", "team": None, "action": "/signup", "name": name[:80], "team_name": team[:80]}
        return asked.page("join.html", status=400, error=str(error), **values)
    return _entered(asked, secret, "/")


@reading.get("/join/{secret}")
def join_form(asked: Page, secret: str) -> Response:
    with asked.database.read() as session:
        row = accounts.invitation(session, secret)
        team = session.get(Team, row.team_id) if row.team_id else None
    template = "join_team.html" if asked.viewer.user and team else "join.html"
    action = f"/join/{secret}"
    return asked.page(template, role=row.role, team=team, action=action, error="", name="", team_name="")


@writing.post("/join/{secret}")
def join(asked: Page, secret: str, name: Text = "", password: Text = "", team: Text = "") -> Response:
    if asked.viewer.user:
        with asked.database.write() as session:
            accounts.join_team(session, secret, session.merge(asked.viewer.user))
        return asked.go("/account")
    try:
        with asked.database.write() as session:
            user = accounts.join(session, asked.settings, secret, name=name, password=password, team=team)
            cookie = accounts.start_session(session, asked.settings, user)
    except InputError as error:
        if hasattr(error, "status"):
            raise
        with asked.database.read() as session:
            row = accounts.invitation(session, secret)
            of_team = session.get(Team, row.team_id) if row.team_id else None
        values = {"role": row.role, "team": of_team, "action": f"/join/{secret}", "team_name": team[:80]}
        return asked.page("join.html", status=400, error=str(error), name=name[:80], **values)
    return _entered(asked, cookie, "/")


def _must_be_open(asked: Asked) -> None:
    if not asked.settings.open_signup:
        raise ForbiddenError("accounts are made by invitation here: ask an organiser for a link")


def _entered(asked: Asked, secret: str, path: str) -> Response:
    """A new session: whatever cookie the browser had before is worth nothing now."""
    response = asked.go(path)
    asked.set_cookie(response, SESSION, secret, days=asked.settings.session_days)
    response.delete_cookie(VISITOR, path="/")
    return response
