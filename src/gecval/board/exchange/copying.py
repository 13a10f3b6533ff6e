"""Export a board, and import one into an empty database, in one transaction: all of it, or nothing."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gecval.board.database.migrations import revisions
from gecval.board.database.session import Database
from gecval.board.exchange.archive import GIGABYTE, ArchiveError, Pieces, Writer, lines_of, new_archive, open_pieces
from gecval.board.exchange.rows import SECRET, Row, digest, line, tables, taken, written
from gecval.board.exchange.trust import check_row
from gecval.board.software import SOFTWARE

KIND, VERSION = "gecval-board", 1
FORM_SECRET = "secret"  # the row of ``settings`` from which tokens of forms are made: every board has its own
BATCH = 200


def export_board(database: Database, path: Path, *, secrets: bool = False) -> dict[str, int]:
    """Write everything into a new folder or zip file; how many rows each table has."""
    counts: dict[str, int] = {}
    with new_archive(path) as archive, database.read() as session:
        if not database.sqlite:  # one snapshot for all tables, as SQLite has it anyway
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        manifest: dict[str, Any] = {
            "kind": KIND,
            "version": VERSION,
            "tables": {},
            "schema": revisions()[-1],
            "software": SOFTWARE,
            "secrets": secrets,
        }
        kept: set[str] = set()
        for table in tables():
            if table.name in SECRET and not secrets:
                continue
            rows = b"".join(_lines(session, table, archive, kept, secrets=secrets))
            archive.write(f"tables/{table.name}.jsonl", rows)
            counts[table.name] = rows.count(b"\n")
            manifest["tables"][table.name] = {"rows": counts[table.name], "sha256": digest(rows)}
        archive.write("board.json", json.dumps(manifest, indent=1).encode() + b"\n")
    return counts


def _lines(session: Session, table: Table, archive: Writer, kept: set[str], *, secrets: bool) -> Iterator[bytes]:
    def keep(content: bytes) -> str:
        plain = zlib.decompress(content) if table.name == "blobs" else content
        name = digest(plain)
        if name not in kept:
            archive.write(f"files/{name}", plain)
            kept.add(name)
        return name

    ordered = select(table).order_by(*table.primary_key.columns)
    found = [line(written(table, row._mapping, secrets=secrets, keep=keep)) for row in _chosen(session, ordered, table)]
    # Databases sort letters differently; the order of bytes is the same everywhere.
    yield from sorted(found) if _key_is_text(table) else found


def _chosen(session: Session, ordered: Any, table: Table) -> Iterator[Any]:
    for row in session.execute(ordered.execution_options(yield_per=BATCH)):
        if not (table.name == "settings" and row._mapping["key"] == FORM_SECRET):
            yield row


def _key_is_text(table: Table) -> bool:
    return all(column.type.python_type is str for column in table.primary_key.columns)


def import_board(database: Database, path: Path, *, most: int = 20 * GIGABYTE) -> dict[str, int]:
    """Fill an empty board with an export; how many rows each table got. ``most`` bytes are read of it."""
    pieces = open_pieces(path, most)
    manifest = _manifest(pieces)
    counts: dict[str, int] = {}
    try:
        with database.write() as session:
            _check_empty(session, pieces)
            for table in tables():
                if table.name in manifest["tables"]:
                    counts[table.name] = _fill(session, table, pieces, manifest["tables"][table.name])
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0][:200]
        raise pieces.refused(f"its rows do not fit together ({why})") from None
    return counts


def _manifest(pieces: Pieces) -> dict[str, Any]:
    content = pieces.read("board.json", most=GIGABYTE // 1000)
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError):
        raise pieces.refused("board.json is not JSON") from None
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        raise pieces.refused("it is no export of a board")
    if manifest.get("version") != VERSION:
        raise pieces.refused(
            f"its format has the version {str(manifest.get('version'))[:20]}; this gecval knows {VERSION}"
        )
    if manifest.get("schema") not in revisions():
        raise pieces.refused(f"its tables are of {str(manifest.get('schema'))[:20]}, which this gecval does not know")
    listed = manifest.get("tables")
    if not isinstance(listed, dict) or not all(isinstance(entry, dict) for entry in listed.values()):
        raise pieces.refused("board.json lists no tables")
    for name in listed:
        if name not in {table.name for table in tables()}:
            raise pieces.refused(f"there is no table {name[:40]!r}")
    return manifest


def _check_empty(session: Session, pieces: Pieces) -> None:
    """A board that was started has entries in its audit log already, and those of the export cannot be added."""
    for table in tables():
        if table.name != "settings" and session.scalar(select(func.count()).select_from(table)):
            raise pieces.refused(f"the board is not empty: it has {table.name}; import into a new one")


def _fill(session: Session, table: Table, pieces: Pieces, entry: dict[str, Any]) -> int:
    name = f"tables/{table.name}.jsonl"
    content = pieces.read(name)
    if digest(content) != entry.get("sha256"):
        raise pieces.refused(f"{name} is not the file that was exported: its hash is another")

    def file(wanted: str) -> bytes:
        plain = pieces.read(f"files/{wanted}")
        if digest(plain) != wanted:
            raise pieces.refused(f"files/{wanted} is not the file that was exported: its hash is another")
        return zlib.compress(plain) if table.name == "blobs" else plain

    batch: list[Row] = []
    count = 0
    for number, text_line in enumerate(lines_of(content), start=1):
        try:
            row = taken(table, text_line, file)
            check_row(table.name, row)
        except ArchiveError:
            raise
        except ValueError as error:
            raise pieces.refused(f"{name}: line {number}: {error}") from None
        if table.name == "settings" and row["key"] == FORM_SECRET:
            continue
        batch.append(row)
        count += 1
        if len(batch) == BATCH:
            session.execute(insert(table), batch)
            batch = []
    if batch:
        session.execute(insert(table), batch)
    if count and session.get_bind().dialect.name == "postgresql" and not _key_is_text(table):
        counted = f"pg_get_serial_sequence('{table.name}', 'id')"  # the next entry must not take a number that is taken
        session.execute(text(f"SELECT setval({counted}, (SELECT max(id) FROM {table.name}))"))
    return count
