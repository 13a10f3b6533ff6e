"""Small boards for tests: people, a benchmark of four sentences, submissions."""

from __future__ import annotations

from functools import cache

from sqlalchemy.orm import Session

from gecval.board import accounts, benchmarks, submissions
from gecval.board.benchmark_data import UploadedFile, VersionData
from gecval.board.benchmarks import PhaseRules
from gecval.board.database.models import Benchmark, Submission, Team, User
from gecval.board.settings import Settings

SOURCE = "He go to home .\nShe like apple .\nFine .\nI has two cat .\n"
FIRST = "He goes home .\nShe likes apples .\nFine .\nI have two cats .\n"
SECOND = "He went home .\nShe likes an apple .\nFine .\nI have two cats .\n"
GOOD = "He goes home .\nShe likes apple .\nFine .\nI have two cats .\n"
WILD = "They went away .\nShe likes apples .\nFine !\nI has two dog .\n"
PASSWORD = "correct horse battery"


def user(session: Session, settings: Settings, name: str = "anna", role: str = "participant") -> User:
    return accounts.make_user(session, name=name, hashed=hashed(), role=role)


@cache
def hashed() -> str:
    return accounts.hash_password(PASSWORD, cost=1)


def log_in(session: Session, settings: Settings, *, name: str, password: str, address: str) -> str | None:
    """All of a log-in in one transaction, as tests have it."""
    begun = accounts.begin_log_in(session, settings, name=name, address=address)
    if not accounts.password_fits(begun.hashed, password, cost=settings.password_cost):
        return None
    return accounts.finish_log_in(session, settings, begun)


def participant(session: Session, settings: Settings, name: str = "anna") -> tuple[User, Team]:
    made = user(session, settings, name)
    return made, accounts.make_team(session, f"team {name}", made)


def small_data(*, hidden: bool = False, metrics: str = "gleu,accuracy", **more: object) -> VersionData:
    return VersionData(
        source=UploadedFile(name="src.txt", content=SOURCE.encode()),
        references=(
            UploadedFile(name="ref0.txt", content=FIRST.encode(), hidden=hidden),
            UploadedFile(name="ref1.txt", content=SECOND.encode(), hidden=hidden),
        ),
        metrics=metrics,
        **more,
    )


def benchmark(
    session: Session,
    settings: Settings,
    organiser: User,
    *,
    data: VersionData | None = None,
    name: str = "Small",
    **rules,
) -> Benchmark:
    visibility = rules.pop("visibility", "public")
    rules.setdefault("ladder", 0.0)  # tests of the Ladder ask for one
    return benchmarks.make_benchmark(
        session,
        settings,
        organiser,
        name=name,
        data=data or small_data(),
        visibility=visibility,
        phase=PhaseRules(**rules),
    )


def submission(
    session: Session, made: Benchmark, team: Team, by: User, *, system: str = "mine", text: str = GOOD
) -> Submission:
    return submissions.submit(
        session, made, team.id, by, system=system, name=f"{system}.txt", content=text.encode(), sheet={"seen": "no"}
    )
