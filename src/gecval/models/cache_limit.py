"""How much the caches may hold together, and what goes first: what was not used for longest.

    $GECVAL_CACHE_LIMIT    500MB, 10GB, …; none: no limit. By default 10GB, for all files of the cache together

When more is written, the entries that were not used for longest go, of whatever model, until nine tenths of the limit
are left. Answers that somebody paid for (of chat models) count, and never go by themselves.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from gecval.errors import InputError

VARIABLE, DEFAULT = "GECVAL_CACHE_LIMIT", "10GB"
UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SHARE = 0.9  # of the limit that is left after entries had to go
PAID = "chat-"  # how the files of answers begin that cost money
_ENTRY = "(LENGTH(entries.key) + LENGTH(CAST(value AS BLOB)) + LENGTH(sum) + 24)"  # and what SQLite adds, about
_PATIENCE_S = 30.0


class CacheFile(NamedTuple):
    """One file of the cache: how many answers it holds, how many bytes, and when one was last used."""

    path: Path
    entries: int
    bytes: int
    used: int  # seconds since 1970; 0: before uses were noted

    @property
    def paid(self) -> bool:
        return self.path.name.startswith(PAID)


def cache_limit(given: str | None = None) -> int | None:
    """The most bytes that the caches may hold, as given or as the environment says; None: no limit.

    >>> cache_limit("1.5 GB"), cache_limit("none")
    (1500000000, None)
    """
    text = (given if given is not None else os.environ.get(VARIABLE) or DEFAULT).strip()
    if text.lower() == "none":
        return None
    match = re.fullmatch(r"(\d{1,15}(?:\.\d+)?)\s*([KMGT]B|)", text.upper())
    if match is None:
        raise InputError(f"{text!r} is no size of a cache ({VARIABLE}): write 500MB, 10GB or none", parameter="limit")
    return int(float(match[1]) * UNITS[match[2]])


def cache_files(folder: Path) -> list[CacheFile]:
    """All files of the cache, the largest first. A file that cannot be read holds nothing of ours."""
    files = []
    for path in sorted(folder.glob("*.sqlite")):
        try:
            with _opened(path) as connection:
                [row] = connection.execute(
                    f"SELECT COUNT(*), TOTAL({_ENTRY}), IFNULL(MAX(used), 0) FROM entries LEFT JOIN uses USING (key)"
                )
                files.append(CacheFile(path, row[0], int(row[1]), row[2]))
        except (sqlite3.Error, OSError):
            continue
    return sorted(files, key=lambda file: (-file.bytes, file.path.name))


def keep_bounds(folder: Path, limit: int) -> None:
    """Let entries go where the files use more than the limit. This is quick where they do not."""
    used = sum(map(_used, folder.glob("*.sqlite")))
    if used > limit:
        held = sum(file.bytes for file in cache_files(folder))
        prune(folder, int(limit * held / used), shrink=False)  # pages that become free are used again


def prune(folder: Path, limit: int, *, shrink: bool = True) -> int:
    """Let entries go until nine tenths of the limit are left, if there are more bytes than the limit. How many went.

    ``shrink`` makes the files smaller too, which takes as long as writing them anew.
    """
    files = cache_files(folder)
    total = sum(file.bytes for file in files)
    if total <= limit:
        return 0
    excess, gone = total - int(limit * SHARE), 0
    unpaid = [file.path for file in files if not file.paid]
    for used, bytes_ in _by_use(unpaid):
        if excess <= 0:
            break
        for path in unpaid:
            removed, freed = _remove(path, used, excess if bytes_ > excess else None)
            gone, excess = gone + removed, excess - freed
            if excess <= 0:
                break
    for path in unpaid if shrink else ():
        _give_back(path)
    return gone


def clear(folder: Path) -> int:
    """Remove all files of the cache, but those of answers that somebody paid for. How many entries went."""
    files = [file for file in cache_files(folder) if not file.paid]
    for file in files:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{file.path}{suffix}").unlink(missing_ok=True)
    return sum(file.entries for file in files)


def _used(path: Path) -> int:
    """The bytes of a file without its free pages, which SQLite knows without reading it."""
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE_S)) as connection:
            pages, free, size = (
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
            return int((pages - free) * size)
    except sqlite3.Error:
        return 0


def _by_use(paths: Iterable[Path]) -> list[tuple[int, int]]:
    """The seconds of last use, and how many bytes were last used then, the oldest first."""
    totals: dict[int, int] = {}
    for path in paths:
        with _opened(path) as connection:
            for used, bytes_ in connection.execute(
                f"SELECT IFNULL(used, 0), TOTAL({_ENTRY}) FROM entries LEFT JOIN uses USING (key) GROUP BY 1"
            ):
                totals[used] = totals.get(used, 0) + int(bytes_)
    return sorted(totals.items())


def _remove(path: Path, used: int, most: int | None) -> tuple[int, int]:
    """Remove the entries that were last used then, or enough of them; how many, and their bytes."""
    removed, freed = [], 0
    with _opened(path) as connection, connection:
        for key, bytes_ in connection.execute(
            f"SELECT entries.key, {_ENTRY} FROM entries LEFT JOIN uses USING (key) WHERE IFNULL(used, 0) = ?", (used,)
        ):
            if most is not None and freed >= most:
                break
            removed.append((key,))
            freed += bytes_
        connection.executemany("DELETE FROM entries WHERE key = ?", removed)
        connection.executemany("DELETE FROM uses WHERE key = ?", removed)
    return len(removed), freed


def _give_back(path: Path) -> None:
    """Make the file smaller. Where another process is at work the room stays, and is used again."""
    try:
        with _opened(path) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        return


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, timeout=_PATIENCE_S)) as connection:
        connection.execute("SELECT key, value, sum FROM entries LIMIT 0")  # a database of somebody else is left alone
        connection.execute(USES)
        yield connection


# When each entry was last used. It is a table of its own: older versions read and write the file as well.
USES = "CREATE TABLE IF NOT EXISTS uses (key BLOB PRIMARY KEY, used INTEGER) WITHOUT ROWID"
