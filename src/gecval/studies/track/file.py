"""The file of a history: a line of JSON for each score, only ever added to.

    {"schema": "gecval.history/1", "commit": "3f2a…", "time": "2026-11-16T04:20:00+00:00", "series": "m2|beta:0.5|…",
     "sentences": 1312, "aggregate": "corpus", "level": 0.95, "system": "mine", "metric": "m2", "score": 0.35, …,
     "rows": […]}

A line holds what a line of a passport holds, so that entries can be tested against each other without the data. All
lines of one run are written in one go, while a lock keeps other processes out. A run that is killed may leave a torn
last line. Readers leave it out. The next run sets it aside, into FILE.torn.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.formats.datasets.locking import alone
from gecval.metrics.evaluation import AGGREGATES
from gecval.stats import Interval
from gecval.studies.passport.lines import Entry
from gecval.studies.passport.reading import read_entry

SCHEMA = "gecval.history/1"
MOST_BYTES = 1_000_000_000
MOST_SENTENCES = 100_000_000


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A line of the file. ``series`` is the signature without the resampling and the version of gecval."""

    commit: str
    time: str
    series: str
    entry: Entry
    score: float
    interval: Interval | None
    level: float | None

    @property
    def key(self) -> tuple[str, str]:
        """What makes entries comparable: the system's name, and data, metric and settings."""
        return self.entry.evaluation.system, self.series


def read_kept(path: Path) -> tuple[list[Kept], bytes]:
    """All whole lines, and what is left of a torn last one."""
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path}: a history has up to {MOST_BYTES:,} bytes; begin a new file")
    *lines, last = path.read_bytes().split(b"\n")
    kept = [_kept(path, number, line) for number, line in enumerate(lines, start=1)]
    if last and _parsed(last) is not None:
        return [*kept, _kept(path, len(lines) + 1, last)], b""
    return kept, last


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _kept(path: Path, number: int, line: bytes) -> Kept:
    wrong = f"{path}: line {number} is no score of a history ({SCHEMA})"
    given = _parsed(line)
    if given is None or given.get("schema") != SCHEMA:
        raise InputError(f"{wrong}; restore the file, or remove this line")
    try:
        if given["aggregate"] not in AGGREGATES or not 2 <= given["sentences"] <= MOST_SENTENCES:
            raise ValueError("aggregate or sentences")
        interval = given["interval"]
        return Kept(
            commit=str(given["commit"]),
            time=str(given["time"]),
            series=str(given["series"]),
            entry=read_entry(given, int(given["sentences"]), given["aggregate"]),
            score=float(given["score"]),
            interval=None if interval is None else Interval(*map(float, interval)),
            level=None if given["level"] is None else float(given["level"]),
        )
    except InputError as error:
        raise InputError(f"{wrong}: {error}; restore the file, or remove this line") from None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        said = f"{type(error).__name__} {str(error)[:80]}"
        raise InputError(f"{wrong}: {said}; restore the file, or remove this line") from None


def check_place(path: Path) -> None:
    """Refuse what can be no file, before anything is scored."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is no folder; make it first")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """No other process adds to the file meanwhile."""
    with alone(path.with_name(f"{path.name}.lock")):
        yield


def append(path: Path, objects: Sequence[Mapping[str, Any]], torn: bytes) -> None:
    """Add lines in one go. Call it while the file is ``locked``. ``torn`` is what a killed run left at the end."""
    text = "".join(f"{json.dumps(item, allow_nan=False)}\n" for item in objects)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "r+b") as file:
        end = file.seek(0, os.SEEK_END)
        if torn:
            with path.with_name(f"{path.name}.torn").open("ab") as aside:
                aside.write(torn + b"\n")
            end = file.truncate(end - len(torn))
            file.seek(end)
        elif end:
            file.seek(end - 1)
            if file.read(1) != b"\n":  # a whole line that lacks only its end
                text = f"\n{text}"
        file.write(text.encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
