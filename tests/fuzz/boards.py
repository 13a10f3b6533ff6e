"""Exports of a board for the fuzzer: the bytes of the archive, or rows that come with the right hashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from board import making
from gecval.board.database.session import Database, open_database
from gecval.board.export_import import export_board, import_board
from gecval.board.settings import FILE, Settings


@contextmanager
def _new_board() -> Iterator[tuple[Database, Path]]:
    with TemporaryDirectory() as folder:
        database = open_database(f"sqlite:///{folder}/board.sqlite")
        try:
            yield database, Path(folder)
        finally:
            database.close()


def import_zip(path: Path) -> None:
    with _new_board() as (database, _):
        import_board(database, path)


def import_rows(path: Path) -> None:
    """Lines of a table's name and a row."""
    tables: dict[str, bytes] = {}
    for line in path.read_bytes().split(b"\n"):
        table, _, row = line.partition(b" ")
        name = table.decode("utf-8", "replace")
        tables[name] = tables.get(name, b"") + row + b"\n"
    pieces = _pieces()
    manifest = json.loads(pieces["board.json"])
    manifest["tables"] = {name: {"sha256": sha256(rows).hexdigest()} for name, rows in tables.items() if name}
    with _new_board() as (database, folder):
        with ZipFile(folder / "rows.zip", "w") as archive:
            archive.writestr("board.json", json.dumps(manifest))
            for name, rows in tables.items():
                if name.isascii() and name.isidentifier():
                    archive.writestr(f"tables/{name}.jsonl", rows)
            for name in filter(lambda name: name.startswith("files/"), pieces):
                archive.writestr(name, pieces[name])
        import_board(database, folder / "rows.zip")


def read_settings(path: Path) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, FILE).write_bytes(path.read_bytes())
        Settings(data=Path(folder)).with_file().check()


@lru_cache
def exported_zip() -> bytes:
    """A small board: two people, a benchmark, a submission."""
    with _new_board() as (database, folder):
        settings = Settings(data=folder, password_cost=1)
        with database.write() as session:
            anna, team = making.participant(session, settings)
            made = making.benchmark(session, settings, making.user(session, settings, "ben", role="organiser"))
            making.submission(session, made, team, anna)
        export_board(database, folder / "out.zip", secrets=True)
        return (folder / "out.zip").read_bytes()


@lru_cache
def _pieces() -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "out.zip")
        path.write_bytes(exported_zip())
        with ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


def exported_rows() -> bytes:
    tables = {Path(name).stem: rows for name, rows in _pieces().items() if name.startswith("tables/")}
    return b"".join(f"{name} ".encode() + row + b"\n" for name, rows in tables.items() for row in rows.splitlines())
