"""A cache on disk for the answers of models: text → text, in a namespace that names the model and all versions.

There is one SQLite file per namespace. It lies in ``$GECVAL_CACHE``, else in ``$XDG_CACHE_HOME/gecval``, else in
``~/.cache/gecval``. You may delete any of these files. Every call opens the file, works in one transaction and closes
it. So several processes may share it, and an interrupt loses only the call that it hit. A file that cannot be used
costs time, never a result.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from itertools import islice
from pathlib import Path

from gecval.progress import Progress, silent

Asker = Callable[[list[str]], Iterable[Mapping[str, str]]]
_BATCH = 500  # SQLite refuses statements with too many parameters
_PATIENCE_S = 30.0  # another process may be writing


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
    connection = sqlite3.connect(path, timeout=_PATIENCE_S)
    try:
        # Readers and a writer do not wait for each other; a power cut may lose the last entries but harms no file.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value TEXT, sum BLOB)")
    except BaseException:
        connection.close()
        raise
    return connection


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _batches(keys: Iterable[bytes]) -> Iterator[list[bytes]]:
    remaining = iter(keys)
    while batch := list(islice(remaining, _BATCH)):
        yield batch
