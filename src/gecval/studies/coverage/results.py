"""What the two studies of coverage give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result
from gecval.stats import Interval
from gecval.studies.coverage.annotators import AgainstPeople
from gecval.studies.coverage.break_even import BreakEven
from gecval.studies.coverage.perfect_system import PerfectScore
from gecval.studies.coverage.true_score import TrueScore
from gecval.studies.coverage.variants import Coverage, Threshold, Unit, VariantEstimate


@dataclass(frozen=True, kw_only=True)
class CrowdSummary:
    """Means over the sentences that a crowd corrected.

    ``variants`` is the least and the largest number of variants that would explain the corrections nearly as well.
    """

    corrections: float
    different: float
    variants: Interval


@dataclass(frozen=True, kw_only=True)
class SimulatedTestSet:
    """The test set on which a perfect system is scored."""

    sentences: int
    correct: int
    replacement: bool
    seed: int


@dataclass(frozen=True, kw_only=True, repr=False)
class CrowdCoverage(Result):
    """How many corrections sentences have, how much of them M references cover, and what a perfect system scores.

    ``summary`` and ``estimates`` are empty where histograms were given instead of corrections; ``scores`` and
    ``test_set`` where no metric was asked for.
    """

    kind: ClassVar[str] = "crowd-coverage"
    main: ClassVar[str] = "curve"

    sentences: int
    unit: Unit | None = None
    summary: CrowdSummary | None = None
    estimates: tuple[VariantEstimate, ...] = ()
    thresholds: tuple[Threshold, ...]
    curve: tuple[Coverage, ...]
    level: float
    test_set: SimulatedTestSet | None = None
    scores: tuple[PerfectScore, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.scores))


@dataclass(frozen=True, kw_only=True, repr=False)
class ReferenceCoverage(Result):
    """How much the references of a corpus cover, and what they hide from systems.

    ``coverage`` is the probability that a valid correction is among a sentence's references; ``range`` holds its values
    under all histograms that explain the references nearly as well. ``changed`` is the coverage of corrections that
    change the source (equation 7's p_coverage), ``unchanged`` that of leaving the source alone; each is None where no
    reference does so. ``to_halve`` is a lower and an upper estimate of how many more references would halve what is
    hidden; it is None where all references agree.

    ``level`` is that of all intervals. ``true_scores`` is empty where no systems were given, ``people`` where no
    metrics were.
    """

    kind: ClassVar[str] = "reference-coverage"
    main: ClassVar[str] = "true_scores"

    sentences: int
    references: int
    coverage: float
    range: Interval
    changed: float | None
    unchanged: float | None
    to_halve: Interval | None
    alpha: float
    break_even: tuple[BreakEven, ...]
    level: float
    true_scores: tuple[TrueScore, ...] = ()
    people: tuple[AgainstPeople, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.people))
