"""Finished replicates on disk, so that a long study can be interrupted: one JSON line each, after one for the study.

Whatever such a file holds, reading it ends in replicates or in one line that names the file, the line and the remedy. A
line that an interrupt cut short is left out, and its replicate is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.result import plain
from gecval.studies.maege.decoding import decode
from gecval.studies.maege.levels import MetricResult

Results = dict[str, MetricResult]


class Checkpoint:
    """Replicates by number. Without a path nothing is kept.

    The file is checked when it is opened. A replicate is read again when it is asked for: all of them together may not
    fit in memory.
    """

    def __init__(self, path: Path | None, *, signature: str, metrics: Sequence[str], models: Sequence[float]) -> None:
        self._path = path
        self._metrics = metrics
        self._models = models
        self._places: dict[int, int] = {}  # replicate → where its line begins, in bytes
        if path is None:
            return
        try:
            if path.exists() and path.stat().st_size:
                self._open(path, signature)
            else:
                self._append(path, {"study": signature})
        except OSError as error:
            raise InputError(f"cannot use {path}: {error.strerror}", parameter="checkpoint") from None

    def _open(self, path: Path, signature: str) -> None:
        line = b"\n"
        with path.open("rb") as file:
            header = _parsed(file.readline())
            if not isinstance(header, dict) or "study" not in header:
                raise InputError(f"{path} is no checkpoint: choose another file", parameter="checkpoint")
            if header["study"] != signature:
                raise InputError(
                    f"{path} belongs to a study with other settings, metrics or data; choose another file",
                    parameter="checkpoint",
                )
            number, start = 2, file.tell()
            while line := file.readline():
                self._note(line, number, start)
                number, start = number + 1, file.tell()
            file.seek(-1, 2)
            complete = file.read() == b"\n"
        if not complete:  # what comes next must not join the line that was cut short
            with path.open("ab") as file:
                file.write(b"\n")

    def _note(self, line: bytes, number: int, start: int) -> None:
        """Remember where a replicate stands, if the line holds one."""
        if (item := _parsed(line)) is None:
            return
        try:
            replicate, _ = self._replicate(item)
        except ValueError as error:
            raise InputError(
                f"{self._path}, line {number} is no replicate of this study: {error}; delete the line, or choose "
                "another file",
                parameter="checkpoint",
            ) from None
        self._places[replicate] = start

    def _replicate(self, item: Any) -> tuple[int, Results]:
        """A replicate with its number, checked."""
        if not isinstance(item, dict) or set(item) != {"replicate", "metrics"}:
            raise ValueError("it is not an object of replicate, metrics")
        number: int = decode(int, item["replicate"], "replicate")
        results: Results = decode(Results, item["metrics"], "metrics")
        if set(results) != set(self._metrics):
            raise ValueError(f"its metrics are not {', '.join(self._metrics)}")
        types = set(results[self._metrics[0]].types)
        for metric, result in results.items():
            if len(result.corpus.scores) != len(self._models):
                raise ValueError(f"{metric} has {len(result.corpus.scores)} corpora, not {len(self._models)}")
            if not result.sentence.counts.pairs:
                raise ValueError(f"{metric} has no pairs")
            if set(result.types) != types or not all(kind.edits for kind in result.types.values()):
                raise ValueError(f"the types of edits of {metric} are not those of the other metrics")
        return number, results

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def get(self, number: int) -> Results | None:
        """The replicate of this number, if it is there."""
        if self._path is None or number not in self._places:
            return None
        with self._path.open("rb") as file:
            file.seek(self._places[number])
            return self._replicate(_parsed(file.readline()))[1]

    def add(self, number: int, results: Results) -> None:
        """Keep a replicate."""
        if self._path is not None:
            self._append(self._path, {"replicate": number, "metrics": plain(results)})

    def _append(self, path: Path, item: dict[str, Any]) -> None:
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(item, allow_nan=False) + "\n")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}", parameter="checkpoint") from None


def _parsed(line: bytes) -> Any:
    """What a line says; None where it is no JSON, such as one that was cut short."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
