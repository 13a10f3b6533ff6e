"""Who may see and do what. Every page, every call of the API and every download asks here, and nowhere else.

    organiser      everything on this board
    participant    what is public or admits their team; all about their own team's systems
    judge          what is public; the campaigns they are invited to
    anybody        what is public; with the link, what has visibility ``link``

What a viewer may not see is said not to exist. A token does what its scope says, and never more than its owner may.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, literal, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.base import ExecutableOption

from gecval.board.clock import now
from gecval.board.database.models import (
    REFERENCE,
    Admission,
    Benchmark,
    Campaign,
    Juror,
    Member,
    Phase,
    Submission,
    System,
    User,
)
from gecval.board.errors import ForbiddenError, LogInFirstError, NotFoundError
from gecval.errors import list_first

WEB = "web"  # the scope of somebody who logged in
SCOPES = ("read", "submit", "organise")
_ENOUGH = {"read": (WEB, *SCOPES), "submit": (WEB, "submit", "organise"), "organise": (WEB, "organise")}


@dataclass(frozen=True)
class Viewer:
    """Who asks."""

    user: User | None = None
    teams: frozenset[str] = frozenset()
    scope: str = WEB

    @classmethod
    def load(cls, session: Session, user: User, scope: str = WEB) -> Viewer:
        return cls(user, frozenset(session.scalars(select(Member.team_id).where(Member.user_id == user.id))), scope)

    @property
    def name(self) -> str:
        return self.user.name if self.user else "anybody"

    @property
    def organiser(self) -> bool:
        return self.user is not None and self.user.role == "organiser" and self.scope in _ENOUGH["organise"]


NOBODY = Viewer()


def must_log_in(viewer: Viewer) -> User:
    if viewer.user is None:
        raise LogInFirstError("log in first")
    return viewer.user


def must_organise(viewer: Viewer) -> User:
    user = must_log_in(viewer)
    if not viewer.organiser:
        raise ForbiddenError("only organisers may do this" + ("" if viewer.scope == WEB else ", with that scope"))
    return user


def must_act(viewer: Viewer, scope: str) -> User:
    """Refuse a token whose scope is not enough."""
    user = must_log_in(viewer)
    if viewer.scope not in _ENOUGH[scope]:
        raise ForbiddenError(f"this token may {viewer.scope}; make one with the scope {scope}")
    return user


def find_benchmark(session: Session, viewer: Viewer, address: str, *options: ExecutableOption) -> Benchmark:
    """The benchmark at an address, if this viewer may know of it."""
    wanted = select(Benchmark).where(or_(Benchmark.slug == address, Benchmark.link == address))
    benchmark = session.scalars(wanted.where(Benchmark.deleted.is_(None)).options(*options)).unique().one_or_none()
    if benchmark is None or not _sees(session, viewer, benchmark, address):
        known = list_first([listed.slug for listed in list_benchmarks(session, viewer)], 10)
        raise NotFoundError(f"there is no such benchmark; there is {known or 'none yet'}")
    return benchmark


def find_deleted_benchmark(session: Session, viewer: Viewer, slug: str) -> Benchmark:
    """A benchmark that is deleted, for an organiser who brings it back."""
    must_organise(viewer)
    benchmark = session.scalar(select(Benchmark).where(Benchmark.slug == slug, Benchmark.deleted.is_not(None)))
    if benchmark is None:
        raise NotFoundError("there is no such benchmark among the deleted ones")
    return benchmark


def _sees(session: Session, viewer: Viewer, benchmark: Benchmark, address: str) -> bool:
    if viewer.organiser or (benchmark.visibility == "public" and address == benchmark.slug):
        return True
    if benchmark.visibility == "link":
        return address == benchmark.link
    return benchmark.visibility == "private" and address == benchmark.slug and _is_admitted(session, viewer, benchmark)


def _is_admitted(session: Session, viewer: Viewer, benchmark: Benchmark) -> bool:
    admitted = select(Admission.team_id).where(
        Admission.benchmark_id == benchmark.id, Admission.team_id.in_(viewer.teams)
    )
    return session.scalars(admitted).first() is not None


def shows_own_submissions(viewer: Viewer) -> ColumnElement[bool]:
    """The condition under which a viewer sees a benchmark that their team has submitted to.

    Who has submitted to one that is seen by its link was given the link.
    """
    admitted = select(Admission.team_id).where(
        Admission.benchmark_id == Benchmark.id, Admission.team_id.in_(viewer.teams)
    )
    return or_(literal(viewer.organiser), Benchmark.visibility != "private", admitted.exists())


def list_benchmarks(session: Session, viewer: Viewer) -> list[Benchmark]:
    """The benchmarks that the first page lists."""
    every = session.scalars(select(Benchmark).where(Benchmark.deleted.is_(None)).order_by(Benchmark.created.desc()))
    return [benchmark for benchmark in every if _sees(session, viewer, benchmark, benchmark.slug)]


def owns(viewer: Viewer, system: System) -> bool:
    return viewer.organiser or (system.team_id is not None and system.team_id in viewer.teams)


def sees_scores(viewer: Viewer, phase: Phase | None) -> bool:
    """Blind until closed: scores of such a phase are for organisers alone while it lasts."""
    if phase is None or not phase.blind or viewer.organiser:
        return True
    return phase.closes is not None and phase.closes <= now()


def sees_submission_scores(viewer: Viewer, submission: Submission, version_id: str) -> bool:
    """Whether a viewer sees the scores of a submission on a version. Those that did not climb are for organisers."""
    return sees_scores(viewer, submission.phase) and (viewer.organiser or submission.climbed(version_id))


def is_kept_back(viewer: Viewer, submission: Submission, version_id: str) -> bool:
    """Whether a viewer may know that the Ladder kept a submission back. It is a result too: a blind phase hides it."""
    scored = any(job.version_id == version_id and job.state == "done" for job in submission.jobs)
    return sees_scores(viewer, submission.phase) and scored and not submission.climbed(version_id)


def sees_submission(viewer: Viewer, submission: Submission) -> bool:
    """Owners see all of theirs, and what they deleted until it is gone; others what stands on a leaderboard."""
    if owns(viewer, submission.system):
        return True
    scored = any(job.state == "done" for job in submission.jobs)
    return submission.live and scored and sees_scores(viewer, submission.phase) and submission.climbed()


def sees_output(viewer: Viewer, submission: Submission) -> bool:
    """Whether a viewer may read what a system wrote. A decoy made of hidden references would give them away.

    In a private phase, others read an output when the phase is over: it would help them with theirs.
    """
    phase = submission.phase
    over = phase is None or not phase.private or (phase.closes is not None and phase.closes <= now())
    if not over and not owns(viewer, submission.system):
        return False
    if viewer.organiser or submission.system.decoy is None or submission.version_id is None:
        return True
    version = next(one for one in submission.system.benchmark.versions if one.id == submission.version_id)
    return not (version.hidden and submission.system.name == REFERENCE)


def find_submission(session: Session, viewer: Viewer, benchmark: Benchmark, submission_id: str) -> Submission:
    """A submission to this benchmark, if this viewer may know of it."""
    submission = session.get(Submission, submission_id)
    if submission is None or submission.system.benchmark_id != benchmark.id or not sees_submission(viewer, submission):
        raise NotFoundError("there is no such submission")
    return submission


def find_own_submission(session: Session, viewer: Viewer, benchmark: Benchmark, submission_id: str) -> Submission:
    """A submission that this viewer may withdraw, choose, delete or bring back."""
    user = must_act(viewer, "submit")
    submission = session.get(Submission, submission_id)
    if submission is None or submission.system.benchmark_id != benchmark.id:
        raise NotFoundError("there is no such submission")
    if not owns(viewer, submission.system):
        if sees_submission(viewer, submission):
            raise ForbiddenError(f"this submission is not yours, {user.name}")
        raise NotFoundError("there is no such submission")
    return submission


def find_system(session: Session, viewer: Viewer, benchmark: Benchmark, system_id: str) -> System:
    """A system of this benchmark, if this viewer may know of it: one of its submissions can be seen."""
    system = session.get(System, system_id)
    if system is None or system.benchmark_id != benchmark.id:
        raise NotFoundError("there is no such system")
    if not owns(viewer, system) and not any(sees_submission(viewer, one) for one in system.submissions):
        raise NotFoundError("there is no such system")
    return system


def list_campaigns(session: Session, viewer: Viewer, benchmark: Benchmark) -> list[Campaign]:
    """The campaigns of a benchmark whose results this viewer may see: open ones are for organisers."""
    listed = select(Campaign).where(Campaign.benchmark_id == benchmark.id).order_by(Campaign.created.desc())
    return [campaign for campaign in session.scalars(listed) if viewer.organiser or campaign.closed is not None]


def find_campaign(session: Session, viewer: Viewer, campaign_id: str) -> Campaign:
    """A campaign whose results this viewer may see."""
    campaign = session.get(Campaign, campaign_id)
    if campaign is not None and campaign.benchmark.deleted is None:
        benchmark = campaign.benchmark
        # Where a benchmark is seen by its link, the random id of a campaign is as good a secret as that.
        seen = benchmark.visibility == "link" or _sees(session, viewer, benchmark, benchmark.slug)
        if viewer.organiser or (campaign.closed is not None and seen):
            return campaign
    raise NotFoundError("there is no such campaign")


def find_campaign_to_judge(session: Session, viewer: Viewer, campaign_id: str) -> tuple[Campaign, User]:
    """A campaign that this viewer was asked to judge. They need not be able to see the benchmark."""
    campaign = session.get(Campaign, campaign_id)
    juror = session.get(Juror, (campaign_id, viewer.user.id)) if viewer.user else None
    if campaign is None or viewer.user is None or juror is None or juror.left is not None:
        raise NotFoundError("there is no such campaign")
    if campaign.benchmark.deleted is not None:
        raise NotFoundError("there is no such campaign")
    return campaign, viewer.user


def list_campaigns_to_judge(session: Session, viewer: Viewer) -> list[Campaign]:
    """The open campaigns that this viewer was asked to judge."""
    user = must_log_in(viewer)
    asked = select(Juror.campaign_id).where(Juror.user_id == user.id, Juror.left.is_(None))
    listed = select(Campaign).where(Campaign.id.in_(asked), Campaign.closed.is_(None)).order_by(Campaign.created)
    return [campaign for campaign in session.scalars(listed) if campaign.benchmark.deleted is None]
