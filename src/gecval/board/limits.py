"""Rate limits: at most so many attempts in so many seconds. The database counts, so all processes agree."""

from __future__ import annotations

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from gecval.board.clock import now
from gecval.board.database.models import Attempt
from gecval.board.errors import TooManyError
from gecval.board.secret import digest

QUARTER, HOUR = 900.0, 3600.0


def check_rate(session: Session, what: str, who: str, *, most: int, seconds: float) -> None:
    """Refuse one attempt too many. ``count_attempt`` counts them."""
    counted = select(func.count()).where(Attempt.key == _key(what, who), Attempt.at > now() - seconds)
    if (session.scalar(counted) or 0) >= most:
        raise TooManyError(f"too many attempts: wait {seconds / 60:.0f} minutes, then try again")


def count_attempt(session: Session, what: str, who: str) -> None:
    session.add(Attempt(key=_key(what, who), at=now()))


def forget_attempts(session: Session, *, older: float = HOUR) -> None:
    """Delete what no limit looks at any more."""
    session.execute(delete(Attempt).where(Attempt.at < now() - older))


def _key(what: str, who: str) -> str:
    return digest(f"{what}\n{who}")  # addresses of people are not kept readable
