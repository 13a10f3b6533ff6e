"""What the studies of under-correction give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result
from gecval.studies.undercorrection.changes import THRESHOLDS, Changes
from gecval.studies.undercorrection.error_types import FrequencyCorrelation, TypeRatio


@dataclass(frozen=True, kw_only=True, repr=False)
class UnderCorrection(Result):
    """How much the reference and the systems change: a sequence of ``Changes``, the reference first.

    ``types`` and ``extractor`` (what named the types) are empty where types were not asked for. ``correlation`` is None
    where there are too few types.
    """

    kind: ClassVar[str] = "undercorrection"
    main: ClassVar[str] = "correctors"

    annotator: int
    sentences: int
    order_thresholds: tuple[float, ...] = THRESHOLDS
    correctors: tuple[Changes, ...]
    extractor: str = ""
    types: tuple[TypeRatio, ...] = ()
    correlation: FrequencyCorrelation | None = None

    def __len__(self) -> int:
        return len(self.correctors)

    def __iter__(self) -> Iterator[Changes]:
        return iter(self.correctors)

    def __getitem__(self, index: int) -> Changes:
        return self.correctors[index]


@dataclass(frozen=True, kw_only=True)
class Reranked:
    """What the oracle does with M references: means over repetitions.

    ``score`` is the mean over sentences. ``sentences[k]`` is the number of sentences with k words changed, in the last
    place k or more. ``gained[k]`` is how many more they are than with the fewest references.
    """

    derived: ClassVar[tuple[str, ...]] = ("unchanged",)

    references: int
    score: float
    word_changes: float
    sentences: tuple[float, ...]
    gained: tuple[float, ...]

    @property
    def unchanged(self) -> float:
        return self.sentences[0]


@dataclass(frozen=True, kw_only=True, repr=False)
class Reranking(Result):
    """An oracle's choices with more and more references: a sequence of ``Reranked``."""

    kind: ClassVar[str] = "reranking"
    main: ClassVar[str] = "choices"

    metric: str
    candidates: tuple[str, ...]
    repetitions: int
    seed: int
    choices: tuple[Reranked, ...]
    signature: str
    higher_is_better: bool = True

    def __len__(self) -> int:
        return len(self.choices)

    def __iter__(self) -> Iterator[Reranked]:
        return iter(self.choices)

    def __getitem__(self, index: int) -> Reranked:
        return self.choices[index]
