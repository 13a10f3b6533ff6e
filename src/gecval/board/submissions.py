"""Submissions: taken in, counted, withdrawn, deleted, chosen, brought back.

A file passes the gate of ``Corpus`` before it counts. What counts is computed from the rows, never kept as a number:
a submission counts while it waits and once it is scored. One that is refused, fails, or is withdrawn before it was
scored costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from gecval.board import blobs, queue
from gecval.board.audit import record
from gecval.board.benchmarks import open_phase
from gecval.board.clock import DAY, now, start_of_day
from gecval.board.database.models import Admission, Benchmark, Job, Phase, Submission, System, Team, User
from gecval.board.database.session import locked
from gecval.board.errors import ForbiddenError, TooManyError
from gecval.board.names import clean_name, clean_text, file_name
from gecval.board.software import SOFTWARE
from gecval.errors import InputError

# The fact sheet, and what each line asks.
SHEET = {
    "data": "training data",
    "size": "size of the model",
    "paper": "paper",
    "code": "code",
    "seen": "did it see the test set?",
}
SEEN = ("", "no", "yes", "unknown")


@dataclass(frozen=True)
class Quota:
    """How many submissions a team has made in a phase, and may make; None is any number."""

    today: int
    per_day: int | None
    in_phase: int
    in_all: int | None

    @property
    def left(self) -> int | None:
        """How many are left today."""
        limits = [(self.per_day, self.today), (self.in_all, self.in_phase)]
        left = [max(0, most - used) for most, used in limits if most is not None]
        return min(left, default=None)


def quota(session: Session, phase: Phase, team_id: str) -> Quota:
    counting = (
        select(func.count())
        .select_from(Submission)
        .join(System)
        .where(System.team_id == team_id, Submission.phase_id == phase.id, queue.spent())
    )
    today = session.scalar(counting.where(Submission.created >= start_of_day(now()))) or 0
    return Quota(today, phase.per_day, session.scalar(counting) or 0, phase.in_all)


def submit(
    session: Session,
    benchmark: Benchmark,
    team_id: str,
    user: User,
    *,
    system: str,
    name: str,
    content: bytes,
    sheet: Mapping[str, str] | None = None,
) -> Submission:
    """Take in a file that has passed the gate. The job that scores it is written in the same transaction."""
    phase = open_phase(benchmark, now())
    if phase is None:
        raise ForbiddenError(f"{benchmark.name} takes no submissions now")
    if user.role == "judge":
        raise ForbiddenError("judges do not submit; make another account for your team")
    admitted = session.get(Admission, (benchmark.id, team_id)) is not None  # another team of theirs may be
    if benchmark.visibility == "private" and not admitted and user.role != "organiser":
        raise ForbiddenError(f"this team is not admitted to {benchmark.name}")
    session.scalar(locked(select(Team.id).where(Team.id == team_id)))  # two uploads of a team at once count one by one
    check_quota(quota(session, phase, team_id))
    check_one_team(session, phase, team_id, user.id)
    digest = blobs.keep(session, content)
    row = _system(session, benchmark, team_id, system)
    same = select(Submission).where(Submission.system_id == row.id, Submission.blob == digest)
    same = same.where(Submission.phase_id == phase.id, Submission.deleted.is_(None), Submission.withdrawn.is_(None))
    before = session.scalar(same.where(queue.spent()))
    if before is not None:
        raise InputError(f"{row.name} was submitted with this very file before: see submission {before.id}")
    submission = Submission(
        system_id=row.id,
        phase_id=phase.id,
        user_id=user.id,
        file_name=file_name(name, "output.txt"),
        blob=digest,
        sheet=clean_sheet(sheet or {}),
    )
    session.add(submission)
    session.flush()
    queue.enqueue(session, submission.id, benchmark.versions[-1].id, SOFTWARE)
    record(session, user.name, "submit", f"submission {submission.id}", benchmark=benchmark.id, file=digest)
    return submission


def check_quota(counted: Quota) -> None:
    if counted.in_all is not None and counted.in_phase >= counted.in_all:
        raise TooManyError(f"your team has used its {counted.in_all} submissions of this phase")
    if counted.per_day is not None and counted.today >= counted.per_day:
        raise TooManyError(f"your team has used its {counted.per_day} submissions of today; the next day is UTC's")


def check_one_team(session: Session, phase: Phase, team_id: str, user_id: str | None) -> None:
    """With a Ladder, a person submits for one team: everybody can make teams, and a new one has a new Ladder."""
    if phase.ladder is None or user_id is None:
        return
    session.scalar(locked(select(User.id).where(User.id == user_id)))  # two uploads at once count one by one
    others = select(Submission.id).join(System).where(System.team_id != team_id, Submission.phase_id == phase.id)
    if session.scalars(others.where(Submission.user_id == user_id, queue.spent()).limit(1)).first():
        raise ForbiddenError("you have submitted for another team in this phase; with a Ladder, you submit for one")


def clean_sheet(sheet: Mapping[str, str]) -> dict[str, str]:
    """The fact sheet: known lines only, short texts."""
    if sheet.get("seen", "") not in SEEN:
        raise InputError("whether a system saw the test set: no, yes or unknown")
    lines = {key: clean_text(sheet.get(key, ""), what, most=500) for key, what in SHEET.items()}
    return {key: text for key, text in lines.items() if text}


def withdraw(session: Session, submission: Submission, user: User) -> None:
    """Take a submission off the leaderboard. What waits is not scored, and costs nothing."""
    if submission.withdrawn is not None:
        raise InputError("it is withdrawn already")
    submission.withdrawn = now()
    queue.cancel(session, submission.id)
    record(session, user.name, "withdraw", f"submission {submission.id}")


def delete(session: Session, submission: Submission, user: User) -> None:
    """Withdraw a submission for good: after the days for undo, its file and its scores go too."""
    if submission.deleted is not None:
        raise InputError("it is deleted already")
    submission.deleted = now()
    submission.withdrawn = submission.withdrawn or now()
    queue.cancel(session, submission.id)
    record(session, user.name, "delete", f"submission {submission.id}")


def can_return(submission: Submission, *, days: int) -> bool:
    """Whether it is withdrawn or deleted, and not for too long."""
    since = submission.deleted or submission.withdrawn
    return since is not None and since >= now() - days * DAY


def undo(session: Session, submission: Submission, user: User, *, days: int) -> None:
    """Bring back what was withdrawn or deleted. If it never was scored, it is queued, and counts again."""
    if submission.live:
        raise InputError("it is neither withdrawn nor deleted")
    if not can_return(submission, days=days):
        raise InputError(f"it can be brought back for {days} days, and no longer")
    scored = session.scalar(select(Job.id).where(Job.submission_id == submission.id, Job.state == "done"))
    phase, team_id = submission.phase, submission.system.team_id
    if scored is None and phase is not None and team_id is not None:
        session.scalar(locked(select(Team.id).where(Team.id == team_id)))
        check_quota(quota(session, phase, team_id))
        check_one_team(session, phase, team_id, submission.user_id)
    submission.withdrawn = submission.deleted = None
    queue.requeue(session, submission.id, "cancelled")
    latest = submission.system.benchmark.versions[-1].id
    if latest not in {job.version_id for job in submission.jobs}:  # it was made while this one was away
        queue.enqueue(session, submission.id, latest, SOFTWARE)
    record(session, user.name, "undo", f"submission {submission.id}")


def choose(session: Session, submission: Submission, user: User) -> None:
    """Let this submission stand for its system, where the rule of the phase is ``chosen``."""
    others = update(Submission).where(
        Submission.system_id == submission.system_id, Submission.phase_id == submission.phase_id
    )
    session.execute(others.values(chosen=False))
    submission.chosen = True
    record(session, user.name, "choose", f"submission {submission.id}")


def _system(session: Session, benchmark: Benchmark, team_id: str, name: str) -> System:
    clean = clean_name(name, "a system")
    if clean.startswith("("):
        raise InputError("names in brackets are those of decoys; take another")
    row = session.scalar(
        select(System).where(System.benchmark_id == benchmark.id, System.team_id == team_id, System.name == clean)
    )
    if row is None:
        row = System(benchmark_id=benchmark.id, team_id=team_id, name=clean)
        session.add(row)
        session.flush()
    return row
