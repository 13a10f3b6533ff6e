"""Counts of errors made elsewhere, by a checker that not everybody has: lines of a count, a tab and the sentence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from gecval.errors import InputError
from gecval.formats.files import read_bytes, read_lines
from gecval.models.grammar import Finding

MOST_ERRORS = 1_000_000  # in a sentence


@dataclass(frozen=True)
class CountsFile:
    """A checker that only looks up how many errors a sentence has."""

    isolated: ClassVar[bool] = False
    language: ClassVar[str | None] = None  # any
    path: str

    @property
    def signature(self) -> str:
        return f"counts:{self._read()[0]}"

    def find(self, text: str) -> list[Finding]:
        _, counts = self._read()
        try:
            count = counts["".join(text.split())]
        except KeyError:
            raise InputError(f"{self.path} has no count for {text[:60]!r}") from None
        return [Finding(0, len(text), rule="counted", category="counted")] * count

    def _read(self) -> tuple[str, dict[str, int]]:
        return _read_counts(self.path, str(Path(self.path).resolve()))


@lru_cache
def _read_counts(path: str, resolved: str) -> tuple[str, dict[str, int]]:
    """A hash of the file, and counts by sentence without its blanks: tokenised or not, it is the same sentence."""
    file = Path(resolved)
    counts = {}
    for number, line in enumerate(read_lines(file), start=1):
        count, tab, sentence = line.partition("\t")
        digits = count.strip()
        if not (tab and digits.isdecimal() and len(digits) <= len(str(MOST_ERRORS)) and int(digits) <= MOST_ERRORS):
            raise InputError(f"{path}, line {number}: not a count, a tab and a sentence")
        counts["".join(sentence.split())] = int(digits)
    return hashlib.sha256(read_bytes(file)).hexdigest()[:8], counts
