"""What the board remembers about itself: the audit log, rankings already computed, settings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from gecval.board.database.base import Base
from gecval.board.database.people import HASH


class AuditEntry(Base):
    """Who did what, when. The database itself refuses to change or delete an entry."""

    __tablename__ = "audit"
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    at: Mapped[float]
    actor: Mapped[str] = mapped_column(String(80))
    action: Mapped[str] = mapped_column(String(40))
    object: Mapped[str] = mapped_column(String(120))
    detail: Mapped[dict[str, Any]]


class Ranking(Base):
    """Ranges of ranks and clusters of a set of scores, which never change: computed once."""

    __tablename__ = "rankings"
    key: Mapped[str] = mapped_column(HASH, primary_key=True)
    body: Mapped[dict[str, Any]]


class Remembered(Base):
    __tablename__ = "settings"
    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
