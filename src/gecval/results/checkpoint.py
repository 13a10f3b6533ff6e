"""The chunks of a study: one pure function, mapped over items, wherever the user wants it computed.

    compute_chunks(work, items) = work(items[0]), work(items[1]), …

``work`` is sent to each worker once. What is random in a chunk comes from its item, never from the worker, so the
answers are the same on any backend. A checkpoint on disk holds the answers of finished chunks, so that a study can be
interrupted: one JSON line for the study, then one for each chunk.

    {"study": signature}                             what decides the result: a file of another study is refused by it
    {"chunk": [part, …], "answer": …, "digest": …}   the digest shows whether somebody changed the line

Whatever such a file holds, reading it ends in answers or in one line that names the file, the line and the remedy. A
line that an interrupt cut short is left out, and its chunk is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache, partial
from hashlib import sha256
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.models.device import choose_device, use_device
from gecval.runtime.backends import spread
from gecval.runtime.run import Run, announce
from gecval.stats.resampling import MaybeUndefined

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Refused:
    """An answer that says why there is none. It is not stored: the reason may be gone the next time."""

    why: str


def compute_chunks(
    work: Callable[[Item], Answer],
    items: Sequence[Item],
    *,
    run: Run,
    finished: FinishedChunks | None = None,
    label: Callable[[Item], str] | None = None,
) -> Iterator[Answer]:
    """What ``work`` gives for each item, in order. What is stored is not computed again.

    The progress of ``run`` hears how many items are done, and what begins where the ``label`` of an item is a new one.
    """
    finished = Checkpoint(None, str, Chunks({})) if finished is None else finished
    todo = [item for item in items if item not in finished]
    if run.backend is not None:
        work = _OnDevice(work, *choose_device())
    shown = None
    with closing(spread(work, todo, backend=run.backend)) as answers:  # an interrupt ends the workers' connection too
        for done, item in enumerate(items):
            if label and label(item) != shown:
                announce(run.progress, shown := label(item))
            run.progress(done, len(items))
            if item in finished:
                yield finished.get(item)
                continue
            answer = next(answers)
            if not isinstance(answer, Refused):
                finished.add(item, answer)
            yield answer
    if items:
        run.progress(len(items), len(items))


def try_chunk(work: Callable[[], Answer]) -> Answer | Refused:
    """What ``work`` gives, or why it refuses: one chunk that fails must not end the others."""
    try:
        return work()
    except InputError as error:
        return Refused(str(error))


def study_signature(study: str, *parts: object) -> str:
    """Everything that decides a study, in one line; a checkpoint of another study is refused by it."""
    return "|".join([study, *map(str, parts), f"gecval:{version('gecval')}"])


def digest(texts: Iterable[str]) -> str:
    """A short hash of texts, for a signature.

    >>> digest(["a", "b"]) == digest(["ab"])
    False
    """
    hashed = sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        hashed.update(b"%d:%b" % (len(encoded), encoded))
    return hashed.hexdigest()[:16]


def systems_digest(systems: Iterable[System]) -> str:
    """A short hash of the names and the outputs of systems, and of their edits where they bring them."""
    return digest(text for system in systems for text in (system.name, *system.hypotheses, repr(system.edits)))


def corpus_signature(corpus: Corpus) -> str:
    """Sources and references, and how they are read."""
    hashes = f"{corpus.source_hash}{corpus.reference_hash}"
    return f"corpus:{hashes}:{corpus.language}:{corpus.tokenize}:{corpus.extractor}"


@dataclass(frozen=True)
class _OnDevice(Generic[Item, Answer]):
    """Work with the device that was chosen here, also where it is done by others."""

    work: Callable[[Item], Answer]
    device: str
    batch_size: int | None

    def __call__(self, item: Item) -> Answer:
        with use_device(self.device, batch_size=self.batch_size):
            return self.work(item)


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


class FinishedChunks(Protocol):
    """Where the answers of finished chunks are."""

    def __contains__(self, item: Any) -> bool: ...
    def get(self, item: Any) -> Any: ...
    def add(self, item: Any, answer: Any) -> None: ...


class Checkpoint:
    """Answers by item. Without a path nothing is stored, and the ``signature`` of the study is not asked for.

    The file is checked when it is opened. An answer is read again when it is asked for: all of them together may not
    fit in memory.
    """

    def __init__(self, path: Path | str | None, signature: Callable[[], str], form: Form) -> None:
        self._path = path = None if path is None else Path(path)
        self._form = form
        self._places: dict[Any, int] = {}  # where the line of an item begins, in bytes
        if path is None:
            return
        try:
            if path.exists() and path.stat().st_size:
                self._open(path, signature())
            else:
                self._append(path, {"study": signature()})
        except OSError as error:
            raise InputError(f"cannot use {path}: {error.strerror}", parameter="checkpoint") from None

    def _open(self, path: Path, signature: str) -> None:
        with path.open("rb") as file:
            last = file.readline()
            header = _parse_line(last)
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
        """Note where an answer stands, if the line holds one."""
        if (parsed := _parse_line(line)) is None:
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
            return self._form.read(_parse_line(file.readline()))[1]

    def add(self, item: Any, answer: Any) -> None:
        """Store an answer."""
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


def _parse_line(line: bytes) -> Any:
    """What a line says; None where it is no JSON, such as one that was cut short."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


# Values of results as JSON and back: exact, and checked on the way.
#
#     dataclass ↔ object with just these fields       tuple, interval, array ↔ list       NaN ↔ "nan", or null
#
# ``encode`` keeps what ``decode`` needs to give the same value again. Whatever does not fit raises a ValueError that
# says where.


LARGEST = 1e15  # no count or score of ours comes near; beyond, sums lose digits or overflow
NOT_FINITE = ("nan", "inf", "-inf")


def encode(value: Any) -> Any:
    """The value as JSON knows it.

    >>> encode((1, 0.5, float("nan"), None))
    [1, 0.5, 'nan', None]
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return float(value) if isfinite(value) else str(float(value))
    if value is None or isinstance(value, str | bool | int):
        return value
    if is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    return [encode(item) for item in value]


def decode(kind: Any, value: Any, where: str) -> Any:
    """The value as one of a type. ``where`` says in an error where the value stands.

    >>> decode(tuple[float, ...], [1.0, 0.5], "scores")
    (1.0, 0.5)
    >>> decode(int, "1", "edits")
    Traceback (most recent call last):
    ...
    ValueError: edits is '1', not a whole number from 0 on
    """
    if kind is int:
        fits = type(value) is int and 0 <= value <= LARGEST
        return _check_type(value, where, fits=fits, wanted="a whole number from 0 on")
    if kind == MaybeUndefined and (value is None or value != value):
        return float("nan")
    if kind in (float, MaybeUndefined):
        if isinstance(value, str) and value in NOT_FINITE:
            return float(value)
        # A whole number stays one: it was one.
        return _check_type(value, where, fits=type(value) in (int, float) and abs(value) <= LARGEST, wanted="a number")
    if kind is str or kind is bool:
        return _check_type(value, where, fits=type(value) is kind, wanted="a text" if kind is str else "true or false")
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        _check(isinstance(value, dict) and set(value) == set(hints), where, f"an object of {', '.join(hints)}")
        return kind(**{name: decode(hint, value[name], f"{where}.{name}") for name, hint in hints.items()})
    if hasattr(kind, "_fields"):  # an interval
        size = len(kind._fields)
        ends = [None] * size if value is None else value
        _check(isinstance(ends, list) and len(ends) == size, where, f"a list of {size} numbers")
        return kind(*(decode(MaybeUndefined, end, where) for end in ends))
    return _compose(get_origin(kind), get_args(kind), value, where)


def _compose(origin: Any, inner: tuple[Any, ...], value: Any, where: str) -> Any:
    """A value of a type that is made of others, such as ``tuple[float, ...]``."""
    if origin in (Union, UnionType):
        return None if value is None and NoneType in inner else _first(inner, value, where)
    if origin is Literal:
        return _check_type(value, where, fits=value in inner, wanted=f"one of {', '.join(map(str, inner))}")
    if origin in (dict, Mapping):
        _check(isinstance(value, dict), where, "an object")
        return {name: decode(inner[1], item, f"{where}.{name}") for name, item in value.items()}
    assert origin in (tuple, list, Sequence, np.ndarray), origin
    _check(isinstance(value, list), where, "a list")
    if origin is np.ndarray:
        return np.array([decode(MaybeUndefined, item, f"{where}[{i}]") for i, item in enumerate(value)], dtype=float)
    listed = [decode(inner[0], item, f"{where}[{i}]") for i, item in enumerate(value)]
    return listed if origin is list else tuple(listed)


def _first(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    """The value as the first of the types that it fits."""
    *others, last = (kind for kind in kinds if kind is not NoneType)
    for kind in others:
        with suppress(ValueError):
            return decode(kind, value, where)
    return decode(last, value, where)


@lru_cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of a dataclass's fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def _check_type(value: Any, where: str, *, fits: bool, wanted: str) -> Any:
    if not fits:
        shown = repr(value) if isinstance(value, str | int | float) else type(value).__name__
        raise ValueError(f"{where} is {shown[:40]}, not {wanted}")
    return value


def _check(fits: bool, where: str, wanted: str) -> None:
    if not fits:
        raise ValueError(f"{where} is not {wanted}")
