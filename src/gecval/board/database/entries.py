"""What systems answer: submissions, the jobs that score them, and their scores. Scores are added, never overwritten."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from gecval.board.database.base import Base, Dated, Id
from gecval.board.database.contests import Benchmark, Phase, Version
from gecval.board.database.people import HASH, Team

State = Literal["queued", "leased", "done", "failed", "cancelled"]


class System(Dated, Base):
    """A team's system; its submissions are its history. A decoy belongs to no team."""

    __tablename__ = "systems"
    benchmark_id: Mapped[str] = mapped_column(Id, ForeignKey("benchmarks.id"))
    team_id: Mapped[str | None] = mapped_column(Id, ForeignKey("teams.id"))
    name: Mapped[str] = mapped_column(String(80))
    decoy: Mapped[str | None] = mapped_column(String(200))  # what it does instead of correcting
    benchmark: Mapped[Benchmark] = relationship()
    team: Mapped[Team | None] = relationship()
    submissions: Mapped[list[Submission]] = relationship(order_by="Submission.created", back_populates="system")
    __table_args__ = (UniqueConstraint("benchmark_id", "team_id", "name"),)


class Submission(Dated, Base):
    __tablename__ = "submissions"
    system_id: Mapped[str] = mapped_column(Id, ForeignKey("systems.id"), index=True)
    phase_id: Mapped[str | None] = mapped_column(Id, ForeignKey("phases.id"), index=True)
    user_id: Mapped[str | None] = mapped_column(Id, ForeignKey("users.id"))
    version_id: Mapped[str | None] = mapped_column(Id, ForeignKey("versions.id"))  # decoys are made for one version
    file_name: Mapped[str] = mapped_column(String(80))
    blob: Mapped[str] = mapped_column(HASH, ForeignKey("blobs.hash"))
    sheet: Mapped[dict[str, Any]] = mapped_column(default=dict)
    withdrawn: Mapped[float | None]
    deleted: Mapped[float | None]
    chosen: Mapped[bool] = mapped_column(default=False)
    system: Mapped[System] = relationship(back_populates="submissions")
    phase: Mapped[Phase | None] = relationship()
    jobs: Mapped[list[Job]] = relationship(order_by="Job.created", back_populates="submission")
    rungs: Mapped[list[Rung]] = relationship(order_by="Rung.created")

    @property
    def live(self) -> bool:
        return self.withdrawn is None and self.deleted is None

    def climbed(self, version_id: str | None = None) -> bool:
        """Whether its scores on a version, or on any, are shown: always, where its phase has no Ladder."""
        if self.phase is None or self.phase.ladder is None:
            return True
        return any(version_id in (None, rung.version_id) for rung in self.rungs)


class Job(Dated, Base):
    """One submission to be scored on one version of the data by one version of gecval. ``lease`` is who works on it."""

    __tablename__ = "jobs"
    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"))
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"), index=True)
    software: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(16), default="queued")
    tries: Mapped[int] = mapped_column(default=0)
    lease: Mapped[str | None] = mapped_column(String(32))
    until: Mapped[float | None]
    started: Mapped[float | None]
    finished: Mapped[float | None]
    log: Mapped[str] = mapped_column(Text, default="")
    submission: Mapped[Submission] = relationship(back_populates="jobs")
    version: Mapped[Version] = relationship()
    __table_args__ = (UniqueConstraint("submission_id", "version_id", "software"), Index(None, "state", "created"))


class SystemScore(Dated, Base):
    """A score with all that is needed to get it again, and the statistics S from which tests need no rescoring."""

    __tablename__ = "scores"
    job_id: Mapped[str] = mapped_column(Id, ForeignKey("jobs.id"))
    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"), index=True)
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"), index=True)
    metric: Mapped[str] = mapped_column(String(400))
    score: Mapped[float]
    low: Mapped[float | None]
    high: Mapped[float | None]
    level: Mapped[float | None]
    parts: Mapped[dict[str, Any]]
    higher_is_better: Mapped[bool]
    signature: Mapped[str] = mapped_column(Text)
    notes: Mapped[list[str]]
    statistics: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    resampled: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    __table_args__ = (UniqueConstraint("job_id", "metric"),)


class Rung(Dated, Base):
    """A submission that climbed the Ladder of its phase: its scores are shown, and the next one must be better.

    ``score`` and ``resampled`` are those under the main metric. They stay when the submission is deleted for good, as
    the Ladder would have to show a lower score otherwise, and so tell of a submission that it kept back.
    """

    __tablename__ = "rungs"
    phase_id: Mapped[str] = mapped_column(Id, ForeignKey("phases.id"))
    team_id: Mapped[str] = mapped_column(Id, ForeignKey("teams.id"))
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"))
    submission_id: Mapped[str | None] = mapped_column(Id, ForeignKey("submissions.id"))
    score: Mapped[float]
    resampled: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    __table_args__ = (UniqueConstraint("submission_id", "version_id"), Index(None, "phase_id", "team_id"))


class Detail(Dated, Base):
    """What else a job found out, as a result of a study in JSON: ``kind`` is that of the result."""

    __tablename__ = "details"
    job_id: Mapped[str] = mapped_column(Id, ForeignKey("jobs.id"))
    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"), index=True)
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"))
    kind: Mapped[str] = mapped_column(String(40))
    body: Mapped[dict[str, Any]]
    __table_args__ = (UniqueConstraint("job_id", "kind"),)
