"""What an operator does on the machine itself, without a browser: files from paths, in the name of an organiser."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gecval.board.audit import record
from gecval.board.benchmarks import Data, GivenFile
from gecval.board.database.models import User, WebSession
from gecval.board.secret import hash_password
from gecval.board.settings import Settings
from gecval.errors import InputError, shortened
from gecval.formats.files import readable


def first_organiser(session: Session) -> User:
    """The organiser in whose name the operator acts."""
    user = session.scalar(select(User).where(User.role == "organiser").order_by(User.created))
    if user is None:
        raise InputError("the board has no organiser yet: start it, and open the link that it prints")
    return user


def new_password(session: Session, settings: Settings, name: str) -> str:
    """A new random password for an account. Whoever was logged in as it is not any more."""
    user = session.scalar(select(User).where(User.folded == " ".join(name.split()).casefold()))
    if user is None:
        raise InputError(f"there is no account {shortened(name, 80)!r}")
    password = secrets.token_urlsafe(12)
    user.password = hash_password(password, cost=settings.password_cost)
    session.execute(delete(WebSession).where(WebSession.user_id == user.id))
    record(session, "operator", "new password", f"user {user.id}")
    return password


def from_paths(
    source: Path | None,
    references: Sequence[Path],
    hidden: Sequence[Path],
    *,
    metrics: Sequence[str],
    aggregate: str,
) -> Data:
    """The data of a version, from files on this machine."""
    return Data(
        source=_read(source) if source else None,
        references=[_read(path) for path in references] + [_read(path, hidden=True) for path in hidden],
        metrics=metrics,
        aggregate=aggregate,
    )


def _read(path: Path, *, hidden: bool = False) -> GivenFile:
    with readable(path):
        return GivenFile(name=path.name, content=path.read_bytes(), hidden=hidden)
