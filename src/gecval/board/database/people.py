"""Who there is: people, teams, and the secrets that let them in. Secrets are stored hashed."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from gecval.board.database.base import Base, Dated, Id

Role = Literal["organiser", "participant", "judge"]
Scope = Literal["read", "submit", "organise"]
HASH = String(64)


class User(Dated, Base):
    __tablename__ = "users"
    name: Mapped[str] = mapped_column(String(80))
    folded: Mapped[str] = mapped_column(String(240), unique=True)  # the name as log-in compares it
    password: Mapped[str] = mapped_column(String(200))  # argon2id
    role: Mapped[str] = mapped_column(String(16))
    disabled: Mapped[float | None]


class Team(Dated, Base):
    __tablename__ = "teams"
    name: Mapped[str] = mapped_column(String(80))
    folded: Mapped[str] = mapped_column(String(240), unique=True)


class Member(Base):
    __tablename__ = "members"
    team_id: Mapped[str] = mapped_column(Id, ForeignKey("teams.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), primary_key=True, index=True)


class Invitation(Dated, Base):
    __tablename__ = "invitations"
    hash: Mapped[str] = mapped_column(HASH, unique=True)
    role: Mapped[str] = mapped_column(String(16))
    team_id: Mapped[str | None] = mapped_column(Id, ForeignKey("teams.id"))
    made_by: Mapped[str | None] = mapped_column(Id, ForeignKey("users.id"))
    expires: Mapped[float]
    used: Mapped[float | None]
    used_by: Mapped[str | None] = mapped_column(Id, ForeignKey("users.id"))


class Token(Dated, Base):
    """What a program shows instead of a password."""

    __tablename__ = "tokens"
    hash: Mapped[str] = mapped_column(HASH, unique=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    scope: Mapped[str] = mapped_column(String(16))
    expires: Mapped[float]
    used: Mapped[float | None]
    revoked: Mapped[float | None]


class WebSession(Dated, Base):
    __tablename__ = "sessions"
    hash: Mapped[str] = mapped_column(HASH, unique=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), index=True)
    expires: Mapped[float]


class Attempt(Base):
    """Something that a rate limit counts."""

    __tablename__ = "attempts"
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    key: Mapped[str] = mapped_column(HASH)
    at: Mapped[float]
    __table_args__ = (Index(None, "key", "at"),)
