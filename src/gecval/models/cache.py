"""A cache on disk for the answers of models: text → text, in a namespace that names the model and all versions.

There is one SQLite file per namespace. It lies in ``$GECVAL_CACHE``, else in ``$XDG_CACHE_HOME/gecval``, else in
``~/.cache/gecval``. You may delete any of these files. Every call opens the file, works in one transaction and closes
it. So several processes may share it, and an interrupt loses only the call that it hit. A file that cannot be used
costs time, never a result. All files together are bounded: the end of this module says what goes first.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gecval.errors import InputError
from gecval.runtime.run import HERE, Run

Asker = Callable[[list[str]], Iterable[Mapping[str, str]]]
_BATCH = 500  # SQLite refuses statements with too many parameters
_PATIENCE_S = 30.0  # another process may be writing
NOTED_S = 3600  # a use is noted if the last one was noted so long ago: reading seldom writes
OFTEN = 0.01  # of the limit that may be written before all files are looked at again


def cache_folder() -> Path:
    """Where caches lie."""
    for variable, *parts in (("GECVAL_CACHE",), ("XDG_CACHE_HOME", "gecval"), ("HOME", ".cache", "gecval")):
        if folder := os.environ.get(variable):
            return Path(folder, *parts)
    return Path(tempfile.gettempdir(), "gecval")


class Cache:
    """What is known in one namespace.

    >>> cache = Cache(Path("/dev/null/unusable"))
    >>> cache.put_many({"a": "1"})
    >>> cache.get_many(["a", "b"])
    {'a': '1'}
    """

    def __init__(self, path: Path) -> None:
        self._path: Path | None = path
        self._memory: dict[str, str] = {}  # takes over from a file that cannot be used
        self._unseen: float | None = None  # bytes that were written since all files were looked at; None: never

    def get_many(self, keys: Iterable[str]) -> dict[str, str]:
        """The values of those keys that have one."""
        wanted = {_digest(key): key for key in keys}
        known = {key: self._memory[key] for key in wanted.values() if key in self._memory}
        if self._path is None or not wanted:
            return known
        try:
            if not self._path.exists():
                return known
            with closing(_connect(self._path)) as connection:
                for batch in _batches(wanted):
                    marks = ",".join("?" * len(batch))
                    rows = connection.execute(f"SELECT key, value, sum FROM entries WHERE key IN ({marks})", batch)
                    # SQLite does not notice a value that the disk has changed.
                    known.update((wanted[key], value) for key, value, checksum in rows if checksum == _digest(value))
                    _note_use(connection, batch)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
        return known

    def put_many(self, items: Mapping[str, str]) -> None:
        """Cache all of them, or none if interrupted."""
        if self._path is not None and items:
            rows = [(_digest(key), value, _digest(value)) for key, value in items.items()]
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with closing(_connect(self._path)) as connection, connection:
                    connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)
                    now = int(time.time())
                    connection.executemany("INSERT OR REPLACE INTO uses VALUES (?, ?)", [(row[0], now) for row in rows])
                self._keep_bounds(self._path.parent, sum(len(value) for value in items.values()))
            except (sqlite3.Error, OSError) as error:
                self._give_up(error)
        if self._path is None:
            self._memory.update(items)

    def answers(self, keys: Iterable[str], ask: Asker, *, run: Run = HERE) -> dict[str, str]:
        """The value of each distinct key. Keys without one are asked for, and every batch of answers is kept at once.

        >>> Cache(Path("/dev/null/unusable")).answers(["a", "b", "a"], lambda keys: [{key: key * 2} for key in keys])
        {'a': 'aa', 'b': 'bb'}
        """
        wanted = list(dict.fromkeys(keys))
        known = self.get_many(wanted)
        new = [key for key in wanted if key not in known]
        for batch in ask(new) if new else ():
            self.put_many(batch)
            known |= batch
            run.progress(len(known), len(wanted))
        return known

    def _keep_bounds(self, folder: Path, written: int) -> None:
        """Let old entries go where all files hold more than the limit. Looking takes time, so it is done seldom."""
        limit = cache_limit()
        if limit is None:
            return
        due = self._unseen is None or self._unseen + written > OFTEN * limit
        self._unseen = 0.0 if due else (self._unseen or 0.0) + written
        if due:
            with suppress(sqlite3.Error):  # another process is at it
                keep_bounds(folder, limit)

    def _give_up(self, error: Exception) -> None:
        logging.getLogger("gecval").warning("cache %s cannot be used (%s); going on without it", self._path, error)
        self._path = None


def open_cache(namespace: str) -> Cache:
    """The cache of a namespace, such as ``errant:3.0.2|spacy:3.8.18|en_core_web_sm:3.8.0``."""
    return _cache(cache_file(namespace))


def cache_file(namespace: str) -> Path:
    """Where the cache of a namespace lies."""
    readable = re.sub(r"[^\w.-]+", "_", namespace)[:80]
    return cache_folder() / f"{readable}.{_digest(namespace).hex()[:8]}.sqlite"


@lru_cache
def _cache(path: Path) -> Cache:
    """One object per file: the warning about a file that cannot be used comes once."""
    return Cache(path)


def _connect(path: Path) -> sqlite3.Connection:
    """Where another process makes or closes the file just now, SQLite says so at once: then we wait."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return _open_connection(path)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _open_connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE_S)
    try:
        # Readers and a writer do not wait for each other; a power cut may lose the last entries but harms no file.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value TEXT, sum BLOB)")
        with suppress(sqlite3.OperationalError):  # a file of an older version that may only be read
            connection.execute(USES)
    except BaseException:
        connection.close()
        raise
    return connection


def _note_use(connection: sqlite3.Connection, keys: list[bytes]) -> None:
    """Note that entries were used, unless that was noted lately. Nobody waits for it, and it may fail."""
    now, marks = int(time.time()), ",".join("?" * len(keys))
    with suppress(sqlite3.Error):
        [stale] = connection.execute(
            "SELECT COUNT(*) FROM entries LEFT JOIN uses USING (key) "
            f"WHERE entries.key IN ({marks}) AND IFNULL(used, 0) < ?",
            (*keys, now - NOTED_S),
        ).fetchone()
        if stale:
            connection.execute("PRAGMA busy_timeout = 0")
            with connection:
                connection.execute(
                    f"INSERT OR REPLACE INTO uses SELECT key, ? FROM entries WHERE key IN ({marks})", (now, *keys)
                )


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _batches(keys: Iterable[bytes]) -> Iterator[list[bytes]]:
    remaining = iter(keys)
    while batch := list(islice(remaining, _BATCH)):
        yield batch


# How much the caches may hold together, and what goes first: what was not used for longest.
#
#     $GECVAL_CACHE_LIMIT    500MB, 10GB, …; none: no limit. By default 10GB, for all files of the cache together
#
# When more is written, the entries that were not used for longest go, of whatever model, until nine tenths of the limit
# are left. Answers that somebody paid for (of chat models) count, and never go by themselves.


VARIABLE, DEFAULT = "GECVAL_CACHE_LIMIT", "10GB"
UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SHARE = 0.9  # of the limit that is left after entries had to go
PAID = "chat-"  # how the files of answers begin that cost money
_ENTRY = "(LENGTH(entries.key) + LENGTH(CAST(value AS BLOB)) + LENGTH(sum) + 24)"  # and what SQLite adds, about
_LIMIT_PATIENCE_S = 30.0


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
    used = sum(map(_measure_used, folder.glob("*.sqlite")))
    if used > limit:
        held = sum(file.bytes for file in cache_files(folder))
        prune(folder, int(limit * held / used), shrink=False)  # pages that become free are used again


def prune(folder: Path, limit: int, *, shrink: bool = True) -> int:
    """Let entries go until nine tenths of the limit are left, if there are more bytes than the limit. How many went.

    ``shrink`` makes the files smaller too, which takes as long as writing them again.
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


def _measure_used(path: Path) -> int:
    """The bytes of a file without its free pages, which SQLite knows without reading it."""
    try:
        with closing(sqlite3.connect(path, timeout=_LIMIT_PATIENCE_S)) as connection:
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
    """Make the file smaller. Where another process is at work the space stays, and is used again."""
    try:
        with _opened(path) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        return


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, timeout=_LIMIT_PATIENCE_S)) as connection:
        connection.execute("SELECT key, value, sum FROM entries LIMIT 0")  # a database of somebody else is left alone
        connection.execute(USES)
        yield connection


# When each entry was last used. It is a table of its own: older versions read and write the file as well.
USES = "CREATE TABLE IF NOT EXISTS uses (key BLOB PRIMARY KEY, used INTEGER) WITHOUT ROWID"
