"""Finished chunks of a study on disk, so that it can be interrupted: one JSON line each, after one for the study.

    {"study": signature}                             what decides the result: a file of another study is refused by it
    {"chunk": [part, …], "answer": …, "digest": …}   the digest tells where somebody changed a line

Whatever such a file holds, reading it ends in answers or in one line that names the file, the line and the remedy. A
line that an interrupt cut short is left out, and its chunk is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from gecval.errors import InputError
from gecval.studies.decoding import decode, encode

Chunk = tuple[Any, ...]  # the name of a part of the study, then texts and numbers that say which chunk of it


class Form(Protocol):
    """How the lines of a study are written and read. ``what`` is what a line holds, in an error."""

    @property
    def what(self) -> str: ...
    def line(self, item: Any, answer: Any) -> dict[str, Any]: ...
    def read(self, line: Any) -> tuple[Any, Any]:
        """An item and its answer; a ValueError says what does not fit."""


@dataclass(frozen=True)
class Chunks:
    """The form of a study with several parts: for each, what reads its answers, or their type."""

    parts: Mapping[str, Any]
    what: str = "chunk"

    def line(self, item: Chunk, answer: Any) -> dict[str, Any]:
        chunk, encoded = list(item), encode(answer)
        return {"chunk": chunk, "answer": encoded, "digest": line_digest(chunk, encoded)}

    def read(self, line: Any) -> tuple[Chunk, Any]:
        if not isinstance(line, dict) or set(line) != {"chunk", "answer", "digest"}:
            raise ValueError("it is not an object of chunk, answer, digest")
        chunk = line["chunk"]
        if line["digest"] != line_digest(chunk, line["answer"]):
            raise ValueError("somebody changed it")
        if not isinstance(chunk, list) or str(chunk[:1]) not in {str([part]) for part in self.parts}:
            raise ValueError(f"its chunk is of none of {', '.join(self.parts)}")
        kind = self.parts[chunk[0]]
        read = kind if isinstance(kind, Reader) else partial(decode, kind)
        return tuple(chunk), read(line["answer"], "answer")


@dataclass(frozen=True)
class Reader:
    """Reads the answers of a part by a function of its own, of the value and of where it stands."""

    function: Callable[[Any, str], Any]

    def __call__(self, value: Any, where: str) -> Any:
        return self.function(value, where)


class Kept(Protocol):
    """Where the answers of finished chunks are."""

    def __contains__(self, item: Any) -> bool: ...
    def get(self, item: Any) -> Any: ...
    def add(self, item: Any, answer: Any) -> None: ...


class Checkpoint:
    """Answers by item. Without a path nothing is kept.

    The file is checked when it is opened. An answer is read again when it is asked for: all of them together may not
    fit in memory.
    """

    def __init__(self, path: Path | str | None, *, signature: str, form: Form) -> None:
        self._path = path = None if path is None else Path(path)
        self._form = form
        self._places: dict[Any, int] = {}  # where the line of an item begins, in bytes
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
        with path.open("rb") as file:
            last = file.readline()
            header = _parsed(last)
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
                number, start, last = number + 1, file.tell(), line
        if not last.endswith(b"\n"):  # what comes next must not join the line that was cut short
            with path.open("ab") as file:
                file.write(b"\n")

    def _note(self, line: bytes, number: int, start: int) -> None:
        """Remember where an answer stands, if the line holds one."""
        if (parsed := _parsed(line)) is None:
            return
        try:
            item, _ = self._form.read(parsed)
        except ValueError as error:
            raise InputError(
                f"{self._path}, line {number} is no {self._form.what} of this study: {error}; delete the line, or "
                "choose another file",
                parameter="checkpoint",
            ) from None
        self._places[item] = start

    def __contains__(self, item: Any) -> bool:
        return item in self._places

    def get(self, item: Any) -> Any:
        """The answer of an item that is there."""
        assert self._path is not None
        with self._path.open("rb") as file:
            file.seek(self._places[item])
            return self._form.read(_parsed(file.readline()))[1]

    def add(self, item: Any, answer: Any) -> None:
        """Keep an answer."""
        if self._path is not None:
            self._append(self._path, self._form.line(item, answer))

    def _append(self, path: Path, line: dict[str, Any]) -> None:
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, allow_nan=False) + "\n")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}", parameter="checkpoint") from None


@dataclass(frozen=True)
class Part:
    """One part of a study's checkpoint: its items alone, without the name of the part."""

    checkpoint: Checkpoint
    name: str

    def __contains__(self, item: Any) -> bool:
        return (self.name, item) in self.checkpoint

    def get(self, item: Any) -> Any:
        return self.checkpoint.get((self.name, item))

    def add(self, item: Any, answer: Any) -> None:
        self.checkpoint.add((self.name, item), answer)


def line_digest(chunk: Any, answer: Any) -> str:
    """Tells whether a line is as it was written. JSON gives the same text again for what it reads."""
    return sha256(json.dumps([chunk, answer]).encode()).hexdigest()[:16]


def _parsed(line: bytes) -> Any:
    """What a line says; None where it is no JSON, such as one that was cut short."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
