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

from board import making
from gecval.board import accounts, benchmarks, clock, submissions
from gecval.board.benchmarks import PhaseRules
from gecval.board.campaigns import add_campaign
from gecval.board.database import Database, open_database
from gecval.board.database.models import Base
from gecval.board.database.storage import list_entries, record
from gecval.board.settings import Settings
from gecval.errors import InputError


def test_migrations_make_the_tables_of_the_models(empty_url) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    database = open_database(empty_url())
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert set(Base.metadata.tables) < set(inspect(connection).get_table_names())
    database.close()


def described(database: Database) -> str:
    """Every table in a line: columns, keys, constraints and indexes by their names. Types are named alike."""
    inspector, lines = inspect(database.engine), []
    for table in sorted(Base.metadata.tables):
        columns = [
            f"{column['name']} {column['type'].python_type.__name__}{getattr(column['type'], 'length', None) or ''}"
            + ("?" if column["nullable"] else "")
            for column in inspector.get_columns(table)
        ]
        keys = [inspector.get_pk_constraint(table), *inspector.get_unique_constraints(table)]
        keys += [key for key in inspector.get_indexes(table) if "duplicates_constraint" not in key]
        keys += inspector.get_foreign_keys(table)
        named = [
            f"{key['name']}({','.join(key.get('constrained_columns') or key['column_names'])})"
            + (f">{key['referred_table']}({','.join(key['referred_columns'])})" if "referred_table" in key else "")
            for key in keys
        ]
        lines.append(f"{table}: {', '.join(columns)}; {' '.join(sorted(named))}\n")
    return "".join(lines)


def test_an_empty_database_gets_the_schema_of_the_first_release(empty_url) -> None:
    database = open_database(empty_url())
    assert described(database) == (Path(__file__).parent / "schema.txt").read_text()
    database.close()


def test_tables_that_this_gecval_does_not_know_are_refused_in_one_line(empty_url) -> None:
    url = empty_url()
    other = open_database(url)
    with other.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    other.close()
    with pytest.raises(InputError, match="the tables of the database are of another version of gecval"):
        open_database(url)


def test_opening_again_changes_nothing(empty_url) -> None:
    url = empty_url()
    first = open_database(url)
    with first.write() as session:
        record(session, "anna", "test", "nothing")
    second = open_database(url)
    with second.read() as session:
        assert [entry.actor for entry in list_entries(session)] == ["anna"]
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
        assert [(entry.actor, entry.detail) for entry in list_entries(session)] == [("anna", {"detail": 1})]


def test_an_error_undoes_the_whole_block(database) -> None:
    def stumble() -> None:
        with database.write() as session:
            record(session, "anna", "test", "nothing")
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    with database.read() as session:
        assert list_entries(session) == []


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


def test_every_action_is_recorded(settings: Settings, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'audit.sqlite'}")
    with database.write() as session:
        olga = making.user(session, settings, "olga", "organiser")
        anna, team = making.participant(session, settings, "anna")
        secret = accounts.invite(session, role="participant", team=team, by=anna, days=1)
        ben = making.user(session, settings, "ben")
        accounts.join_team(session, secret, ben)
        accounts.invite(session, role="judge", days=1)
        login = {"name": "ben", "password": making.PASSWORD, "address": "::1"}
        assert making.log_in(session, settings, **login)
    accounts.change_password(database, settings, ben.id, old=making.PASSWORD, new="another long password")
    with database.write() as session:
        olga, anna, ben, team = (session.merge(row) for row in (olga, anna, ben, team))
        accounts.reset_password(session, settings, "ben")
        accounts.make_token(session, ben, name="t", scope="read", days=1)
        [token] = accounts.list_tokens(session, ben)
        accounts.revoke_token(session, ben, token.id)
        made = making.benchmark(session, settings, olga, data=making.small_data(decoys=()))
        benchmarks.add_version(session, settings, olga, made, making.small_data(decoys=()))
        session.refresh(made)
        submitted = making.submission(session, made, team, anna)
        submissions.choose(session, submitted, anna)
        submissions.withdraw(session, submitted, anna)
        submissions.undo(session, submitted, anna, days=30)
        submissions.delete(session, submitted, anna)
        late = benchmarks.add_phase(session, olga, made, PhaseRules(name="Late", opens=clock.now() + 60.0))
        benchmarks.change_phase(session, olga, made, late, PhaseRules(name="Later"))
        benchmarks.remove_phase(session, olga, made, late)
        benchmarks.end_phase(session, olga, made, made.phases[0])
        campaign = add_campaign(session, olga, made.versions[-1], [submitted, submitted], name="people")
        benchmarks.delete(session, made, olga)
        benchmarks.undo(session, made, olga, days=30)
        log = [(row.actor, row.action, row.object, row.detail) for row in reversed(list_entries(session))]
    by, to = f"benchmark {made.id}", f"submission {submitted.id}"
    assert log == [
        ("olga", "join", f"user {olga.id}", {"role": "organiser"}),
        ("anna", "join", f"user {anna.id}", {"role": "participant"}),
        ("anna", "make team", f"team {team.id}", {"name": "team anna"}),
        ("anna", "invite", f"team {team.id}", {"role": "participant"}),
        ("ben", "join", f"user {ben.id}", {"role": "participant"}),
        ("ben", "join team", f"team {team.id}", {}),
        ("the operator", "invite", "the board", {"role": "judge"}),
        ("ben", "log in", f"user {ben.id}", {}),
        ("ben", "change password", f"user {ben.id}", {}),
        ("operator", "new password", f"user {ben.id}", {}),
        ("ben", "make token", f"token {token.id}", {"scope": "read"}),
        ("ben", "revoke token", f"token {token.id}", {}),
        ("olga", "make benchmark", by, {"name": "Small"}),
        ("olga", "add phase", by, {"name": "open"}),
        ("olga", "add version", by, {"number": 1}),
        ("olga", "add version", by, {"number": 2}),
        ("anna", "submit", to, {"benchmark": made.id, "file": submitted.blob}),
        ("anna", "choose", to, {}),
        ("anna", "withdraw", to, {}),
        ("anna", "undo", to, {}),
        ("anna", "delete", to, {}),
        ("olga", "change phase", by, {"name": "open", "closes": late.opens}),
        ("olga", "add phase", by, {"name": "Late"}),
        ("olga", "change phase", by, {"name": "Later", "closes": None}),
        ("olga", "remove phase", by, {"name": "Later"}),
        ("olga", "end phase", by, {"name": "open"}),
        ("olga", "make campaign", f"campaign {campaign.id}", {"name": "people"}),
        ("olga", "set judges", f"campaign {campaign.id}", {"judges": 0}),
        ("olga", "delete", by, {"name": "Small"}),
        ("olga", "undo", by, {"name": "Small"}),
    ]
