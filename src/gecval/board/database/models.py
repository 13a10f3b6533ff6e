"""All tables. A new one needs a class here, and a migration."""

from __future__ import annotations

import math
import secrets
from typing import Any, Literal, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    String,
    Text,
    UniqueConstraint,
    select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from gecval.board.clock import now

# What all tables share. Times are seconds since 1970; identifiers are random, so a copy keeps them.


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


# Who there is: people, teams, and the secrets that let them in. Secrets are stored hashed.


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
    disconnected: Mapped[float | None]  # from single sign-on, by the user: only they connect it again


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


class Address(Base):
    """Where a person gets mail. It is here once its owner has opened the link that was sent to it, not before."""

    __tablename__ = "addresses"
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), primary_key=True)
    address: Mapped[str] = mapped_column(String(254), unique=True)  # in small letters
    news: Mapped[bool] = mapped_column(default=True)  # mail about submissions and phases


class Identity(Base):
    """Who a person is at a provider of single sign-on: its address, and the name that it never gives to another."""

    __tablename__ = "identities"
    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), index=True)


class MailLink(Dated, Base):
    """A link that a mail brings: it confirms ``address``, or, without one, lets somebody choose a new password."""

    __tablename__ = "mail_links"
    hash: Mapped[str] = mapped_column(HASH, unique=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey("users.id"), index=True)
    address: Mapped[str | None] = mapped_column(String(254))
    expires: Mapped[float]


class Mail(Dated, Base):
    """A mail to be sent: what about, not its text. Text and secret links are made when it is sent.

    ``about`` names a piece of news, which is sent once. ``due`` is when it is tried next; None: it is sent or given up.
    """

    __tablename__ = "mails"
    kind: Mapped[str] = mapped_column(String(16))
    user_id: Mapped[str | None] = mapped_column(Id, ForeignKey("users.id"))
    address: Mapped[str | None] = mapped_column(String(254))  # where it is not the user's own
    about: Mapped[str | None] = mapped_column(String(80), unique=True)
    detail: Mapped[dict[str, Any]]
    tries: Mapped[int] = mapped_column(default=0)
    due: Mapped[float | None] = mapped_column(index=True, default=now)


class Attempt(Base):
    """Something that a rate limit counts."""

    __tablename__ = "attempts"
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    key: Mapped[str] = mapped_column(HASH)
    at: Mapped[float]
    __table_args__ = (Index(None, "key", "at"),)


# What is asked of systems: benchmarks, the versions of their data, phases. Files lie in ``blobs``, by their hash.


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
    def offered(self) -> bool:
        """Whether references that are not hidden can be downloaded."""
        return bool(self.options.get("offered", True))

    @property
    def source_file(self) -> str:
        """The name under which anybody can download the source; references may have brought it."""
        return self.source_name or "source.txt"

    @property
    def hidden(self) -> bool:
        """Whether a score of this version says something about references that nobody shall see."""
        return any(reference.hidden for reference in self.references)

    def publish(self, value: float) -> float:
        """A score as everybody may know it. What others see, or can infer, is computed from this and nothing else."""
        return round(value, self.digits) if self.hidden else value

    def publish_margin(self, low: float, high: float) -> float:
        """Half of an interval on hidden references: rounded up to one digit less, so that it tells of no sentence."""
        step = 10.0 ** max(self.digits - 1, 1)
        return math.ceil((high - low) / 2 * step - 1e-9) / step


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
    private: Mapped[bool] = mapped_column(default=False)  # until it closes, only its team reads an output
    ladder: Mapped[float | None]  # the step of the Ladder in standard errors; None: every score is shown
    benchmark: Mapped[Benchmark] = relationship(back_populates="phases")


# What systems answer: submissions, the jobs that score them, and their scores. Scores are added, never overwritten.


State = Literal["queued", "leased", "done", "failed", "cancelled"]


REFERENCE = "(reference)"  # the decoy that is a reference itself


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


def live_submissions(benchmark_id: str) -> Select[Submission]:
    """The submissions to a benchmark, decoys too, that nobody withdrew or deleted."""
    mine = select(Submission).join(System).where(System.benchmark_id == benchmark_id)
    return mine.where(Submission.withdrawn.is_(None), Submission.deleted.is_(None))


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
    rests: Mapped[float | None]  # after an error it is not tried again before this moment
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
    the Ladder would have to show a lower score otherwise, and that would reveal a submission that was kept back.
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


# People rank outputs: campaigns, whose outputs they compare, who judges, and what was shown and answered.


class Campaign(Dated, Base):
    """``most`` outputs are shown at once; every item of number ``again``, 2·``again`` ... was shown before."""

    __tablename__ = "campaigns"
    benchmark_id: Mapped[str] = mapped_column(Id, ForeignKey("benchmarks.id"), index=True)
    version_id: Mapped[str] = mapped_column(Id, ForeignKey("versions.id"))
    name: Mapped[str] = mapped_column(String(80))
    about: Mapped[str] = mapped_column(Text, default="")
    goal: Mapped[int | None]  # sentences that each judge should rank
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


# What the board stores about itself: the audit log, rankings already computed, settings.


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


class StoredSetting(Base):
    __tablename__ = "settings"
    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
