"""Transactions on SQLite (WAL) and PostgreSQL, behind one face.

    with database.read() as session: ...     a snapshot; nothing is written
    with database.write() as session: ...    committed at the end, undone where an error leaves the block

On SQLite a writer takes the write lock at once (BEGIN IMMEDIATE): two writers wait for each other, and neither reads
what the other is about to change. On PostgreSQL, rows that decide something are locked as they are read (``locked``).
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Select, create_engine, event, make_url
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import Session, sessionmaker

from gecval.board.database.migrations import migrate
from gecval.errors import InputError

log = logging.getLogger("gecval.board")
Rows = TypeVar("Rows", bound=Select[Any])
WAIT = 30  # seconds that a writer waits for another
THREADS = 40  # that answer requests at the same time: anyio's own number


@dataclass(frozen=True)
class Database:
    """An engine, and how to read and write through it."""

    engine: Engine
    new_file: Path | None  # the file of SQLite that was not there before
    _reading: sessionmaker[Session]
    _writing: sessionmaker[Session]

    @property
    def sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Session]:
        with self._reading() as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        with self._writing.begin() as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()

    def discard(self) -> None:
        """Close it, and remove its file where there was none before."""
        self.close()
        if self.new_file is not None:
            for end in ("", "-wal", "-shm"):
                self.new_file.with_name(self.new_file.name + end).unlink(missing_ok=True)


def open_database(url: str, *, patience: float = 0.0) -> Database:
    """Connect, and bring the tables up to date. A server that is still starting is waited for, so many seconds."""
    deadline, pause = time.monotonic() + patience, FIRST_PAUSE
    while True:
        try:
            return _open(url)
        except OperationalError as error:
            if time.monotonic() + pause > deadline or not _may_start(error):
                raise InputError(f"the database cannot be opened: {error.orig}", parameter="database") from None
            log.warning("the database does not answer yet", extra={"why": str(error.orig).splitlines()[0]})
            time.sleep(pause)
            pause = next_pause(pause)


def _may_start(error: OperationalError) -> bool:
    """Whether waiting may help: a wrong password or name stays wrong."""
    said = str(error.orig)
    return not any(words in said for words in ("authentication failed", "no password", "does not exist", "unable to"))


def _open(url: str) -> Database:
    new_file = None
    try:
        engine = create_engine(url, pool_pre_ping=True, **_options(url))
        if engine.dialect.name == "sqlite":
            if not engine.url.query.get("uri"):  # then it is a file's address, not its name
                new_file = _make_private(engine.url.database)
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        migrate(engine.execution_options(write=True))
    except ModuleNotFoundError as error:
        raise InputError(
            f"this database needs {error.name}: pip install 'gecval[postgres]'", parameter="database"
        ) from None
    return Database(
        engine,
        new_file,
        sessionmaker(engine, expire_on_commit=False),
        sessionmaker(engine.execution_options(write=True), expire_on_commit=False),
    )


def lock_rows(statement: Rows, *, skip: bool = False) -> Rows:
    """The statement with its rows locked until the end of the transaction; ``skip`` passes over locked ones."""
    return statement.with_for_update(skip_locked=skip)  # SQLite has no such words: the writer holds the only lock


def _options(url: str) -> dict[str, Any]:
    """A connection for every thread that answers requests: else one request waits for another to end."""
    pool = {"pool_size": 10, "max_overflow": THREADS}
    if make_url(url).get_backend_name() == "sqlite":
        pool = {} if make_url(url).database in (None, "", ":memory:") else pool
        return {"connect_args": {"timeout": WAIT, "check_same_thread": False}, **pool}
    return pool


def _make_private(path: str | None) -> Path | None:
    """The file, where it is new. It is its owner's alone, for it holds hidden references; so is what SQLite adds to it.

    A file that is there is not opened: to close it would drop the locks of all connections of this process.
    """
    if path and path != ":memory:":
        with contextlib.suppress(OSError):  # it is there; or SQLite says what is wrong
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            return Path(path)
    return None


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions begin where _begin_sqlite says so
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


# A database may be restarted: what was asked of it is asked again, with pauses that grow.


def is_full(error: BaseException) -> bool:
    """Whether a disk is full: that of the database, or that of this machine."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOSPC
    original = getattr(error, "orig", error)
    return "disk is full" in str(original) or getattr(original, "sqlstate", None) == "53100"


Result = TypeVar("Result")
UNREACHABLE = (OperationalError, InterfaceError)  # what is raised where the database does not answer
FIRST_PAUSE, MAX_PAUSE = 0.1, 5.0  # seconds


def retry_database(action: Callable[[], Result], *, seconds: float, stopping: threading.Event) -> Result:
    """What an action gives. Where the database does not answer, it is done again, for so many seconds.

    The action must bear to be done twice: an answer may be lost after the database has done what was asked.
    """
    deadline, pause = time.monotonic() + seconds, FIRST_PAUSE
    while True:
        try:
            return action()
        except UNREACHABLE:
            if time.monotonic() + pause > deadline or stopping.wait(pause):
                raise
            pause = next_pause(pause)


def next_pause(pause: float) -> float:
    """The pause after this one.

    >>> next_pause(0.1), next_pause(4.0)
    (0.2, 5.0)
    """
    return min(2 * pause, MAX_PAUSE)
