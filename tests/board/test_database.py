"""The tables: migrations make what the models say, on both databases, and the audit log can only grow."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError

from gecval.board.audit import entries, record
from gecval.board.database import open_database
from gecval.board.database.models import Base
from gecval.errors import InputError


def test_migrations_make_the_tables_of_the_models(empty_url) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    database = open_database(empty_url())
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert set(Base.metadata.tables) < set(inspect(connection).get_table_names())
    database.close()


def test_opening_again_changes_nothing(empty_url) -> None:
    url = empty_url()
    first = open_database(url)
    with first.write() as session:
        record(session, "anna", "test", "nothing")
    second = open_database(url)
    with second.read() as session:
        assert [entry.actor for entry in entries(session)] == ["anna"]
    first.close()
    second.close()


def test_sqlite_writes_ahead(new_url) -> None:
    database = open_database(new_url())
    with database.engine.connect() as connection:
        if database.sqlite:
            assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
            assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    database.close()


@pytest.mark.parametrize("change", ["UPDATE audit SET actor = 'eve'", "DELETE FROM audit"])
def test_the_audit_log_can_only_grow(database, change: str) -> None:
    with database.write() as session:
        record(session, "anna", "test", "nothing", detail=1)
    with pytest.raises(DatabaseError, match="can only grow"), database.engine.begin() as connection:
        connection.execute(text(change))
    with database.read() as session:
        assert [(entry.actor, entry.detail) for entry in entries(session)] == [("anna", {"detail": 1})]


def test_an_error_undoes_the_whole_block(database) -> None:
    def stumble() -> None:
        with database.write() as session:
            record(session, "anna", "test", "nothing")
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    with database.read() as session:
        assert entries(session) == []


@pytest.mark.parametrize("url", ["sqlite:////nowhere/at/all.sqlite", "postgresql+psycopg://nobody@127.0.0.1:1/none"])
def test_a_database_that_cannot_be_opened_is_told_in_one_line(url: str) -> None:
    with pytest.raises(InputError, match="the database cannot be opened"):
        open_database(url)


def test_the_file_of_a_board_is_its_owners_alone(tmp_path: Path) -> None:
    """So are the files that SQLite puts beside it. Who opens a file that is there leaves its mode alone."""
    mask = os.umask(0o022)
    try:
        database = open_database(f"sqlite:///{tmp_path / 'board.sqlite'}")
        with database.write() as session:
            session.execute(text("SELECT 1"))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert modes == dict.fromkeys(("board.sqlite", "board.sqlite-wal", "board.sqlite-shm"), 0o600)
        database.close()
        (tmp_path / "board.sqlite").chmod(0o640)
        open_database(f"sqlite:///{tmp_path / 'board.sqlite'}").close()
        assert stat.S_IMODE((tmp_path / "board.sqlite").stat().st_mode) == 0o640
    finally:
        os.umask(mask)


ALONE = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode=DELETE")
"""


def test_a_file_that_is_opened_twice_stays_locked(tmp_path: Path) -> None:
    """POSIX drops all locks of a process on a file that it closes anywhere: another process then thinks it is alone."""
    path = tmp_path / "board.sqlite"
    database = open_database(f"sqlite:///{path}")
    with database.read() as session:
        session.execute(text("SELECT * FROM users"))
        open_database(f"sqlite:///{path}").close()
        other = subprocess.run([sys.executable, "-c", ALONE, str(path)], capture_output=True, text=True)
    assert "database is locked" in other.stderr
    database.close()


def test_an_address_of_a_file_makes_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_database("sqlite:///file:board.sqlite?uri=true").close()
    assert [path.name for path in tmp_path.iterdir()] == ["board.sqlite"]


def test_a_folder_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the database cannot be opened: unable to open database file"):
        open_database(f"sqlite:///{tmp_path / 'nowhere' / 'board.sqlite'}")


def test_forty_connections_at_most_and_half_a_minute_for_a_lock() -> None:
    from gecval.board.database.session import _options

    assert _options("postgresql+psycopg://anna@there/board") == {"pool_size": 10, "max_overflow": 30}
    assert _options("sqlite:///board.sqlite") == {"connect_args": {"timeout": 30, "check_same_thread": False}}
