"""The first page, log-in, joining by a link, and one's own account: teams, links to one's team, tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response

from gecval.board import accounts, benchmarks
from gecval.board.access import list_benchmarks, must_log_in
from gecval.board.accounts import HOUR, check_rate, count_attempt
from gecval.board.database.models import Team, User
from gecval.board.errors import ForbiddenError, NotFoundError
from gecval.board.web.request import Page, RequestContext, Text, require_form_token
from gecval.board.web.security import SESSION, VISITOR
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(require_form_token)])
SIGNUPS = 10  # accounts that one address may make in an hour


@reading.get("/")
def home(context: Page) -> Response:
    with context.database.read() as session:
        gone = benchmarks.list_deleted(session, days=context.settings.undo_days) if context.viewer.organiser else []
        return context.page("home.html", benchmarks=list_benchmarks(session, context.viewer), deleted=gone)


@reading.get("/login")
def login_form(context: Page) -> Response:
    return context.page("login.html", error="", name="")


@writing.post("/login")
def login(context: Page, name: Text = "", password: Text = "") -> Response:
    with context.database.write() as session:
        secret = accounts.log_in(session, context.settings, name=name, password=password, address=context.address)
    if secret is None:
        return context.page("login.html", status=401, error="Name or password is wrong.", name=name[:80])
    return _start_session(context, secret, "/")


@writing.post("/logout")
def logout(context: Page) -> Response:
    with context.database.write() as session:
        accounts.end_session(session, context.request.cookies.get(SESSION, ""))
    response = context.go("/")
    response.delete_cookie(SESSION, path="/")
    response.delete_cookie(VISITOR, path="/")
    return response


@reading.get("/signup")
def signup_form(context: Page) -> Response:
    _must_be_open(context)
    return context.page("join.html", role="participant", team=None, action="/signup", error="", name="", team_name="")


@writing.post("/signup")
def signup(context: Page, name: Text = "", password: Text = "", team: Text = "") -> Response:
    _must_be_open(context)
    try:
        with context.database.write() as session:
            check_rate(session, "sign-up", context.address, limit=SIGNUPS, seconds=HOUR)
            count_attempt(session, "sign-up", context.address)
            user = accounts.make_user(session, context.settings, name=name, password=password, role="participant")
            if team.strip():
                accounts.make_team(session, team, user)
            secret = accounts.start_session(session, context.settings, user)
    except InputError as error:
        if hasattr(error, "status"):
            raise
        values = {"role": "participant", "team": None, "action": "/signup", "name": name[:80], "team_name": team[:80]}
        return context.page("join.html", status=400, error=str(error), **values)
    return _start_session(context, secret, "/")


@reading.get("/join/{secret}")
def join_form(context: Page, secret: str) -> Response:
    with context.database.read() as session:
        row = accounts.find_invitation(session, secret)
        team = session.get(Team, row.team_id) if row.team_id else None
    template = "join_team.html" if context.viewer.user and team else "join.html"
    action = f"/join/{secret}"
    return context.page(template, role=row.role, team=team, action=action, error="", name="", team_name="")


@writing.post("/join/{secret}")
def join(context: Page, secret: str, name: Text = "", password: Text = "", team: Text = "") -> Response:
    if context.viewer.user:
        with context.database.write() as session:
            accounts.join_team(session, secret, session.merge(context.viewer.user))
        return context.go("/account")
    try:
        with context.database.write() as session:
            user = accounts.join(session, context.settings, secret, name=name, password=password, team=team)
            cookie = accounts.start_session(session, context.settings, user)
    except InputError as error:
        if hasattr(error, "status"):
            raise
        with context.database.read() as session:
            row = accounts.find_invitation(session, secret)
            of_team = session.get(Team, row.team_id) if row.team_id else None
        values = {"role": row.role, "team": of_team, "action": f"/join/{secret}", "team_name": team[:80]}
        return context.page("join.html", status=400, error=str(error), name=name[:80], **values)
    return _start_session(context, cookie, "/")


@reading.get("/account")
def account(context: Page) -> Response:
    return _account_page(context)


@writing.post("/account/tokens")
def make_token(context: Page, name: Text = "", scope: Text = "submit", days: Annotated[int, Form()] = 90) -> Response:
    with context.database.write() as session:
        user = session.merge(must_log_in(context.viewer))
        secret = accounts.make_token(session, user, name=name, scope=scope, days=days)
    return _account_page(context, token=secret)


@writing.post("/account/tokens/{token_id}/revoke")
def revoke(context: Page, token_id: str) -> Response:
    with context.database.write() as session:
        accounts.revoke_token(session, session.merge(must_log_in(context.viewer)), token_id)
    return context.go("/account")


@writing.post("/account/password")
def change_password(context: Page, old: Text = "", new: Text = "") -> Response:
    user = must_log_in(context.viewer)
    with context.database.write() as session:  # counted even where the old password is wrong
        count_attempt(session, "password", user.id)
    with context.database.write() as session:
        row = session.get_one(User, user.id)
        secret = accounts.change_password(session, context.settings, row, old=old, new=new)
    response = context.go("/account")
    context.set_cookie(response, SESSION, secret, days=context.settings.session_days)
    return response


@writing.post("/account/teams")
def make_team(context: Page, name: Text = "") -> Response:
    with context.database.write() as session:
        accounts.make_team(session, name, session.merge(must_log_in(context.viewer)))
    return context.go("/account")


@writing.post("/account/teams/{team_id}/invite")
def invite(context: Page, team_id: str) -> Response:
    user = must_log_in(context.viewer)
    if team_id not in context.viewer.teams:
        raise NotFoundError("there is no such team")
    with context.database.write() as session:
        team = session.get_one(Team, team_id)
        secret = accounts.invite(
            session, role="participant", team=team, by=session.merge(user), days=accounts.INVITATION_DAYS
        )
    return _account_page(context, link=str(context.request.base_url) + f"join/{secret}")


def _account_page(context: RequestContext, *, token: str = "", link: str = "") -> Response:
    """The page; a new token or link is on it once."""
    user = must_log_in(context.viewer)
    with context.database.read() as session:
        return context.page(
            "account.html",
            teams=accounts.list_teams(session, user),
            tokens=accounts.list_tokens(session, user),
            new_token=token,
            new_link=link,
        )


def _must_be_open(context: RequestContext) -> None:
    if not context.settings.open_signup:
        raise ForbiddenError("accounts are made by invitation here: ask an organiser for a link")


def _start_session(context: RequestContext, secret: str, path: str) -> Response:
    """A new session: whatever cookie the browser had before is worth nothing now."""
    response = context.go(path)
    context.set_cookie(response, SESSION, secret, days=context.settings.session_days)
    response.delete_cookie(VISITOR, path="/")
    return response
