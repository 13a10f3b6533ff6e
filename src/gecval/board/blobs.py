"""Files that people give, kept by the hash of what they hold, compressed. The same file twice is kept once.

They lie in the database: it is the one thing that all machines share, and that a backup copies.
"""

from __future__ import annotations

import hashlib
import zlib

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from gecval.board.database.models import Blob
from gecval.board.errors import NotFoundError
from gecval.errors import InputError

GZIP, ZIP = b"\x1f\x8b", b"PK"


def check_text(content: bytes, name: str, *, most: int) -> None:
    """Refuse what is no UTF-8 text, is packed, or is too large. Nothing packed is ever unpacked: it may be a bomb."""
    if len(content) > most:
        raise InputError(f"{name} has more than {most} bytes, which is the most that a file may have")
    if content.startswith((GZIP, ZIP)):
        raise InputError(f"{name} is compressed; unpack it first")
    if not content.strip():
        raise InputError(f"{name} is empty")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{name}: line {line} is not UTF-8; convert the file, e.g. with iconv") from None
    if "\0" in text:
        raise InputError(f"{name} is no text: it holds NUL bytes")


def keep(session: Session, content: bytes) -> str:
    """Keep a file; its hash."""
    digest = hashlib.sha256(content).hexdigest()
    row = {"hash": digest, "size": len(content), "content": zlib.compress(content)}
    # Two people may upload the same file at the same moment: whoever comes second keeps nothing.
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    session.execute(dialect.insert(Blob).values(row).on_conflict_do_nothing(index_elements=["hash"]))
    return digest


def content(session: Session, digest: str) -> bytes:
    """What a file holds."""
    packed = session.scalar(select(Blob.content).where(Blob.hash == digest))
    if packed is None:
        raise NotFoundError("the file is gone")
    return zlib.decompress(packed)
