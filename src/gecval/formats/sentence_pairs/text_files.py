"""JSONL and TSV: a unit is some thousand lines, found by their place in the file.

    {"source": "He go .", "hypothesis": "He goes .", "references": ["He goes ."]}       a JSON object a line
    source<TAB>hypothesis<TAB>reference                                                 TSV, with a line of names

Every value of a TSV file is text, until it is compared with a number, or by size with another. It has no lists, so
several references are several columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gecval.errors import InputError
from gecval.formats.files import open_binary, read_lines, readable, write_files
from gecval.formats.sentence_pairs.engines import ROWS, Batch, Unit, is_unicode, names_of, values_of

TextKind = Literal["jsonl", "tsv"]


@dataclass(frozen=True)
class TextPairs:
    path: Path
    kind: TextKind
    names: tuple[str, ...]
    units: tuple[Unit, ...]

    @classmethod
    def of(cls, path: Path, kind: TextKind) -> TextPairs:
        """Go through the file once, to see where every unit begins."""
        places, rows = [], 0
        with readable(path), open_binary(path) as file:
            header = file.readline() if kind == "tsv" else b""
            start = at = len(header)
            for line in file:
                at += len(line)
                rows += 1
                if rows == ROWS:
                    places.append((start, at, rows))
                    start, rows = at, 0
            if rows:
                places.append((start, at, rows))
        units = tuple(
            Unit(number, number * ROWS, rows, start, stop) for number, (start, stop, rows) in enumerate(places)
        )
        whole = cls(path, kind, (), units)
        if kind == "tsv":
            names = whole._decoded(header, 1).split("\t")
            if len(set(names)) < len(names):
                raise InputError(f"{path}: two columns have the same name; rename one")
            return cls(path, kind, tuple(names), units)
        first = next(whole.batches(units[0]))[1] if units else {}
        return cls(path, kind, tuple(first), units)

    def batches(self, unit: Unit) -> Iterator[tuple[int, Batch]]:
        """The rows as a dict of lists, with the number of the first row, from 0."""
        with readable(self.path), open_binary(self.path) as file:
            file.seek(unit.start)
            lines = file.read(unit.stop - unit.start).removesuffix(b"\n").split(b"\n")
        before = unit.first + (2 if self.kind == "tsv" else 1)
        rows = [self._row(line, number) for number, line in enumerate(lines, start=before)]
        if self.kind == "tsv":
            yield unit.first, {name: [row[i] for row in rows] for i, name in enumerate(self.names)}
        else:
            names = dict.fromkeys(name for row in rows for name in row)
            yield unit.first, {name: [row.get(name) for row in rows] for name in names}

    def _row(self, line: bytes, number: int) -> Any:
        text = self._decoded(line, number)
        if self.kind == "jsonl":
            return _object(text, f"{self.path}: line {number}")
        cells = text.split("\t")
        if len(cells) != len(self.names):
            raise InputError(f"{self.path}: line {number} has {len(cells)} columns, the header {len(self.names)}")
        return cells

    def _decoded(self, line: bytes, number: int) -> str:
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise InputError(f"{self.path}: line {number} is not UTF-8; convert the file") from None


def write_texts(path: Path, kind: TextKind, batches: Iterable[Batch]) -> None:
    """Write batches, whole or not at all."""
    write_files({path: _lines(kind, batches)})


def join_texts(parts: Sequence[Path], path: Path, kind: TextKind) -> None:
    """All parts as one file; of TSV, the names stand once."""

    def lines() -> Iterator[str]:
        names = None
        for part in parts:
            read = read_lines(part)
            if kind == "tsv":
                header = next(read)
                if names not in (None, header):
                    raise InputError(f"cannot write {path}: rows have different columns; write .jsonl")
                if names is None:
                    yield header
                names = header
            yield from read

    write_files({path: lines()})


def _lines(kind: TextKind, batches: Iterable[Batch]) -> Iterator[str]:
    names: list[str] | None = None
    for batch in batches:
        columns = {name: values_of(batch, name) for name in names_of(batch)}
        rows = zip(*columns.values(), strict=True)
        if kind == "jsonl":
            yield from (_json(dict(zip(columns, row, strict=True))) for row in rows)
            continue
        if names is None:
            names = list(columns)
            yield "\t".join(map(_cell, names))
        if names != list(columns):
            raise InputError("rows have different columns, which TSV cannot hold; write .jsonl")
        yield from ("\t".join(map(_cell, row)) for row in rows)


def _json(row: dict[str, Any]) -> str:
    try:
        text = json.dumps(row, ensure_ascii=False, allow_nan=False)
        # Half of a surrogate pair stays escaped, as it was.
        return text if text.isascii() or is_unicode(text) else json.dumps(row, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"a row cannot be written as JSON: {error}") from None


def _cell(value: Any) -> str:
    if isinstance(value, list | dict | tuple):
        raise InputError("a column holds lists, which TSV cannot hold; write .jsonl or .parquet")
    text = "" if value is None else str(value)
    if any(sign in text for sign in "\t\n\r"):
        raise InputError("a text holds a tab or a line break, which TSV cannot hold; write .jsonl or .parquet")
    if not (text.isascii() or is_unicode(text)):
        raise InputError("a text holds half of a surrogate pair, which TSV cannot hold; write .jsonl")
    return text


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line, object_pairs_hook=lambda pairs: _distinct(pairs, where))
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON: {getattr(error, 'msg', error)}") from None
    if not isinstance(value, dict):
        raise InputError(f'{where}: expected an object, such as {{"source": "...", "hypothesis": "..."}}')
    return value


def _distinct(pairs: list[tuple[str, Any]], where: str) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise InputError(f"{where}: a key stands twice in one object")
    return row
