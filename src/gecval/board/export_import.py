"""Export a board, and import one into an empty database, in one transaction: all of it, or nothing.

An export is a folder or a zip file of tables and files. An import trusts nothing in it: not names, not sizes, not
links, not rows.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import shutil
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol, get_args

from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, String, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gecval.board.allowed_metrics import board_edits, board_metrics
from gecval.board.clock import LAST_MOMENT
from gecval.board.database.migrations import revisions
from gecval.board.database.models import Base, Role, Scope
from gecval.board.database.session import Database
from gecval.board.database.storage import digest
from gecval.board.form_fields import file_name
from gecval.board.settings import SOFTWARE, is_address
from gecval.errors import InputError, shorten
from gecval.formats.files import parse_json
from gecval.runtime.processes import exclusive_lock

GIGABYTE = 1_000_000_000
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
        stored: set[str] = set()
        for table in list_exported_tables():
            if table.name in SECRET and not secrets:
                continue
            rows = b"".join(_export_lines(session, table, archive, stored, secrets=secrets))
            archive.write(f"tables/{table.name}.jsonl", rows)
            counts[table.name] = rows.count(b"\n")
            manifest["tables"][table.name] = {"rows": counts[table.name], "sha256": digest(rows)}
        archive.write("board.json", json.dumps(manifest, indent=1).encode() + b"\n")
    return counts


def _export_lines(
    session: Session, table: Table, archive: ArchiveWriter, stored: set[str], *, secrets: bool
) -> Iterator[bytes]:
    def keep(content: bytes) -> str:
        plain = zlib.decompress(content) if table.name == "blobs" else content
        name = digest(plain)
        if name not in stored:
            archive.write(f"files/{name}", plain)
            stored.add(name)
        return name

    ordered = select(table).order_by(*table.primary_key.columns)
    found = [
        encode_line(encode_row(table, row._mapping, secrets=secrets, keep=keep))
        for row in _select_rows(session, ordered, table)
    ]
    # Databases sort letters differently; the order of bytes is the same everywhere.
    yield from sorted(found) if _key_is_text(table) else found


def _select_rows(session: Session, ordered: Any, table: Table) -> Iterator[Any]:
    for row in session.execute(ordered.execution_options(yield_per=BATCH)):
        if not (table.name == "settings" and row._mapping["key"] == FORM_SECRET):
            yield row


def _key_is_text(table: Table) -> bool:
    return all(column.type.python_type is str for column in table.primary_key.columns)


def import_board(database: Database, path: Path, *, max_bytes: int = 20 * GIGABYTE) -> dict[str, int]:
    """Fill an empty board with an export; how many rows each table got. At most ``max_bytes`` are read."""
    try:
        return _import(database, open_archive(path, max_bytes))
    except BaseException:  # a board that is not there is better than one that is empty
        database.discard()
        raise


def _import(database: Database, pieces: Archive) -> dict[str, int]:
    manifest = _read_manifest(pieces)
    counts: dict[str, int] = {}
    try:
        with database.write() as session:
            _check_empty(session, pieces)
            for table in list_exported_tables():
                if table.name in manifest["tables"]:
                    counts[table.name] = _import_table(session, table, pieces, manifest["tables"][table.name])
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0][:200]
        raise pieces.refused(f"its rows do not fit together ({why})") from None
    return counts


def _read_manifest(pieces: Archive) -> dict[str, Any]:
    content = pieces.read("board.json", max_bytes=GIGABYTE // 1000)
    try:
        manifest = parse_json(content)
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
        if name not in {table.name for table in list_exported_tables()}:
            raise pieces.refused(f"there is no table {name[:40]!r}")
    return manifest


def _check_empty(session: Session, pieces: Archive) -> None:
    """A board that was started has entries in its audit log already, and those of the export cannot be added."""
    for table in list_exported_tables():
        if table.name != "settings" and session.scalar(select(func.count()).select_from(table)):
            raise pieces.refused(f"the board is not empty: it has {table.name}; import into a new one")


def _import_table(session: Session, table: Table, pieces: Archive, entry: dict[str, Any]) -> int:
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
    for number, text_line in enumerate(split_lines(content), start=1):
        try:
            row = decode_row(table, text_line, file)
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


# Rows as JSON objects, and JSON objects as rows that the tables can take. Bytes lie in files, by their hash.


LEFT_OUT = ("sessions", "attempts", "mails", "mail_links")  # of this moment and of this machine
SECRET = ("tokens", "invitations", "addresses", "identities")  # hashes of secrets, and what leads to an account
NO_MOMENTS = ("score", "low", "high", "level", "ladder")  # all other numbers with a point are moments
NO_PASSWORD = ""  # no password fits it
MAX_INTEGER = 2**63 - 1
Row = dict[str, Any]
StoreFile = Callable[[bytes], str]


def list_exported_tables() -> list[Table]:
    """The tables that travel, those first to which others refer."""
    return [table for table in Base.metadata.sorted_tables if table.name not in LEFT_OUT]


def encode_row(table: Table, row: Mapping[str, Any], *, secrets: bool, keep: StoreFile) -> Row:
    """A row as it is exported. ``keep`` puts bytes into a file and names it."""
    values: Row = {}
    for column in table.columns:
        value = row[column.name]
        if isinstance(column.type, LargeBinary):
            value = None if value is None else keep(value)
        elif isinstance(value, float) and not math.isfinite(value):
            value = {"float": repr(value)}
        values[column.name] = value
    if table.name == "users" and not secrets:
        values["password"] = NO_PASSWORD
    return values


def encode_line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def decode_row(table: Table, line: bytes, content: Callable[[str], bytes]) -> Row:
    """A row from a line, checked: every column has a value of its kind, and there are no others."""
    try:
        values = parse_json(line)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON in Unicode") from None
    if not isinstance(values, dict):
        raise ValueError("it is no object")
    for name in values:
        if name not in table.columns:
            raise ValueError(f"there is no column {name[:40]!r}")
    return {column.name: _decode_value(column, values, content) for column in table.columns}


def _decode_value(column: Column[Any], values: Row, content: Callable[[str], bytes]) -> Any:
    value = values.get(column.name)
    if column.name not in values:
        default = getattr(column.default, "arg", None)
        if not column.nullable and (default is None or callable(default)):
            raise ValueError(f"{column.name} is missing")
        return None if callable(default) else default
    if value is None:
        if not column.nullable:
            raise ValueError(f"{column.name} is nothing")
        return None
    if isinstance(column.type, LargeBinary):
        return content(_decode_text(column, value, 64))
    if isinstance(column.type, Float):
        number = _decode_number(column, value)
        if column.name not in NO_MOMENTS and not 0 <= number <= LAST_MOMENT:
            raise ValueError(f"{column.name} is no moment from 1970 to 9999")
        return number
    if isinstance(column.type, JSON):
        if not isinstance(value, dict | list):
            raise ValueError(f"{column.name} is neither an object nor a list")
        return value
    if isinstance(column.type, String):
        return _decode_text(column, value, column.type.length)
    wanted = bool if isinstance(column.type, Boolean) else int
    if type(value) is not wanted or (isinstance(column.type, Integer) and not -MAX_INTEGER <= value <= MAX_INTEGER):
        raise ValueError(f"{column.name} is no {'number' if wanted is int else 'true or false'}")
    return value


def _decode_number(column: Column[Any], value: Any) -> float:
    if isinstance(value, dict) and value.get("float") in ("nan", "inf", "-inf"):
        return float(value["float"])
    if isinstance(value, bool) or not isinstance(value, float | int):
        raise ValueError(f"{column.name} is no number")
    return float(value)


def _decode_text(column: Column[Any], value: Any, max_letters: int | None) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{column.name} is no text")
    if max_letters is not None and len(value) > max_letters:
        raise ValueError(f"{column.name} has more than {max_letters} letters")
    return value


# What an import does not believe: names that become paths, metrics that would load code, files under another hash.


def check_row(table: str, row: dict[str, Any]) -> None:
    """Refuse, with ValueError or InputError, what the board itself would never have stored."""
    if table == "versions":
        _check_name(row["source_name"])
        if board_metrics(row["metrics"]) != row["metrics"]:
            raise ValueError("metrics are spelled in another way than a board spells them")
        board_edits(row["edits"])
    elif table == "reference_sets":
        _check_name(row["name"])
    elif table == "users":
        _check_word("role", row["role"], get_args(Role))
    elif table == "addresses":
        if not is_address(row["address"]):
            raise ValueError("there is an address that no mail can have")
    elif table == "tokens":
        _check_word("scope", row["scope"], get_args(Scope))
    elif table == "blobs":
        plain = zlib.decompress(row["content"])
        if (digest(plain), len(plain)) != (row["hash"], row["size"]):
            raise ValueError("its content is that of another file")
    elif table == "campaigns":
        if not (2 <= row["most"] <= 5 and 2 <= row["again"] <= 1000):
            raise ValueError("a campaign shows 2 to 5 outputs, and every 2nd to 1000th item again")
    elif table == "items":
        _check_item(row["shown"], row["ranks"])


def _check_name(name: str | None) -> None:
    """A file is written under this name: it must not lead anywhere."""
    if name is not None and file_name(name, "") != name:
        raise ValueError(f"{name[:60]!r} is no plain name of a file")


def _check_item(shown: Any, ranks: Any) -> None:
    groups = isinstance(shown, list) and all(
        isinstance(group, list) and group and all(isinstance(label, str) for label in group) for group in shown
    )
    if not groups or not 2 <= len(shown) <= 5:
        raise ValueError("shown is no list of two to five outputs")
    if not isinstance(ranks, list) or (ranks and len(ranks) != len(shown)):
        raise ValueError("ranks is no list of a rank for each output")
    if not all(type(rank) is int and 1 <= rank <= len(shown) for rank in ranks):
        raise ValueError(f"a rank is from 1 to {len(shown)}")


def _check_word(what: str, word: str, words: tuple[str, ...]) -> None:
    if word not in words:
        raise ValueError(f"{what} is {', '.join(words)}; not {word[:20]!r}")


# The folder or zip file itself.


MAX_PIECES = 1_000_000
MAX_FILE = GIGABYTE // 2  # bytes of one file: it is held in memory
_NAME = re.compile(r"board\.json|tables/[a-z_]{1,40}\.jsonl|files/[0-9a-f]{64}")
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same board gives the same zip file


class ArchiveError(InputError):
    """An archive that is not taken."""


class ArchiveWriter(Protocol):
    def write(self, name: str, content: bytes) -> None: ...


class Archive(ABC):
    """What an archive holds, by name, and at most ``max_bytes`` of it in all."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path, self.left = path, max_bytes
        self.sizes = self._sizes()
        for name in self.sizes:
            if not _NAME.fullmatch(name):
                raise self.refused(f"it holds {shorten(name, 60)!r}, which is no piece of an export")
        if len(self.sizes) > MAX_PIECES:
            raise self.refused(f"it holds more than {MAX_PIECES} files")
        if sum(self.sizes.values()) > max_bytes:
            raise self.refused(f"it unpacks to {sum(self.sizes.values())} bytes; at most {max_bytes} are allowed")

    def refused(self, why: str) -> ArchiveError:
        return ArchiveError(f"{self.path} is not imported: {why}")

    def read(self, name: str, *, max_bytes: int = MAX_FILE) -> bytes:
        """A piece. What a zip file says about sizes is not believed: reading ends where the bounds are."""
        if name not in self.sizes:
            raise self.refused(f"{name} is missing")
        bound = min(max_bytes, self.left)
        try:
            with self._open(name) as file:
                content = file.read(bound + 1)
        except Exception as error:  # zipfile, zlib, lzma and bz2 each have errors of their own
            raise self.refused(f"{name} cannot be read: {error}") from None
        if len(content) > bound:
            raise self.refused(f"{name} has more than {bound} bytes")
        self.left -= len(content)
        return content

    @abstractmethod
    def _sizes(self) -> dict[str, int]: ...

    @abstractmethod
    def _open(self, name: str) -> IO[bytes]: ...


class FolderArchive(Archive):
    def _sizes(self) -> dict[str, int]:
        sizes = {}
        for folder, folders, names in os.walk(self.path):
            for name in [*folders, *names]:
                piece = Path(folder, name)
                if piece.is_symlink() or not (piece.is_file() or piece.is_dir()):
                    raise self.refused(f"{shorten(name, 60)!r} is a link or a device")
                if piece.is_file():
                    sizes[piece.relative_to(self.path).as_posix()] = piece.stat().st_size
        return sizes

    def _open(self, name: str) -> IO[bytes]:
        return (self.path / name).open("rb")


class ZipArchive(Archive):
    def _sizes(self) -> dict[str, int]:
        try:
            self.file = zipfile.ZipFile(self.path)
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
            raise self.refused(f"it is no folder and no zip file ({error})") from None
        listed = [entry for entry in self.file.infolist() if not entry.is_dir()]
        sizes = {entry.filename: entry.file_size for entry in listed}
        if len(sizes) < len(listed):
            raise self.refused("two of its files have the same name")
        return sizes

    def _open(self, name: str) -> IO[bytes]:
        return self.file.open(name)


def open_archive(path: Path, max_bytes: int) -> Archive:
    """The pieces of a folder or of a zip file."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder", parameter="path")
    return FolderArchive(path, max_bytes) if path.is_dir() else ZipArchive(path, max_bytes)


class _FolderWriter:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: bytes) -> None:
        piece = self.folder / name
        piece.parent.mkdir(exist_ok=True)
        piece.write_bytes(content)


class _ZipWriter:
    def __init__(self, file: zipfile.ZipFile) -> None:
        self.file = file

    def write(self, name: str, content: bytes) -> None:
        entry = zipfile.ZipInfo(name, _MOMENT)
        entry.external_attr = 0o600 << 16
        self.file.writestr(entry, content, zipfile.ZIP_DEFLATED)


@contextmanager
def new_archive(path: Path, *, public: bool = False) -> Iterator[ArchiveWriter]:
    """Write a folder, or a zip file where the name ends so. It is there when it is complete, and not before.

    Only the owner can read it, unless it is ``public``.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise InputError(f"{path} exists already; give another name", parameter="path")
    temporary = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(path.with_name(f".{path.name}.lock"), lambda: _refuse_second(path)):
            yield from _write_archive(path, temporary, public=public)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}", parameter="path") from None


def _refuse_second(path: Path) -> None:
    raise InputError(f"another program writes {path}", parameter="path")


def _write_archive(path: Path, temporary: Path, *, public: bool) -> Iterator[ArchiveWriter]:
    """The folder is written under another name. One that a killed program left is removed."""
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(0o700)
    try:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(temporary / "export.zip", "w") as file:
                yield _ZipWriter(file)
            (temporary / "export.zip").chmod(0o644 if public else 0o600)
            (temporary / "export.zip").replace(path)
        else:
            yield _FolderWriter(temporary)
            temporary.chmod(0o755 if public else 0o700)
            temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def split_lines(content: bytes) -> Iterator[bytes]:
    """The lines of a piece; a line ends with a line feed and nothing else."""
    return (line for line in io.BytesIO(content) if line.strip())
