"""Tokens: what programs show instead of a password. Each has a scope and an end, and is shown once."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.access import SCOPES, Viewer
from gecval.board.audit import record
from gecval.board.clock import DAY, now
from gecval.board.database.models import Token, User
from gecval.board.errors import ForbiddenError, NotFoundError
from gecval.board.names import clean_name
from gecval.board.secret import digest, new_secret
from gecval.errors import InputError

PREFIX = "gecval_"  # so that scanners for leaked secrets can know one
MOST_DAYS, MOST_TOKENS = 366, 20


def make_token(session: Session, user: User, *, name: str, scope: str, days: int) -> str:
    """A new token. It is shown now and never again."""
    if scope not in SCOPES:
        raise InputError(f"the scope of a token is {', '.join(SCOPES)}, not {scope[:20]!r}")
    if scope == "organise" and user.role != "organiser":
        raise ForbiddenError("only organisers may make a token with the scope organise")
    if not 1 <= days <= MOST_DAYS:
        raise InputError(f"a token holds for 1 to {MOST_DAYS} days")
    if len(tokens_of(session, user)) >= MOST_TOKENS:
        raise InputError(f"you have {MOST_TOKENS} tokens; revoke one first")
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


def tokens_of(session: Session, user: User) -> Sequence[Token]:
    """The tokens that still hold."""
    holding = select(Token).where(Token.user_id == user.id, Token.revoked.is_(None), Token.expires > now())
    return session.scalars(holding.order_by(Token.created)).all()


def revoke_token(session: Session, user: User, token_id: str) -> None:
    token = session.get(Token, token_id)
    if token is None or token.user_id != user.id:
        raise NotFoundError("there is no such token")
    token.revoked = now()
    record(session, user.name, "revoke token", f"token {token.id}")


def viewer_of_token(session: Session, secret: str) -> Viewer:
    """Who shows a token. One that does not hold is refused, not ignored: its owner should know."""
    token = session.scalar(select(Token).where(Token.hash == digest(secret)))
    user = session.get(User, token.user_id) if token else None
    if token is None or user is None or user.disabled or token.revoked or token.expires < now():
        raise ForbiddenError("this token does not hold: it is unknown, revoked or expired")
    return Viewer.of(session, user, token.scope)
