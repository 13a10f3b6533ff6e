"""One's own account: teams, links to one's team, tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response

from gecval.board import accounts, tokens
from gecval.board.access import must_be_known
from gecval.board.database.models import Team, User
from gecval.board.errors import NotFoundError
from gecval.board.limits import count_attempt
from gecval.board.web.asking import Asked, Page, form
from gecval.board.web.security import SESSION

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(form)])
Text = Annotated[str, Form()]


@reading.get("/account")
def account(asked: Page) -> Response:
    return _shown(asked)


@writing.post("/account/tokens")
def make_token(asked: Page, name: Text = "", scope: Text = "submit", days: Annotated[int, Form()] = 90) -> Response:
    with asked.database.write() as session:
        user = session.merge(must_be_known(asked.viewer))
        secret = tokens.make_token(session, user, name=name, scope=scope, days=days)
    return _shown(asked, token=secret)


@writing.post("/account/tokens/{token_id}/revoke")
def revoke(asked: Page, token_id: str) -> Response:
    with asked.database.write() as session:
        tokens.revoke_token(session, session.merge(must_be_known(asked.viewer)), token_id)
    return asked.go("/account")


@writing.post("/account/password")
def change_password(asked: Page, old: Text = "", new: Text = "") -> Response:
    user = must_be_known(asked.viewer)
    with asked.database.write() as session:  # counted even where the old password is wrong
        count_attempt(session, "password", user.id)
    with asked.database.write() as session:
        row = session.get_one(User, user.id)
        secret = accounts.change_password(session, asked.settings, row, old=old, new=new)
    response = asked.go("/account")
    asked.set_cookie(response, SESSION, secret, days=asked.settings.session_days)
    return response


@writing.post("/account/teams")
def make_team(asked: Page, name: Text = "") -> Response:
    with asked.database.write() as session:
        accounts.make_team(session, name, session.merge(must_be_known(asked.viewer)))
    return asked.go("/account")


@writing.post("/account/teams/{team_id}/invite")
def invite(asked: Page, team_id: str) -> Response:
    user = must_be_known(asked.viewer)
    if team_id not in asked.viewer.teams:
        raise NotFoundError("there is no such team")
    with asked.database.write() as session:
        team = session.get_one(Team, team_id)
        secret = accounts.invite(
            session, role="participant", team=team, by=session.merge(user), days=accounts.INVITATION_DAYS
        )
    return _shown(asked, link=str(asked.request.base_url) + f"join/{secret}")


def _shown(asked: Asked, *, token: str = "", link: str = "") -> Response:
    """The page; a new token or link is on it once."""
    user = must_be_known(asked.viewer)
    with asked.database.read() as session:
        return asked.page(
            "account.html",
            teams=accounts.teams_of(session, user),
            tokens=tokens.tokens_of(session, user),
            new_token=token,
            new_link=link,
        )
