"""People rank outputs: campaigns, whose outputs they compare, who judges, and what was shown and answered."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from gecval.board.database.base import Base, Dated, Id
from gecval.board.database.contests import Benchmark, Version


class Campaign(Dated, Base):
    """``most`` outputs are shown at once; every item of number ``again``, 2·``again`` ... was shown before."""

    __tablename__ = "campaigns"
    benchmark_id: Mapped[str] = mapped_column(Id, ForeignKey("benchmarks.id"), index=True)
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"))
    name: Mapped[str] = mapped_column(String(80))
    about: Mapped[str] = mapped_column(Text, default="")
    most: Mapped[int] = mapped_column(default=5)
    again: Mapped[int] = mapped_column(default=10)
    closed: Mapped[float | None]
    benchmark: Mapped[Benchmark] = relationship()
    version: Mapped[Version] = relationship()
    contestants: Mapped[list[Contestant]] = relationship(order_by="Contestant.label")
    jurors: Mapped[list[Juror]] = relationship(order_by="Juror.number")


class Contestant(Base):
    """A submission that is judged. ``label`` names its system in judgments: no blanks, no commas.

    ``submission_id`` is None once the submission was deleted for good: judgments stay, the output is shown no more.
    """

    __tablename__ = "contestants"
    campaign_id: Mapped[str] = mapped_column(Id, ForeignKey("campaigns.id"), primary_key=True)
    label: Mapped[str] = mapped_column(String(100), primary_key=True)
    submission_id: Mapped[str | None] = mapped_column(Id, ForeignKey("submissions.id"))


class Juror(Base):
    """Who may judge. Judgments name a judge by number only; one who left keeps it."""

    __tablename__ = "jurors"
    campaign_id: Mapped[str] = mapped_column(Id, ForeignKey("campaigns.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), primary_key=True, index=True)
    number: Mapped[int]
    left: Mapped[float | None]


class Item(Dated, Base):
    """What one judge was shown: systems of equal output together, in the order shown; no ``ranks`` is a skipped one."""

    __tablename__ = "items"
    campaign_id: Mapped[str] = mapped_column(Id, ForeignKey("campaigns.id"))
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"))
    number: Mapped[int]
    sentence: Mapped[int]
    shown: Mapped[list[list[str]]] = mapped_column(JSON)
    ranks: Mapped[list[int]] = mapped_column(JSON, default=list)
    answered: Mapped[float | None]
    repeats: Mapped[int | None]  # the number of the item that this one shows again
    __table_args__ = (UniqueConstraint("campaign_id", "user_id", "number"),)

    @property
    def placements(self) -> list[tuple[list[str], int]]:
        """Each output's systems and its rank."""
        pairs: Any = zip(self.shown, self.ranks, strict=True) if self.ranks else ()
        return list(pairs)
