"""Submissions: taken in, counted, withdrawn, deleted, chosen, brought back.

A file passes the gate of ``Corpus`` before it counts. What counts is computed from the rows, never stored as a number:
a submission counts while it waits and once it is scored. One that is refused, fails, or is withdrawn before it was
scored costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session, joinedload, selectinload

from gecval.board import queue
from gecval.board.access import Viewer, shows_own_submissions
from gecval.board.benchmarks import explain_closed, find_open_phase
from gecval.board.clock import DAY, format_moment, now, start_of_day
from gecval.board.database.models import (
    Admission,
    Benchmark,
    Job,
    Phase,
    Submission,
    System,
    SystemScore,
    Team,
    User,
    Version,
    live_submissions,
)
from gecval.board.database.session import lock_rows
from gecval.board.database.storage import record, store_file
from gecval.board.errors import ForbiddenError, TooManyError
from gecval.board.form_fields import clean_name, clean_text, file_name
from gecval.board.settings import SOFTWARE
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
MAX_LISTED = 200  # submissions on the page of one's own


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
        left = [max(0, limit - used) for limit, used in limits if limit is not None]
        return min(left, default=None)


def count_quota(session: Session, phase: Phase, team_id: str) -> Quota:
    counting = (
        select(func.count())
        .select_from(Submission)
        .join(System)
        .where(System.team_id == team_id, Submission.phase_id == phase.id, queue.counts_against_quota())
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
    phase = find_open_phase(benchmark, now())
    if phase is None:
        raise ForbiddenError(explain_closed(benchmark, now()))
    if user.role == "judge":
        raise ForbiddenError("judges do not submit; make another account for your team")
    admitted = session.get(Admission, (benchmark.id, team_id)) is not None  # another team of theirs may be
    if benchmark.visibility == "private" and not admitted and user.role != "organiser":
        raise ForbiddenError(f"this team is not admitted to {benchmark.name}")
    session.scalar(
        lock_rows(select(Team.id).where(Team.id == team_id))
    )  # two uploads of a team at once count one by one
    check_quota(count_quota(session, phase, team_id))
    check_one_team(session, phase, team_id, user.id)
    digest = store_file(session, content)
    row = _find_or_add_system(session, benchmark, team_id, system)
    same = select(Submission).where(Submission.system_id == row.id, Submission.blob == digest)
    same = same.where(Submission.phase_id == phase.id, Submission.deleted.is_(None), Submission.withdrawn.is_(None))
    before = session.scalar(same.where(queue.counts_against_quota()))
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
    session.scalar(lock_rows(select(User.id).where(User.id == user_id)))  # two uploads at once count one by one
    others = select(Submission.id).join(System).where(System.team_id != team_id, Submission.phase_id == phase.id)
    if session.scalars(others.where(Submission.user_id == user_id, queue.counts_against_quota()).limit(1)).first():
        raise ForbiddenError("you have submitted for another team in this phase; with a Ladder, you submit for one")


def clean_sheet(sheet: Mapping[str, str]) -> dict[str, str]:
    """The fact sheet: known lines only, short texts."""
    if sheet.get("seen", "") not in SEEN:
        raise InputError("whether a system saw the test set: no, yes or unknown")
    lines = {key: clean_text(sheet.get(key, ""), what, max_letters=500) for key, what in SHEET.items()}
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


def list_own(session: Session, viewer: Viewer) -> Sequence[Submission]:
    """The latest submissions of a viewer's teams to the benchmarks that they may see, the last one first."""
    mine = select(Submission).join(System).join(Benchmark, Benchmark.id == System.benchmark_id)
    mine = mine.where(System.team_id.in_(viewer.teams), Benchmark.deleted.is_(None), shows_own_submissions(viewer))
    mine = mine.options(
        joinedload(Submission.system).joinedload(System.team),
        joinedload(Submission.system).joinedload(System.benchmark),
        joinedload(Submission.phase),
        selectinload(Submission.jobs),
        selectinload(Submission.rungs),
    )
    return session.scalars(mine.order_by(Submission.created.desc()).limit(MAX_LISTED)).all()


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
        session.scalar(lock_rows(select(Team.id).where(Team.id == team_id)))
        check_quota(count_quota(session, phase, team_id))
        check_one_team(session, phase, team_id, submission.user_id)
    submission.withdrawn = submission.deleted = None
    queue.requeue(session, submission.id, "cancelled")
    latest = submission.system.benchmark.versions[-1].id
    if latest not in {job.version_id for job in submission.jobs}:  # it was made while this one was away
        queue.enqueue(session, submission.id, latest, SOFTWARE)
    record(session, user.name, "undo", f"submission {submission.id}")


def may_choose(submission: Submission) -> bool:
    """Whether its phase is not over."""
    phase = submission.phase
    return phase is None or phase.closes is None or now() < phase.closes


def choose(session: Session, submission: Submission, user: User) -> None:
    """Let this submission stand for its system, where the rule of the phase is ``chosen``, until the phase closes.

    Then the scores of a blind phase are shown, and nobody shall choose by them.
    """
    if not may_choose(submission):
        closes = format_moment(submission.phase.closes if submission.phase else None)
        raise ForbiddenError(f"this phase closed on {closes}; until then its teams could choose")
    others = update(Submission).where(
        Submission.system_id == submission.system_id, Submission.phase_id == submission.phase_id
    )
    session.execute(others.values(chosen=False))
    submission.chosen = True
    record(session, user.name, "choose", f"submission {submission.id}")


def _find_or_add_system(session: Session, benchmark: Benchmark, team_id: str, name: str) -> System:
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


# Which submissions stand on a leaderboard: one for each system or team, by the rule of the phase.


ScoresBySubmission = dict[str, dict[str, SystemScore]]  # by submission, then by metric


def load_scores(
    session: Session, version: Version, of: Collection[str] | None = None, *, metric: str = ""
) -> ScoresBySubmission:
    """The latest score of every submission, or ``of`` some, under every metric of a version, or one of them."""
    wanted = select(SystemScore).where(SystemScore.version_id == version.id)
    if of is not None:
        wanted = wanted.where(SystemScore.submission_id.in_(of))
    if metric:
        wanted = wanted.where(SystemScore.metric == metric)
    scores: ScoresBySubmission = defaultdict(dict)
    for row in session.scalars(wanted.order_by(SystemScore.created, SystemScore.id)):
        scores[row.submission_id][row.metric] = row
    return dict(scores)


def list_scored(session: Session, version: Version, scores: ScoresBySubmission) -> list[Submission]:
    """The submissions that have scores and were not withdrawn."""
    live = (
        live_submissions(version.benchmark_id)
        .options(joinedload(Submission.system).joinedload(System.team), selectinload(Submission.rungs))
        .order_by(Submission.created)
    )
    return [submission for submission in session.scalars(live) if submission.id in scores]


def choose_standing(
    submissions: Sequence[Submission], phase: Phase, version: Version, scores: ScoresBySubmission
) -> list[Submission]:
    """One submission of the phase for each system, or for each team. Who did not climb its Ladder does not stand."""
    groups: dict[str, list[Submission]] = defaultdict(list)
    for submission in submissions:
        if submission.phase_id == phase.id and submission.climbed(version.id):
            owner = submission.system.team_id if phase.entry == "team" else submission.system_id
            groups[owner or submission.system_id].append(submission)
    return [_choose_one(group, phase.rule, version, scores) for group in groups.values()]


def find_kept_back(
    submissions: Sequence[Submission], phase: Phase, version: Version, scores: ScoresBySubmission
) -> dict[str | None, SystemScore]:
    """The best main score of each team, by its id, of the submissions that did not climb the Ladder of the phase."""
    groups: dict[str | None, list[Submission]] = defaultdict(list)
    for submission in submissions:
        if submission.phase_id == phase.id and not submission.climbed(version.id):
            groups[submission.system.team_id].append(submission)
    main = version.metrics[0]
    best = {team: _choose_one(group, "best", version, scores) for team, group in groups.items()}
    return {team: scores[submission.id][main] for team, submission in best.items() if main in scores[submission.id]}


def _choose_one(group: Sequence[Submission], rule: str, version: Version, scores: ScoresBySubmission) -> Submission:
    """``group`` is from old to new. Where nothing is chosen yet, the last one stands; of equal shown scores, too."""
    if rule == "chosen":
        return next((submission for submission in reversed(group) if submission.chosen), group[-1])
    if rule == "last":
        return group[-1]

    def quality(submission: Submission) -> float:
        row = scores[submission.id].get(version.metrics[0])
        return float("-inf") if row is None else version.publish(row.score) * (1 if row.higher_is_better else -1)

    return max(reversed(group), key=quality)


def list_decoys(submissions: Sequence[Submission], version: Version) -> list[Submission]:
    return [submission for submission in submissions if submission.version_id == version.id and submission.system.decoy]
