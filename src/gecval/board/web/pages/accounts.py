"""The first page, log-in, joining by a link, and one's own account: teams, links to one's team, tokens.

Single sign-on and mail come last. A board may have neither.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from gecval.board import accounts, benchmarks, mail, sso
from gecval.board.access import list_benchmarks, must_log_in
from gecval.board.accounts import HOUR, QUARTER, check_rate, count_attempt
from gecval.board.clock import now
from gecval.board.database.models import Address, Team, User
from gecval.board.database.storage import record
from gecval.board.errors import ForbiddenError, NotFoundError
from gecval.board.web.pages.benchmark import make_card
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
        listed = [(row, benchmarks.find_open_phase(row, now())) for row in list_benchmarks(session, context.viewer)]
        ends = {row.id: (phase.closes or inf) if phase else inf for row, phase in listed}
        return context.page(
            "home.html",
            open_now=[
                Markup(make_card(context, session, row))
                for row, phase in sorted(listed, key=lambda pair: ends[pair[0].id])
                if phase
            ],
            others=[Markup(make_card(context, session, row)) for row, phase in listed if not phase],
            deleted=gone,
        )


@reading.get("/login")
def login_form(context: Page, next: str = "") -> Response:
    return context.page("login.html", error="", name="", next=_own_path(next))


@writing.post("/login")
async def login(context: Page, name: Text = "", password: Text = "", next: Text = "") -> Response:
    def answer() -> Response:
        database, settings = context.database, context.settings
        secret = accounts.log_in(database, settings, name=name, password=password, address=context.address)
        if secret is None:
            values = {"error": "Name or password is wrong.", "name": name[:80], "next": _own_path(next)}
            return context.page("login.html", status=401, **values)
        return open_session(context, secret, _own_path(next))

    return await context.hashing.run(answer)


def _own_path(path: str) -> str:
    """Where somebody goes after the log-in: to a page of this board, and nowhere else.

    >>> _own_path("/b/small/submit"), _own_path("//evil.org"), _own_path("https://evil.org"), _own_path("")
    ('/b/small/submit', '/', '/', '/')
    """
    plain = path.isascii() and path.isprintable() and "\\" not in path and len(path) < 500
    return path if plain and path.startswith("/") and not path.startswith("//") else "/"


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
async def signup(context: Page, name: Text = "", password: Text = "", team: Text = "") -> Response:
    _must_be_open(context)

    def answer() -> Response:
        try:
            with context.database.write() as session:
                check_rate(session, "sign-up", context.address, limit=SIGNUPS, seconds=HOUR)
                count_attempt(session, "sign-up", context.address)
            hashed = accounts.hash_password(password, cost=context.settings.password_cost)
            with context.database.write() as session:
                user = accounts.make_user(session, name=name, hashed=hashed, role="participant")
                if team.strip():
                    accounts.make_team(session, team, user)
                secret = accounts.start_session(session, context.settings, user)
        except InputError as error:
            if hasattr(error, "status"):
                raise
            values = {"role": "participant", "team": None, "action": "/signup", "name": name[:80]}
            return context.page("join.html", status=400, error=str(error), team_name=team[:80], **values)
        return open_session(context, secret, "/")

    return await context.hashing.run(answer)


@reading.get("/join/{secret}")
def join_form(context: Page, secret: str) -> Response:
    with context.database.read() as session:
        row = accounts.find_invitation(session, secret)
        team = session.get(Team, row.team_id) if row.team_id else None
    template = "join_team.html" if context.viewer.user and team else "join.html"
    action = f"/join/{secret}"
    return context.page(template, role=row.role, team=team, action=action, error="", name="", team_name="")


@writing.post("/join/{secret}")
async def join(context: Page, secret: str, name: Text = "", password: Text = "", team: Text = "") -> Response:
    return await context.hashing.run(lambda: _join(context, secret, name=name, password=password, team=team))


def _join(context: RequestContext, secret: str, *, name: str, password: str, team: str) -> Response:
    if context.viewer.user:
        with context.database.write() as session:
            accounts.join_team(session, secret, session.merge(context.viewer.user))
        return context.go("/account")
    try:
        with context.database.read() as session:
            accounts.find_invitation(session, secret)  # nothing is hashed for a stranger
        hashed = accounts.hash_password(password, cost=context.settings.password_cost)
        with context.database.write() as session:
            user = accounts.join(session, secret, name=name, hashed=hashed, team=team)
            cookie = accounts.start_session(session, context.settings, user)
    except InputError as error:
        if hasattr(error, "status"):
            raise
        with context.database.read() as session:
            row = accounts.find_invitation(session, secret)
            of_team = session.get(Team, row.team_id) if row.team_id else None
        values = {"role": row.role, "team": of_team, "action": f"/join/{secret}", "team_name": team[:80]}
        return context.page("join.html", status=400, error=str(error), name=name[:80], **values)
    return open_session(context, cookie, "/")


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
async def change_password(context: Page, old: Text = "", new: Text = "") -> Response:
    user = must_log_in(context.viewer)

    def answer() -> Response:
        secret = accounts.change_password(context.database, context.settings, user.id, old=old, new=new)
        response = context.go("/account")
        context.set_cookie(response, SESSION, secret, days=context.settings.session_days)
        return response

    return await context.hashing.run(answer)


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
    return _account_page(context, link=f"{context.home}/join/{secret}")


@writing.post("/account/teams/{team_id}/leave")
def leave_team(context: Page, team_id: str) -> Response:
    user = must_log_in(context.viewer)
    if team_id not in context.viewer.teams:
        raise NotFoundError("there is no such team")
    with context.database.write() as session:
        me = session.merge(user)
        accounts.leave_team(session, session.get_one(Team, team_id), me, by=me)
    return context.go("/account")


def _account_page(context: RequestContext, *, token: str = "", link: str = "") -> Response:
    """The page; a new token or link is on it once."""
    user = must_log_in(context.viewer)
    with context.database.read() as session:
        address = session.get(Address, user.id)
        return context.page(
            "account.html",
            address=address,
            connected=sso.is_connected(session, user),
            teams=accounts.list_teams(session, user),
            tokens=accounts.list_tokens(session, user),
            new_token=token,
            new_link=link,
        )


def _must_be_open(context: RequestContext) -> None:
    if not context.settings.open_signup:
        raise ForbiddenError("accounts are made by invitation here: ask an organiser for a link")


def open_session(context: RequestContext, secret: str, path: str) -> Response:
    """A new session: whatever cookie the browser had before is worth nothing now."""
    response = context.go(path)
    context.set_cookie(response, SESSION, secret, days=context.settings.session_days)
    response.delete_cookie(VISITOR, path="/")
    return response


# Single sign-on: to the provider, back from it, and the account that is connected with it.

SSO_COOKIE = "gecval_sso"
SSO_STARTS = 100  # that one address may make in 15 minutes; and as many ways back


@reading.get("/sso")
def begin(context: Page) -> Response:
    """To the provider."""
    cookie = sso.new_cookie()
    response = RedirectResponse(_begin_sso(context, cookie), status_code=303)
    _set_sso_cookie(context, response, cookie)
    return response


@writing.post("/account/sso")
async def begin_connecting(context: Page, password: Text = "") -> Response:
    """A page with a link to the provider. Its form is ours, so no other site connects its account with yours.

    It takes the password: whoever is connected can log in from then on.
    """
    user = must_log_in(context.viewer)
    _must_have_provider(context)
    await context.hashing.run(lambda: _check_password(context, user, password))
    return await run_in_threadpool(_begin_connecting, context, user)


def _begin_connecting(context: RequestContext, user: User) -> Response:
    cookie = sso.new_cookie(user)
    response = context.page("sso.html", address=_begin_sso(context, cookie))
    _set_sso_cookie(context, response, cookie)
    return response


@writing.post("/account/sso/remove")
def disconnect(context: Page) -> Response:
    with context.database.write() as session:
        sso.disconnect(session, session.merge(must_log_in(context.viewer)))
    return context.go("/account")


@reading.get("/sso/back")
def come_back(context: Page) -> Response:
    """Back from the provider: somebody logs in, or connects the account in which they began."""
    _must_have_provider(context)
    try:
        response = _come_back(context)
    except InputError as error:
        status = getattr(error, "status", 400)
        response = context.page("message.html", status=status, title="That did not work", message=str(error))
    response.delete_cookie(SSO_COOKIE, path="/sso")
    return response


def _come_back(context: RequestContext) -> Response:
    cookie, query = context.request.cookies.get(SSO_COOKIE, ""), context.request.query_params
    with context.database.write() as session:
        check_rate(session, "sso back", context.address, limit=SSO_STARTS, seconds=QUARTER)
        count_attempt(session, "sso back", context.address)
    with context.database.write() as session:
        connecting = sso.use_cookie(session, context.secret, cookie, query.get("state", ""))
    person = sso.finish(context.provider, context.settings, context.secret, cookie, query.get("code", ""))
    with context.database.write() as session:
        if connecting:
            user = context.viewer.user
            if user is None or user.id != connecting:
                raise ForbiddenError("you are not logged in as who began this; begin again on your account page")
            sso.connect(session, context.settings, person, session.merge(user))
            return context.go("/account")
        found = sso.find_or_make(session, context.settings, person)
        record(session, found.name, "log in", f"user {found.id}", issuer=person.issuer)
        secret = accounts.start_session(session, context.settings, found)
        return open_session(context, secret, "/")


def _begin_sso(context: RequestContext, cookie: str) -> str:
    _must_have_provider(context)
    with context.database.write() as session:
        check_rate(session, "sso", context.address, limit=SSO_STARTS, seconds=QUARTER)
        count_attempt(session, "sso", context.address)
    return sso.begin(context.provider, context.settings, context.secret, cookie)


def _set_sso_cookie(context: RequestContext, response: Response, cookie: str) -> None:
    """``lax``: the provider sends the browser back by a link, and that must bring the cookie."""
    options = {"httponly": True, "samesite": "lax", "secure": context.settings.secure}
    response.set_cookie(SSO_COOKIE, cookie, max_age=60 * sso.COOKIE_MINUTES, path="/sso", **options)  # type: ignore[arg-type]


def _must_have_provider(context: RequestContext) -> None:
    if not context.settings.sso:
        raise NotFoundError("this board has no single sign-on")


# Mail: one's address, a new password for who forgot it, and the links that mails bring.

MAIL_ASKED = (
    "If an account has this name or address, and the address is confirmed, a mail is on its way. "
    "Its link holds for one hour."
)
MAIL_SENT = "A mail is on its way to {address}. Open the link in it within a day."


@reading.get("/forgot")
def forgot_form(context: Page) -> Response:
    _must_have_mail(context)
    return context.page("forgot.html")


@writing.post("/forgot")
def forgot(context: Page, name: Text = "") -> Response:
    """The same answer after the same work, whoever it is."""
    _must_have_mail(context)
    with context.database.write() as session:
        mail.ask_reset(session, context.settings, name, address=context.address)
    return context.page("message.html", title="Look at your mail", message=MAIL_ASKED)


@reading.get("/mail/{secret}")
def link_form(context: Page, secret: str) -> Response:
    with context.database.read() as session:
        row, user = mail.find_link(session, secret)
        return context.page("mail_link.html", row=row, name=user.name, action=f"/mail/{secret}", error="")


@writing.post("/mail/{secret}")
async def use_link(context: Page, secret: str, password: Text = "") -> Response:
    return await context.hashing.run(lambda: _use_link(context, secret, password))


def _use_link(context: RequestContext, secret: str, password: str) -> Response:
    with context.database.read() as session:
        row, user = mail.find_link(session, secret)  # nothing is hashed for a stranger
    try:
        hashed = "" if row.address else accounts.hash_password(password, cost=context.settings.password_cost)
    except InputError as error:
        values = {"row": row, "name": user.name, "action": f"/mail/{secret}"}
        return context.page("mail_link.html", status=400, error=str(error), **values)
    with context.database.write() as session:
        if row.address:
            mail.confirm(session, secret)
            done = f"{row.address} is your address now."
        else:
            disconnected = mail.reset(session, secret, hashed)
            done = "You have a new password. Log in with it." + (f" {mail.DISCONNECTED}" if disconnected else "")
    return context.page("message.html", title="Done", message=done)


@writing.post("/account/mail")
async def change_address(context: Page, address: Text = "", password: Text = "") -> Response:
    """A new address, or none. It takes the password: an address leads to a new one."""
    user = must_log_in(context.viewer)
    _must_have_mail(context)
    return await context.hashing.run(lambda: _change_address(context, user, address, password))


def _change_address(context: RequestContext, user: User, address: str, password: str) -> Response:
    _check_password(context, user, password)
    with context.database.write() as session:
        me = session.merge(user)
        if not address.strip():
            mail.remove_address(session, me)
            return context.go("/account")
        sent = mail.ask_confirmation(session, me, address)
    return context.page("message.html", title="Look at your mail", message=MAIL_SENT.format(address=sent))


def _check_password(context: RequestContext, user: User, password: str) -> None:
    """Refuse who does not show the password. Who has none must have logged in a moment ago."""
    with context.database.write() as session:
        check_rate(session, "password", user.id, limit=context.settings.logins, seconds=QUARTER)
        count_attempt(session, "password", user.id)
        fresh = accounts.is_fresh(session, context.request.cookies.get(SESSION, ""))
    if user.password == sso.NO_PASSWORD:
        if not fresh:
            raise ForbiddenError(
                f"your log-in is more than {accounts.FRESH_MINUTES} minutes old: log out, log in, and try again"
            )
    elif not accounts.password_fits(user.password, password, cost=context.settings.password_cost):
        raise ForbiddenError("the password is wrong")


@writing.post("/account/news")
def choose_news(context: Page, news: Text = "") -> Response:
    user = must_log_in(context.viewer)
    with context.database.write() as session:
        row = session.get(Address, user.id)
        if row is None:
            raise NotFoundError("there is no address yet")
        row.news = bool(news)
    return context.go("/account")


def _must_have_mail(context: RequestContext) -> None:
    if not context.settings.smtp:
        raise NotFoundError("this board sends no mail; ask its operator for a new password")
