"""Files that people send, by the hash of their content, and the audit log. Every subject writes both.

Files lie compressed in the database: it is the one thing that all machines share, and that a backup copies.
The same file twice is stored once. Entries of the audit log are only added; the database refuses all else.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from gecval.board.clock import now
from gecval.board.database.models import AuditEntry, Blob
from gecval.board.errors import NotFoundError

ENTRIES = 200  # of the audit log that are read at a time


def digest(content: str | bytes) -> str:
    """The SHA-256 of a text or a file, in hexadecimal."""
    plain = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(plain).hexdigest()


def store_file(session: Session, content: bytes) -> str:
    """Store a file; its hash."""
    file_hash = digest(content)
    row = {"hash": file_hash, "size": len(content), "content": zlib.compress(content)}
    # Two people may upload the same file at the same moment: the second one stores nothing.
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    session.execute(dialect.insert(Blob).values(row).on_conflict_do_nothing(index_elements=["hash"]))
    return file_hash


def read_file(session: Session, file_hash: str) -> bytes:
    """What a file holds."""
    packed = session.scalar(select(Blob.content).where(Blob.hash == file_hash))
    if packed is None:
        raise NotFoundError("the file is gone")
    return zlib.decompress(packed)


def record(session: Session, actor: str, action: str, object: str, **detail: object) -> None:
    """Add an entry, in the transaction of the action. No secret and no text of an upload goes in here."""
    session.add(AuditEntry(at=now(), actor=actor[:80], action=action, object=object[:120], detail=detail))


def list_entries(session: Session, *, before: int | None = None) -> Sequence[AuditEntry]:
    """The latest entries, newest first; ``before`` is the number of an entry."""
    chosen = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(ENTRIES)
    return session.scalars(chosen if before is None else chosen.where(AuditEntry.id < before)).all()
