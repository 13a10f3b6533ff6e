"""What an operator can set. The command line fills it; tests make small ones."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from gecval.errors import InputError
from gecval.metrics.lfm.metric import MODELS

MEGABYTE = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """``data`` is the folder of the board; ``database`` an address of SQLAlchemy, by default SQLite in that folder."""

    data: Path = Path("board")
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8017
    workers: int = 1
    secure: bool = False  # behind TLS: cookies are sent over TLS alone
    open_signup: bool = False  # anybody may make an account; otherwise an invitation is needed
    max_upload: int = 20 * MEGABYTE  # bytes of one file
    max_files: int = 40  # of one benchmark
    lease: float = 60.0  # seconds without a sign of life after which a job goes back to the queue
    tries: int = 3
    poll: float = 0.5  # seconds between two looks at an empty queue
    session_days: int = 14
    undo_days: int = 30
    logins: int = 10  # failed log-ins of one name and address in 15 minutes
    uploads: int = 60  # uploads of one person in an hour, be they refused or not
    password_cost: int = 0  # 0: argon2's own default; tests take less

    @property
    def url(self) -> str:
        """The address of the database."""
        return self.database or f"sqlite:///{(self.data / 'board.sqlite').absolute()}"

    def check(self) -> None:
        """Refuse invalid settings, and make the folder. Models of metrics are looked up in it from then on."""
        if self.database and not self.database.startswith(("sqlite:///", "postgresql+psycopg://")):
            raise InputError(
                "the database is sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME", parameter="database"
            )
        try:
            self.data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder {self.data}: {error.strerror}", parameter="data") from None
        os.environ[MODELS] = str(self.data.absolute())  # so that workers and reports, which are processes, know it too


SOFTWARE = version("gecval")  # the version of gecval that scores here
