"""What explaining scores gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result
from gecval.stats.attribution import Method


@dataclass(frozen=True, kw_only=True)
class EditValue:
    """One edit of an output, and what it adds to the sentence's score. ``error`` is None where the value is exact."""

    start: int
    end: int
    original: str
    correction: str
    type: str
    value: float
    error: float | None = None


@dataclass(frozen=True, kw_only=True)
class ExplainedSentence:
    """One sentence under one metric: the values of its edits add up to ``score - source_score``. It counts from 1."""

    sentence: int
    system: str
    metric: str
    source: str
    hypothesis: str
    source_score: float
    score: float
    edits: tuple[EditValue, ...]


@dataclass(frozen=True, kw_only=True)
class TypeValue:
    """What the edits of one type add to the sentence scores on average, and how many of them add something."""

    system: str
    metric: str
    type: str
    edits: int
    mean: float
    helpful: int
    harmful: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Explanation(Result):
    """What every edit of every output adds under every metric."""

    kind: ClassVar[str] = "explanation"
    main: ClassVar[str] = "sentences"

    method: Method
    types: tuple[TypeValue, ...]
    sentences: tuple[ExplainedSentence, ...]
    signatures: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[ExplainedSentence]:
        return iter(self.sentences)
