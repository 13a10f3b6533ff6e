"""The audit log: who did what, when. Entries are only ever added; the database refuses all else."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.clock import now
from gecval.board.database.models import AuditEntry


def record(session: Session, actor: str, action: str, object: str, **detail: object) -> None:
    """Add an entry, in the transaction of what it tells of. No secret and no text of an upload goes in here."""
    session.add(AuditEntry(at=now(), actor=actor[:80], action=action, object=object[:120], detail=detail))


def entries(session: Session, *, most: int = 200, before: int | None = None) -> Sequence[AuditEntry]:
    """The latest entries, newest first; ``before`` is the number of an entry."""
    chosen = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(most)
    return session.scalars(chosen if before is None else chosen.where(AuditEntry.id < before)).all()
