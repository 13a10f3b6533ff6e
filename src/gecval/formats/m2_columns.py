"""Plain M2 files, read on several threads into columns. All other M2 files are left to ``m2_parser``."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gecval._native import M2Reader
from gecval.formats.files import UNREADABLE, open_binary
from gecval.formats.m2_parser import alternatives, is_required
from gecval.references import ReferenceTable

BLOCK = 8 << 20  # bytes held at a time: a file may be larger than memory


class M2Columns(NamedTuple):
    """Sentences, the annotators who have a line for each, and the number of noop lines."""

    sources: list[str]
    table: ReferenceTable
    noops: int


def read_columns(path: Path, *, jobs: int, block: int = BLOCK) -> M2Columns | None:
    """The columns. None where the file is not plain or has an error: the parser reads it, or says what is wrong."""
    if not path.is_file():
        return None  # a pipe can be read only once
    reader = M2Reader()
    try:
        for text in _paragraphs(path, block):
            text.decode()  # refuses what is not UTF-8
            if b"\0" in text or not reader.read(text, jobs=jobs):
                return None
    except (*UNREADABLE, UnicodeDecodeError):
        return None
    if not reader.sources:
        return None
    slots, ends, annotators, edits, corrections, types, required, names = reader.columns()
    edits[:, 4] = np.array([is_required(text) for text in required], dtype=np.int32)[edits[:, 4]]
    table = ReferenceTable(
        slots=slots,
        spans=np.stack([ends[:-1], ends[1:]], axis=1),
        annotators=annotators,
        edits=edits,
        corrections=[alternatives(text) for text in corrections],
        types=types,
        names=names,
        sources=reader.sources,
    )
    return M2Columns(reader.sources, table, reader.noops)


def _paragraphs(path: Path, block: int) -> Iterator[bytes]:
    """The file in blocks that end before an empty line."""
    with open_binary(path) as file:
        rest = file.read(block).removeprefix(BOM_UTF8)
        # Where no line is empty the rest grows; reading as much again keeps the copying in bounds.
        while more := file.read(max(block, len(rest))):
            end = max(rest.rfind(b"\n\n"), rest.rfind(b"\n\r\n")) + 1
            yield rest[:end]
            rest = rest[end:] + more
        yield rest
