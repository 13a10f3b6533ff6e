"""What scoring by type of error gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gecval.metrics.errant_types import Detail
from gecval.result import Result
from gecval.stats import Interval


@dataclass(frozen=True, kw_only=True)
class SystemTypeScore:
    """How a system fares with errors of one type. ``interval`` is None where no interval was asked for."""

    system: str
    type: str
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    score: float
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class TypeScores(Result):
    """Scores of systems under ERRANT, a row for each type of error."""

    kind: ClassVar[str] = "type-scores"
    main: ClassVar[str] = "types"

    metric: str
    detail: Detail
    level: float | None = None
    types: tuple[SystemTypeScore, ...]
    signature: str


@dataclass(frozen=True, kw_only=True)
class SystemTypeRecall:
    """How many gold edits of one type a system made, or touched.

    ``span`` also counts other corrections of the same words, ``overlap`` also edits that share a place. ``within`` are
    edits in word-order edits that ``m2(nested="estgec")`` adds, and counts as made.
    """

    derived: ClassVar[tuple[str, ...]] = ("recall", "span_recall", "overlap_recall")

    system: str
    type: str
    gold: int
    within: int
    correct: int
    span: int
    overlap: int

    @property
    def recall(self) -> float:
        return self._share(self.correct)

    @property
    def span_recall(self) -> float:
        return self._share(self.span)

    @property
    def overlap_recall(self) -> float:
        return self._share(self.overlap)

    def _share(self, made: int) -> float:
        return (made + self.within) / (self.gold + self.within)


@dataclass(frozen=True, kw_only=True, repr=False)
class TypeRecalls(Result):
    """Recall of systems under M², a row for each type of gold edit."""

    kind: ClassVar[str] = "type-recalls"
    main: ClassVar[str] = "types"

    metric: str
    detail: Detail
    types: tuple[SystemTypeRecall, ...]
    signature: str


@dataclass(frozen=True, kw_only=True)
class SystemErrors:
    """How many errors of each category a grammar checker finds in one output."""

    system: str
    categories: Mapping[str, int]


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorCategories(Result):
    """The errors that a grammar checker finds in outputs, by its categories."""

    kind: ClassVar[str] = "error-categories"
    main: ClassVar[str] = "systems"

    metric: str
    systems: tuple[SystemErrors, ...]
