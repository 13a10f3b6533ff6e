"""What the search for the sentences that decide gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result
from gecval.stats.deciding import Until
from gecval.studies.scores.results import Comparison


@dataclass(frozen=True, kw_only=True)
class InfluentialSentence:
    """A sentence, from 1, and how far it moves the difference: the difference minus that without the sentence.

    ``decides`` says whether it is one of the deciding set. ``baseline_score`` and ``score`` are those of the sentence
    alone.
    """

    sentence: int
    influence: float
    decides: bool
    source: str
    baseline_hypothesis: str
    hypothesis: str
    baseline_score: float
    score: float


@dataclass(frozen=True, kw_only=True)
class DecidingPair:
    """A system against the baseline under one metric, and the sentences that decide between them.

    ``sentences`` are the numbers, from 1, of the smallest set found without which the verdict is another, the most
    influential first; None where none was found, empty where the two tie. ``difference_without`` is the difference over
    all others, and ``p_without`` its p where the verdict is whether p < 0.05. No set of fewer than ``at_least`` of all
    ``of`` sentences does it; ``proven_as_chosen`` says so of the set found, while every sentence keeps the reference
    that the score of the whole corpus chose. ``influential`` are the sentences that move the difference
    most, either way.
    """

    derived: ClassVar[tuple[str, ...]] = ("count", "proven", "verdict")

    metric: str
    baseline: str
    system: str
    difference: float
    higher_is_better: bool = True
    until: Until = "sign"
    sentences: tuple[int, ...] | None
    of: int
    difference_without: float | None
    p_without: float | None = None
    at_least: int
    proven_as_chosen: bool = False
    influential: tuple[InfluentialSentence, ...]

    @property
    def count(self) -> int | None:
        """How many sentences decide."""
        return None if self.sentences is None else len(self.sentences)

    @property
    def proven(self) -> bool:
        """Whether no smaller set exists; where none was found, whether there is none."""
        return self.at_least == (self.of if self.sentences is None else len(self.sentences))

    @property
    def better(self) -> str:
        """The name of the better system."""
        return self.system if (self.difference > 0) == self.higher_is_better else self.baseline

    @property
    def worse(self) -> str:
        return self.baseline if self.better == self.system else self.system

    @property
    def verdict(self) -> str:
        """In one sentence, how many sentences decide."""
        beaten = f"{self.better} no longer beats {self.worse}"
        if self.until == "significance":
            beaten = f"{self.better} no longer beats {self.worse} beyond chance"
        if self.count == 0:
            tie = f"{self.system} and {self.baseline} tie" if self.until == "sign" else "the difference may be chance"
            return f"no sentence decides: {tie}"
        if self.count is None:
            beats = beaten.replace("no longer ", "")
            return f"no sentences decide: {beats} without any of them" if self.proven else f"{beats}: no set turns this"
        decide, them = ("sentence of {:,} decides", "it") if self.count == 1 else ("of {:,} sentences decide", "them")
        return f"{self.count:,} {decide.format(self.of)}: without {them} {beaten}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Deciding(Result):
    """Systems against a baseline, and the sentences that decide between each two."""

    kind: ClassVar[str] = "deciding"
    main: ClassVar[str] = "pairs"

    pairs: tuple[DecidingPair, ...]
    comparisons: tuple[Comparison, ...]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[DecidingPair]:
        return iter(self.pairs)

    def __getitem__(self, index: int) -> DecidingPair:
        return self.pairs[index]
