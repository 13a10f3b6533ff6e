"""Accounts, teams and invitations. No mail is needed (``mail`` adds it): whoever may join gets a link."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from gecval.board.access import SCOPES, Viewer
from gecval.board.clock import DAY, now
from gecval.board.database.models import (
    Attempt,
    Identity,
    Invitation,
    Mail,
    MailLink,
    Member,
    Role,
    Team,
    Token,
    User,
    WebSession,
)
from gecval.board.database.session import Database, lock_rows
from gecval.board.database.storage import digest, record
from gecval.board.errors import ForbiddenError, NotFoundError, TooManyError
from gecval.board.form_fields import clean_name
from gecval.board.settings import Settings
from gecval.errors import InputError, shorten
from gecval.runtime.threads import cores

INVITATION_DAYS, FIRST_LINK_DAYS = 14, 1
FRESH_MINUTES = 10  # in which a log-in stands for the password that an account does not have
ROLES: tuple[Role, ...] = ("organiser", "participant", "judge")
NAMES_PER_ADDRESS = 10  # an address may fail this many times as often as a name from this address


def make_user(session: Session, *, name: str, hashed: str, role: Role) -> User:
    """An account. ``hashed`` is the password as ``hash_password`` gives it."""
    clean = clean_name(name, "an account")
    user = User(name=clean, folded=fold_name(clean), password=hashed, role=role)
    if session.scalar(select(User.id).where(User.folded == user.folded)):
        raise InputError(f"there is an account {clean!r} already; take another name")
    session.add(user)
    session.flush()
    record(session, clean, "join", f"user {user.id}", role=role)
    return user


def fold_name(name: str) -> str:
    """A name as log-in compares it.

    >>> fold_name("  ANNA  Lee ")
    'anna lee'
    """
    return " ".join(name.split()).casefold()


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


def find_team(session: Session, name: str) -> Team | None:
    """A team by its name or its id."""
    return session.scalars(select(Team).where((Team.id == name) | (Team.folded == fold_name(name)))).first()


def leave_team(session: Session, team: Team, user: User, *, by: User) -> None:
    """Take somebody out of a team. What they submitted stays the team's; the last member stays, too."""
    member = session.get(Member, (team.id, user.id))
    if member is None:
        raise NotFoundError("there is no such member")
    if session.scalar(select(func.count()).select_from(Member).where(Member.team_id == team.id)) == 1:
        raise InputError(f"{user.name} is the last member of {team.name}; let another one in first")
    session.delete(member)
    _void_invitations(session, user, Invitation.team_id == team.id)
    record(session, by.name, "leave team", f"team {team.id}", user=user.id)


def set_role(session: Session, user: User, role: Role, *, by: User) -> None:
    """Another role. Tokens that say more than it allows do no more than it allows; links to the board are void."""
    if role != "organiser":
        _check_other_organiser(session, user)
        _void_invitations(session, user, Invitation.team_id.is_(None))
    user.role = role
    record(session, by.name, "set role", f"user {user.id}", role=role)


def disable(session: Session, user: User, *, by: User, disabled: bool) -> None:
    """Shut somebody out, or let them in again: log-ins, sessions and tokens hold no more. What they did stays.

    Links that they made, or that a mail brought them, are void, also when they come back.
    """
    if disabled:
        _check_other_organiser(session, user)
        session.execute(delete(WebSession).where(WebSession.user_id == user.id))
        _void_invitations(session, user)
        void_mail_links(session, user)
    user.disabled = now() if disabled else None
    record(session, by.name, "disable" if disabled else "enable", f"user {user.id}")


def _check_other_organiser(session: Session, user: User) -> None:
    others = select(User.id).where(User.role == "organiser", User.disabled.is_(None), User.id != user.id)
    if user.role == "organiser" and session.scalars(others.limit(1)).first() is None:
        raise InputError(f"{user.name} is the only organiser; make another one first")


def list_invitations(session: Session) -> Sequence[Invitation]:
    """The invitations that still hold, the last one first."""
    holding = select(Invitation).where(Invitation.used.is_(None), Invitation.expires > now())
    return session.scalars(holding.order_by(Invitation.created.desc())).all()


def revoke_invitation(session: Session, invitation_id: str, *, by: User) -> None:
    row = session.get(Invitation, invitation_id)
    if row is None or row.used is not None:
        raise NotFoundError("there is no such invitation")
    row.used = now()
    record(session, by.name, "revoke invitation", f"invitation {row.id}")


def revoke_unused(session: Session, hashed: str) -> None:
    """Let an invitation that nobody has used hold no more."""
    unused = update(Invitation).where(Invitation.hash == hashed, Invitation.used.is_(None))
    session.execute(unused.values(used=now()))


def _void_invitations(session: Session, user: User, *which: ColumnElement[bool]) -> None:
    """Let the invitations that somebody made and nobody has used hold no more."""
    unused = update(Invitation).where(Invitation.made_by == user.id, Invitation.used.is_(None), *which)
    session.execute(unused.values(used=now()))


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


def join(session: Session, secret: str, *, name: str, hashed: str, team: str = "") -> User:
    """Use up an invitation, and make the account that it is for."""
    row = find_invitation(session, secret)
    user = make_user(session, name=name, hashed=hashed, role=row.role)  # type: ignore[arg-type]
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


def find_first_organiser(session: Session, *, serve: str = "gecval serve") -> User:
    """The organiser in whose name the operator acts. ``serve`` is the command that starts this board."""
    user = session.scalar(select(User).where(User.role == "organiser").order_by(User.created))
    if user is None:
        raise InputError(
            f"the board has no organiser yet: `{serve}` makes the first one; open the link that it prints, "
            "then run this command again"
        )
    return user


# Logging in: sessions and passwords. To hash a password takes long on purpose, so no transaction is open meanwhile.


def log_in(database: Database, settings: Settings, *, name: str, password: str, address: str) -> str | None:
    """The secret of a new session, or None where name or password is wrong. Guessing is slowed down.

    An attempt is counted before the password is looked at, so that guesses at the same moment count, too. One that
    succeeds is taken off again.
    """
    with database.write() as session:
        begun = begin_log_in(session, settings, name=name, address=address)
    if not password_fits(begun.hashed, password, cost=settings.password_cost):
        return None
    with database.write() as session:
        return finish_log_in(session, settings, begun)


@dataclass(frozen=True)
class LogIn:
    """An attempt to log in. ``hashed`` is None where there is no such account."""

    user_id: str | None
    hashed: str | None
    attempts: tuple[int, ...]


def begin_log_in(session: Session, settings: Settings, *, name: str, address: str) -> LogIn:
    """Count an attempt, or refuse it; and look the name up."""
    folded = fold_name(name[:800])
    keys = {"log-in": f"{folded}\n{address}", "log-in address": address}
    limits = {"log-in": settings.logins, "log-in address": NAMES_PER_ADDRESS * settings.logins}
    for what, who in keys.items():
        check_rate(session, what, who, limit=limits[what], seconds=QUARTER)
    counted = [count_attempt(session, what, who) for what, who in keys.items()]
    session.flush()
    user = session.scalar(select(User).where(User.folded == folded, User.disabled.is_(None)))
    return LogIn(user.id if user else None, user.password if user else None, tuple(row.id for row in counted))


def finish_log_in(session: Session, settings: Settings, begun: LogIn) -> str | None:
    """A session for somebody whose password fits. None where it was changed, or the account disabled, meanwhile."""
    user = session.get(User, begun.user_id)
    if user is None or user.disabled is not None or user.password != begun.hashed:
        return None
    session.execute(delete(Attempt).where(Attempt.id.in_(begun.attempts)))
    record(session, user.name, "log in", f"user {user.id}")
    return start_session(session, settings, user)


def start_session(session: Session, settings: Settings, user: User) -> str:
    """Always a new secret: one that a stranger planted before log-in is worth nothing."""
    secret = new_secret()
    session.add(WebSession(hash=digest(secret), user_id=user.id, expires=now() + settings.session_days * DAY))
    return secret


def change_password(database: Database, settings: Settings, user_id: str, *, old: str, new: str) -> str:
    """A new password, and a new session: all others end, for they may be a thief's. The secret of the new one."""
    with database.write() as session:  # counted even where the old password is wrong
        check_rate(session, "password", user_id, limit=settings.logins, seconds=QUARTER)
        count_attempt(session, "password", user_id)
        hashed = session.get_one(User, user_id).password
    if not password_fits(hashed, old, cost=settings.password_cost):
        raise ForbiddenError("the old password is wrong")
    changed = hash_password(new, cost=settings.password_cost)
    with database.write() as session:
        user = session.get_one(User, user_id)
        if user.password != hashed:
            raise ForbiddenError("the password was changed meanwhile")
        set_password(session, user, changed)
        record(session, user.name, "change password", f"user {user.id}")
        return start_session(session, settings, user)


def set_password(session: Session, user: User, hashed: str) -> None:
    """Another password. Whoever was logged in as this user is not any more, and links in mails to them are void."""
    user.password = hashed
    session.execute(delete(WebSession).where(WebSession.user_id == user.id))
    void_mail_links(session, user)


def void_mail_links(session: Session, user: User) -> None:
    """Let the links in mails to somebody hold no more, those neither that wait to be sent."""
    session.execute(delete(MailLink).where(MailLink.user_id == user.id))
    session.execute(delete(Mail).where(Mail.user_id == user.id, Mail.kind.in_(("confirm", "reset"))))


def disconnect_all(session: Session, user: User) -> bool:
    """Disconnect single sign-on from an account whose password is forgotten: a thief may have connected it."""
    gone = session.execute(delete(Identity).where(Identity.user_id == user.id))
    return bool(gone.rowcount)  # type: ignore[attr-defined]


def reset_password(session: Session, settings: Settings, name: str) -> str:
    """A new random password for an account, by the operator. Single sign-on is disconnected."""
    user = find_account(session, name)
    password = secrets.token_urlsafe(12)
    set_password(session, user, hash_password(password, cost=settings.password_cost))
    disconnect_all(session, user)
    record(session, "operator", "new password", f"user {user.id}")
    return password


def find_account(session: Session, name: str) -> User:
    """An account by its name."""
    user = session.scalar(select(User).where(User.folded == fold_name(name)))
    if user is None:
        raise InputError(f"there is no account {shorten(name, 80)!r}")
    return user


def find_session_viewer(session: Session, secret: str) -> Viewer | None:
    """Whoever is logged in with this session, with their teams: every page asks, so it is one query."""
    rows = session.execute(
        select(User, Member.team_id)
        .join(WebSession, WebSession.user_id == User.id)
        .outerjoin(Member, Member.user_id == User.id)
        .where(WebSession.hash == digest(secret), WebSession.expires > now(), User.disabled.is_(None))
    ).all()
    return Viewer(rows[0][0], frozenset(team for _, team in rows if team)) if rows else None


def is_fresh(session: Session, secret: str) -> bool:
    """Whether somebody has logged in within the last minutes."""
    found = session.scalar(select(WebSession).where(WebSession.hash == digest(secret)))
    return found is not None and found.created > now() - 60 * FRESH_MINUTES


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
    text = password.encode("utf-8", "surrogatepass")
    return _threads().submit(lambda: _hasher(cost).hash(text)).result()


def password_fits(hashed: str | None, password: str, *, cost: int = 0) -> bool:
    """Whether a password is right. Where there is no such account, as long is spent on it as where there is one."""
    text = password[:MAX_PASSWORD].encode("utf-8", "surrogatepass")
    known = hashed or _hash_nothing(cost)
    try:
        fits = _threads().submit(lambda: _hasher(cost).verify(known, text)).result()
    except (VerificationError, InvalidHashError):
        return False
    return fits and hashed is not None


NICENESS = 5  # of the threads that hash


@cache
def _threads() -> ThreadPoolExecutor:
    """Where argon2 runs: on fewer cores than there are, and after whatever else wants them.

    Nothing else runs here, as a thread of low priority that holds a lock of Python would keep all others waiting.
    """
    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="argon2", initializer=_lower_priority)


def _lower_priority() -> None:
    """On Linux, a thread has a priority of its own, and the threads that argon2 starts inherit it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


@cache
def _hasher(cost: int) -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8 * cost, parallelism=1) if cost else PasswordHasher()


@cache
def _hash_nothing(cost: int) -> str:
    return hash_password(new_secret(), cost=cost)


# Rate limits: at most so many attempts in so many seconds. The database counts, so all processes agree.


QUARTER, HOUR = 900.0, 3600.0


def check_rate(session: Session, what: str, who: str, *, limit: int, seconds: float) -> None:
    """Refuse one attempt too many. ``count_attempt`` counts them."""
    counted = select(func.count()).where(Attempt.key == _key(what, who), Attempt.at > now() - seconds)
    if (session.scalar(counted) or 0) >= limit:
        raise TooManyError(f"too many attempts: wait {seconds / 60:.0f} minutes, then try again")


def count_attempt(session: Session, what: str, who: str) -> Attempt:
    attempt = Attempt(key=_key(what, who), at=now())
    session.add(attempt)
    return attempt


def forget_attempts(session: Session) -> None:
    """Delete what no limit looks at any more."""
    session.execute(delete(Attempt).where(Attempt.at < now() - HOUR))


def _key(what: str, who: str) -> str:
    return digest(f"{what}\n{who}")  # addresses of people are not stored in plain text
