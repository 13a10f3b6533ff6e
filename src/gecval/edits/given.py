"""Edits that come with the outputs: M2 files, one annotator each, made by whatever tool.

    gecval score AMU.txt -r gold.m2 -m 'cleme(edits="AMU.m2")'

An M2 file, or a folder of them, is an extractor like any other: it gives the edits that lead from a source to an
output. A file that lacks a pair is refused, so edits of other outputs are never taken by mistake.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from gecval.edit import Edit, apply_edits
from gecval.errors import InputError, shortened
from gecval.formats import load_corpus
from gecval.formats.files import exists, read_bytes, readable
from gecval.progress import Progress, silent

SUFFIXES = (".m2", ".m2.gz")
Pair = tuple[str, str]


def holds_given_edits(name: str) -> bool:
    """Whether a name is that of an M2 file, or of a folder with such files.

    >>> holds_given_edits("AMU.m2"), holds_given_edits("plain")
    (True, False)
    """
    path = Path(name)
    return name.endswith(SUFFIXES) or (exists(name) and path.is_dir() and bool(_files(path)))


@dataclass(frozen=True)
class GivenExtractor:
    """Edits as the M2 files have them."""

    path: str

    language: ClassVar[str | None] = None  # that of the texts

    @property
    def signature(self) -> str:
        return f"given:{_read(self.path)[1]}"

    def edits(self, pairs: Sequence[Pair], *, jobs: int = 1, progress: Progress = silent) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        known, _ = _read(self.path)
        return [self._of(known, " ".join(source.split()), " ".join(text.split())) for source, text in pairs]

    def _of(self, known: dict[Pair, tuple[Edit, ...]], source: str, text: str) -> tuple[Edit, ...]:
        if source == text:
            return known.get((source, text), ())
        if (source, text) not in known:
            raise InputError(f"{self.path} has no edits that make {shortened(text, 60)!r} of {shortened(source, 60)!r}")
        return known[source, text]


def _read(name: str) -> tuple[dict[Pair, tuple[Edit, ...]], str]:
    """The edits of each pair, and a hash of the files. Files that have changed are read again."""
    path = Path(name)
    with readable(path):
        files = _files(path) if path.is_dir() else [path]
        return _parsed(tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


@lru_cache(maxsize=32)
def _parsed(stamped: tuple[tuple[Path, int, int], ...]) -> tuple[dict[Pair, tuple[Edit, ...]], str]:
    """Of several annotators each gives a text of its own."""
    known: dict[Pair, tuple[Edit, ...]] = {}
    digest = hashlib.sha256()
    for file, *_ in stamped:
        digest.update(read_bytes(file))
        corpus = load_corpus(None, [file], missing="absent")
        for source, references in zip(corpus.sources, corpus.references, strict=True):
            tokens = source.split()
            for reference in references:
                edits = reference.edits or ()
                known.setdefault((" ".join(tokens), apply_edits(tokens, edits)), edits)
    return known, digest.hexdigest()[:8]


def _files(folder: Path) -> list[Path]:
    with readable(folder):
        return sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIXES))
