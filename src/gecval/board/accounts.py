"""Accounts, teams and invitations. No mail is needed: whoever may join gets a link."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from gecval.board.access import SCOPES, Viewer
from gecval.board.clock import DAY, now
from gecval.board.database.models import (
    Attempt,
    Invitation,
    Member,
    Role,
    Team,
    Token,
    User,
    WebSession,
)
from gecval.board.database.session import lock_rows
from gecval.board.database.storage import digest, record
from gecval.board.errors import ForbiddenError, NotFoundError, TooManyError
from gecval.board.fields import clean_name
from gecval.board.settings import Settings
from gecval.errors import InputError, shorten

INVITATION_DAYS, FIRST_LINK_DAYS = 14, 1
ROLES: tuple[Role, ...] = ("organiser", "participant", "judge")
NAMES_PER_ADDRESS = 10  # an address may fail this many times as often as a name from this address


def make_user(session: Session, settings: Settings, *, name: str, password: str, role: Role) -> User:
    clean = clean_name(name, "an account")
    user = User(
        name=clean,
        folded=clean.casefold(),
        password=hash_password(password, cost=settings.password_cost),
        role=role,
    )
    if session.scalar(select(User.id).where(User.folded == user.folded)):
        raise InputError(f"there is an account {clean!r} already; take another name")
    session.add(user)
    session.flush()
    record(session, clean, "join", f"user {user.id}", role=role)
    return user


def make_team(session: Session, name: str, user: User) -> Team:
    clean = clean_name(name, "a team")
    if session.scalar(select(Team.id).where(Team.folded == clean.casefold())):
        raise InputError(f"there is a team {clean!r} already; take another name, or ask its members for a link")
    team = Team(name=clean, folded=clean.casefold())
    session.add(team)
    session.flush()
    session.add(Member(team_id=team.id, user_id=user.id))
    record(session, user.name, "make team", f"team {team.id}", name=clean)
    return team


def list_teams(session: Session, user: User) -> list[Team]:
    return list(
        session.scalars(
            select(Team).join(Member, Member.team_id == Team.id).where(Member.user_id == user.id).order_by(Team.name)
        )
    )


def invite(session: Session, *, role: Role, team: Team | None = None, by: User | None = None, days: float) -> str:
    """A link's secret that makes one account, or brings somebody who has one into a team."""
    secret = new_secret()
    session.add(
        Invitation(
            hash=digest(secret),
            role=role,
            team_id=team.id if team else None,
            made_by=by.id if by else None,
            expires=now() + days * DAY,
        )
    )
    record(session, by.name if by else "the operator", "invite", f"team {team.id}" if team else "the board", role=role)
    return secret


def make_first_link(session: Session) -> str | None:
    """A secret that makes the first organiser; None where there is one. Earlier ones are void."""
    if session.scalar(select(func.count()).select_from(User).where(User.role == "organiser")):
        return None
    for old in session.scalars(select(Invitation).where(Invitation.role == "organiser", Invitation.used.is_(None))):
        old.used = now()
    return invite(session, role="organiser", days=FIRST_LINK_DAYS)


def find_invitation(session: Session, secret: str) -> Invitation:
    """An invitation that still holds."""
    row = session.scalar(lock_rows(select(Invitation).where(Invitation.hash == digest(secret))))
    if row is None or row.used is not None or row.expires < now():
        raise NotFoundError("this link was used or has expired; ask for a new one")
    return row


def join(session: Session, settings: Settings, secret: str, *, name: str, password: str, team: str = "") -> User:
    """Use up an invitation, and make the account that it is for."""
    row = find_invitation(session, secret)
    user = make_user(session, settings, name=name, password=password, role=row.role)  # type: ignore[arg-type]
    row.used, row.used_by = now(), user.id
    if row.team_id:
        session.add(Member(team_id=row.team_id, user_id=user.id))
    elif team.strip():
        make_team(session, team, user)
    return user


def join_team(session: Session, secret: str, user: User) -> None:
    """Use up an invitation to a team, for somebody who has an account."""
    row = find_invitation(session, secret)
    if row.team_id is None:
        raise ForbiddenError("this link makes an account, and you have one; log out to use it")
    if session.get(Member, (row.team_id, user.id)) is None:
        session.add(Member(team_id=row.team_id, user_id=user.id))
    row.used, row.used_by = now(), user.id
    record(session, user.name, "join team", f"team {row.team_id}")


def find_first_organiser(session: Session) -> User:
    """The organiser in whose name the operator acts."""
    user = session.scalar(select(User).where(User.role == "organiser").order_by(User.created))
    if user is None:
        raise InputError("the board has no organiser yet: start it, and open the link that it prints")
    return user


# Logging in: sessions and passwords.


def log_in(session: Session, settings: Settings, *, name: str, password: str, address: str) -> str | None:
    """The secret of a new session, or None where name or password is wrong. Guessing is slowed down."""
    folded = " ".join(name[:800].split()).casefold()
    check_rate(session, "log-in", f"{folded}\n{address}", limit=settings.logins, seconds=QUARTER)
    check_rate(session, "log-in address", address, limit=NAMES_PER_ADDRESS * settings.logins, seconds=QUARTER)
    user = session.scalar(select(User).where(User.folded == folded))
    hashed = user.password if user and user.disabled is None else None
    if not password_fits(hashed, password, cost=settings.password_cost):
        count_attempt(session, "log-in", f"{folded}\n{address}")
        count_attempt(session, "log-in address", address)
        return None
    assert user is not None
    record(session, user.name, "log in", f"user {user.id}")
    return start_session(session, settings, user)


def start_session(session: Session, settings: Settings, user: User) -> str:
    """Always a new secret: one that a stranger planted before log-in is worth nothing."""
    secret = new_secret()
    session.add(WebSession(hash=digest(secret), user_id=user.id, expires=now() + settings.session_days * DAY))
    return secret


def change_password(session: Session, settings: Settings, user: User, *, old: str, new: str) -> str:
    """A new password, and a new session: all others end, for they may be a thief's. The secret of the new one."""
    check_rate(session, "password", user.id, limit=settings.logins, seconds=QUARTER)
    if not password_fits(user.password, old, cost=settings.password_cost):
        raise ForbiddenError("the old password is wrong")
    user.password = hash_password(new, cost=settings.password_cost)
    session.execute(delete(WebSession).where(WebSession.user_id == user.id))
    record(session, user.name, "change password", f"user {user.id}")
    return start_session(session, settings, user)


def reset_password(session: Session, settings: Settings, name: str) -> str:
    """A new random password for an account. Whoever was logged in as it is not any more."""
    user = session.scalar(select(User).where(User.folded == " ".join(name.split()).casefold()))
    if user is None:
        raise InputError(f"there is no account {shorten(name, 80)!r}")
    password = secrets.token_urlsafe(12)
    user.password = hash_password(password, cost=settings.password_cost)
    session.execute(delete(WebSession).where(WebSession.user_id == user.id))
    record(session, "operator", "new password", f"user {user.id}")
    return password


def find_session_user(session: Session, secret: str) -> User | None:
    found = session.scalar(select(WebSession).where(WebSession.hash == digest(secret), WebSession.expires > now()))
    user = session.get(User, found.user_id) if found else None
    return user if user and user.disabled is None else None


def end_session(session: Session, secret: str) -> None:
    row = session.scalar(select(WebSession).where(WebSession.hash == digest(secret)))
    if row is not None:
        session.delete(row)


# Tokens: what programs show instead of a password. Each has a scope and an end, and is shown once.


PREFIX = "gecval_"  # so that scanners for leaked secrets can know one
MAX_DAYS, MAX_TOKENS = 366, 20


def make_token(session: Session, user: User, *, name: str, scope: str, days: int) -> str:
    """A new token. It is shown now and never again."""
    if scope not in SCOPES:
        raise InputError(f"the scope of a token is {', '.join(SCOPES)}, not {scope[:20]!r}")
    if scope == "organise" and user.role != "organiser":
        raise ForbiddenError("only organisers may make a token with the scope organise")
    if not 1 <= days <= MAX_DAYS:
        raise InputError(f"a token holds for 1 to {MAX_DAYS} days")
    if len(list_tokens(session, user)) >= MAX_TOKENS:
        raise InputError(f"you have {MAX_TOKENS} tokens; revoke one first")
    secret = PREFIX + new_secret()
    token = Token(
        hash=digest(secret),
        user_id=user.id,
        name=clean_name(name, "a token"),
        scope=scope,
        expires=now() + days * DAY,
    )
    session.add(token)
    session.flush()
    record(session, user.name, "make token", f"token {token.id}", scope=scope)
    return secret


def list_tokens(session: Session, user: User) -> Sequence[Token]:
    """The tokens that still hold."""
    holding = select(Token).where(Token.user_id == user.id, Token.revoked.is_(None), Token.expires > now())
    return session.scalars(holding.order_by(Token.created)).all()


def revoke_token(session: Session, user: User, token_id: str) -> None:
    token = session.get(Token, token_id)
    if token is None or token.user_id != user.id:
        raise NotFoundError("there is no such token")
    token.revoked = now()
    record(session, user.name, "revoke token", f"token {token.id}")


def find_token_viewer(session: Session, secret: str) -> Viewer:
    """Who shows a token. One that does not hold is refused, not ignored: its owner should know."""
    token = session.scalar(select(Token).where(Token.hash == digest(secret)))
    user = session.get(User, token.user_id) if token else None
    if token is None or user is None or user.disabled or token.revoked or token.expires < now():
        raise ForbiddenError("this token does not hold: it is unknown, revoked or expired")
    return Viewer.load(session, user, token.scope)


# Secrets: links, tokens and sessions are random and stored as their SHA-256. They are too long to be guessed, so a fast
# hash will do. Passwords are stored as argon2id.


MIN_PASSWORD, MAX_PASSWORD = 10, 1000  # letters; the maximum bounds what a stranger can have hashed


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def hash_password(password: str, *, cost: int = 0) -> str:
    if len(password) < MIN_PASSWORD:
        raise InputError(f"a password has at least {MIN_PASSWORD} letters")
    if len(password) > MAX_PASSWORD:
        raise InputError(f"a password has at most {MAX_PASSWORD} letters")
    return _hasher(cost).hash(password.encode("utf-8", "surrogatepass"))


def password_fits(hashed: str | None, password: str, *, cost: int = 0) -> bool:
    """Whether a password is right. Where there is no such account, as long is spent on it as where there is one."""
    try:
        text = password[:MAX_PASSWORD].encode("utf-8", "surrogatepass")
        return _hasher(cost).verify(hashed or _hash_nothing(cost), text) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher(cost: int) -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8 * cost, parallelism=1) if cost else PasswordHasher()


@cache
def _hash_nothing(cost: int) -> str:
    return _hasher(cost).hash(new_secret())


# Rate limits: at most so many attempts in so many seconds. The database counts, so all processes agree.


QUARTER, HOUR = 900.0, 3600.0


def check_rate(session: Session, what: str, who: str, *, limit: int, seconds: float) -> None:
    """Refuse one attempt too many. ``count_attempt`` counts them."""
    counted = select(func.count()).where(Attempt.key == _key(what, who), Attempt.at > now() - seconds)
    if (session.scalar(counted) or 0) >= limit:
        raise TooManyError(f"too many attempts: wait {seconds / 60:.0f} minutes, then try again")


def count_attempt(session: Session, what: str, who: str) -> None:
    session.add(Attempt(key=_key(what, who), at=now()))


def forget_attempts(session: Session, *, older: float = HOUR) -> None:
    """Delete what no limit looks at any more."""
    session.execute(delete(Attempt).where(Attempt.at < now() - older))


def _key(what: str, who: str) -> str:
    return digest(f"{what}\n{who}")  # addresses of people are not stored in plain text
