"""What is asked of systems: benchmarks, the versions of their data, phases. Files lie in ``blobs``, by their hash."""

from __future__ import annotations

from typing import Any, Literal, cast

from sqlalchemy import ForeignKey, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from gecval.board.database.base import Base, Dated, Id
from gecval.board.database.people import HASH

Visibility = Literal["public", "link", "private"]
Rule = Literal["best", "last", "chosen"]
Entry = Literal["system", "team"]


class Blob(Base):
    """A file that somebody gave, zlib-compressed, by the SHA-256 of what it holds."""

    __tablename__ = "blobs"
    hash: Mapped[str] = mapped_column(HASH, primary_key=True)
    size: Mapped[int]
    content: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)


class Benchmark(Dated, Base):
    __tablename__ = "benchmarks"
    slug: Mapped[str] = mapped_column(String(80), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    about: Mapped[str] = mapped_column(Text, default="")
    visibility: Mapped[str] = mapped_column(String(16), default="public")
    link: Mapped[str] = mapped_column(String(64), unique=True)  # stands for the slug where visibility is ``link``
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"))
    deleted: Mapped[float | None]
    versions: Mapped[list[Version]] = relationship(order_by="Version.number", back_populates="benchmark")
    phases: Mapped[list[Phase]] = relationship(order_by="Phase.opens, Phase.created", back_populates="benchmark")

    @property
    def address(self) -> str:
        """What stands for it in addresses: a name, or a secret for those who were given it."""
        return self.link if self.visibility == "link" else self.slug


class Admission(Base):
    """A team that may see a private benchmark and submit to it."""

    __tablename__ = "admissions"
    benchmark_id: Mapped[str] = mapped_column(Id, ForeignKey("benchmarks.id"), primary_key=True)
    team_id: Mapped[str] = mapped_column(Id, ForeignKey("teams.id"), primary_key=True)


class Version(Dated, Base):
    """The data as they were corrected last, the metrics, and how sentences make a score. It never changes."""

    __tablename__ = "versions"
    benchmark_id: Mapped[str] = mapped_column(Id, ForeignKey("benchmarks.id"))
    number: Mapped[int]
    note: Mapped[str] = mapped_column(Text, default="")
    source_name: Mapped[str | None] = mapped_column(String(80))  # None: the references bring the source
    source: Mapped[str | None] = mapped_column(HASH, ForeignKey("blobs.hash"))
    missing: Mapped[str] = mapped_column(String(16), default="absent")
    language: Mapped[str | None] = mapped_column(String(16))
    edits: Mapped[str | None] = mapped_column(String(80))
    aggregate: Mapped[str] = mapped_column(String(16), default="corpus")
    metrics: Mapped[list[str]]
    options: Mapped[dict[str, Any]] = mapped_column(default=dict)
    digits: Mapped[int] = mapped_column(default=3)  # of scores on hidden references
    benchmark: Mapped[Benchmark] = relationship(back_populates="versions")
    references: Mapped[list[ReferenceSet]] = relationship(order_by="ReferenceSet.position")
    __table_args__ = (UniqueConstraint("benchmark_id", "number"),)

    @property
    def tokenize(self) -> str | None:
        """``char`` where every character is a token."""
        return cast("str | None", self.options.get("tokenize"))

    @property
    def hidden(self) -> bool:
        """Whether a score of this version says something about references that nobody shall see."""
        return any(reference.hidden for reference in self.references)


class ReferenceSet(Dated, Base):
    __tablename__ = "reference_sets"
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"), index=True)
    position: Mapped[int]
    name: Mapped[str] = mapped_column(String(80))
    blob: Mapped[str] = mapped_column(HASH, ForeignKey("blobs.hash"))
    hidden: Mapped[bool] = mapped_column(default=False)


class Phase(Dated, Base):
    """When submissions are taken, how many, and which of them stand on the leaderboard."""

    __tablename__ = "phases"
    benchmark_id: Mapped[str] = mapped_column(Id, ForeignKey("benchmarks.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    opens: Mapped[float]
    closes: Mapped[float | None]
    per_day: Mapped[int | None]
    in_all: Mapped[int | None]
    rule: Mapped[str] = mapped_column(String(16), default="best")
    entry: Mapped[str] = mapped_column(String(16), default="system")  # one line for each system, or for each team
    blind: Mapped[bool] = mapped_column(default=False)  # until it closes, only organisers see scores
    ladder: Mapped[float | None]  # the step of the Ladder in standard errors; None: every score is shown
    benchmark: Mapped[Benchmark] = relationship(back_populates="phases")
