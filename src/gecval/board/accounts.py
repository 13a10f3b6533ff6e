"""Accounts, teams and invitations. No mail is needed: who may join is given a link."""

from __future__ import annotations

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from gecval.board.audit import record
from gecval.board.clock import DAY, now
from gecval.board.database.models import Invitation, Member, Team, User, WebSession
from gecval.board.database.people import Role
from gecval.board.database.session import locked
from gecval.board.errors import ForbiddenError, NotFoundError
from gecval.board.limits import QUARTER, check_rate, count_attempt
from gecval.board.names import clean_name
from gecval.board.secret import digest, hash_password, new_secret, password_fits
from gecval.board.settings import Settings
from gecval.errors import InputError

INVITATION_DAYS, FIRST_LINK_DAYS = 14, 1
ROLES: tuple[Role, ...] = ("organiser", "participant", "judge")
FOLD_MANY = 10  # one address may fail for so many names as often as one name may


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


def teams_of(session: Session, user: User) -> list[Team]:
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


def first_link(session: Session) -> str | None:
    """A secret that makes the first organiser; None where there is one. Earlier ones are void."""
    if session.scalar(select(func.count()).select_from(User).where(User.role == "organiser")):
        return None
    for old in session.scalars(select(Invitation).where(Invitation.role == "organiser", Invitation.used.is_(None))):
        old.used = now()
    return invite(session, role="organiser", days=FIRST_LINK_DAYS)


def invitation(session: Session, secret: str) -> Invitation:
    """An invitation that still holds."""
    row = session.scalar(locked(select(Invitation).where(Invitation.hash == digest(secret))))
    if row is None or row.used is not None or row.expires < now():
        raise NotFoundError("this link was used or has expired; ask for a new one")
    return row


def join(session: Session, settings: Settings, secret: str, *, name: str, password: str, team: str = "") -> User:
    """Use up an invitation, and make the account that it is for."""
    row = invitation(session, secret)
    user = make_user(session, settings, name=name, password=password, role=row.role)  # type: ignore[arg-type]
    row.used, row.used_by = now(), user.id
    if row.team_id:
        session.add(Member(team_id=row.team_id, user_id=user.id))
    elif team.strip():
        make_team(session, team, user)
    return user


def join_team(session: Session, secret: str, user: User) -> None:
    """Use up an invitation to a team, for somebody who has an account."""
    row = invitation(session, secret)
    if row.team_id is None:
        raise ForbiddenError("this link makes an account, and you have one; log out to use it")
    if session.get(Member, (row.team_id, user.id)) is None:
        session.add(Member(team_id=row.team_id, user_id=user.id))
    row.used, row.used_by = now(), user.id
    record(session, user.name, "join team", f"team {row.team_id}")


def log_in(session: Session, settings: Settings, *, name: str, password: str, address: str) -> str | None:
    """The secret of a new session, or None where name or password is wrong. Guessing is slowed down."""
    folded = " ".join(name[:800].split()).casefold()
    check_rate(session, "log-in", f"{folded}\n{address}", most=settings.logins, seconds=QUARTER)
    check_rate(session, "log-in address", address, most=FOLD_MANY * settings.logins, seconds=QUARTER)
    user = session.scalar(select(User).where(User.folded == folded))
    known = user is not None and user.disabled is None
    if not password_fits(user.password if user and known else None, password, cost=settings.password_cost):
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
    check_rate(session, "password", user.id, most=settings.logins, seconds=QUARTER)
    if not password_fits(user.password, old, cost=settings.password_cost):
        raise ForbiddenError("the old password is wrong")
    user.password = hash_password(new, cost=settings.password_cost)
    session.execute(delete(WebSession).where(WebSession.user_id == user.id))
    record(session, user.name, "change password", f"user {user.id}")
    return start_session(session, settings, user)


def user_of_session(session: Session, secret: str) -> User | None:
    found = session.scalar(select(WebSession).where(WebSession.hash == digest(secret), WebSession.expires > now()))
    user = session.get(User, found.user_id) if found else None
    return user if user and user.disabled is None else None


def end_session(session: Session, secret: str) -> None:
    row = session.scalar(select(WebSession).where(WebSession.hash == digest(secret)))
    if row is not None:
        session.delete(row)
