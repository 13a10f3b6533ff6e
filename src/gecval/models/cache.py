"""A cache on disk for the answers of models: text → text, in a namespace that names the model and all versions.

There is one SQLite file per namespace. It lies in ``$GECVAL_CACHE``, else in ``$XDG_CACHE_HOME/gecval``, else in
``~/.cache/gecval``. You may delete any of these files. Every call opens the file, works in one transaction and closes
it. So several processes may share it, and an interrupt loses only the call that it hit. A file that cannot be used
costs time, never a result. All files together are bounded: ``cache_limit.py`` says what goes first.
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
from contextlib import closing, suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

from gecval.models.cache_limit import USES, cache_limit, keep_bounds
from gecval.progress import Progress, silent

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
        """Remember all of them, or none if interrupted."""
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

    def answers(self, keys: Iterable[str], ask: Asker, *, progress: Progress = silent) -> dict[str, str]:
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
            progress(len(known), len(wanted))
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
            return _connected(path)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _connected(path: Path) -> sqlite3.Connection:
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
