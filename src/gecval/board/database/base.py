"""What all tables share. Times are seconds since 1970; identifiers are random, so a copy keeps them."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import JSON, Float, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from gecval.board.clock import now

Id = String(16)


def new_id() -> str:
    return secrets.token_hex(8)


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {float: Float(53), dict[str, Any]: JSON, list[str]: JSON}  # noqa: RUF012


class Dated:
    """A row with an identifier of its own, and when it was made."""

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id, sort_order=-2)
    created: Mapped[float] = mapped_column(Float(53), default=now, sort_order=-1)
