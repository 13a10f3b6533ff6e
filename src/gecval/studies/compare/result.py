"""What comparing systems gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.stats import Interval
from gecval.stats.paired import Correction, Family, Test
from gecval.studies.scores.result import Score

SIGNIFICANT = 0.05


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A system against the baseline under one metric: the difference, its interval, and tests of it.

    ``p`` is that of the ``test`` that counts: ``p_studentised``, or the ``larger`` of the two others. Where a
    ``correction`` was asked for, it is corrected for the number of tests of the ``family``: all of one call, or those
    under one metric. ``type`` is the type of error that the scores are of, None for all errors.
    """

    derived: ClassVar[tuple[str, ...]] = ("significant",)

    metric: str
    baseline: str
    baseline_score: float
    system: str
    score: float
    difference: float
    interval: Interval
    level: float
    p_studentised: float
    p_bootstrap: float
    p_randomisation: float
    p: float
    test: Test = "studentised"
    correction: Correction = "none"
    family: Family = "all"
    type: str | None = None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True

    @property
    def significant(self) -> bool:
        """Whether p < 0.05, corrected where that was asked for."""
        return self.p < SIGNIFICANT

    @property
    def system_is_better(self) -> bool:
        """Whether the system scores better than the baseline, be it by chance."""
        return self.difference > 0 if self.higher_is_better else self.difference < 0


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparisons(ResultSequence[Comparison]):
    """Systems against a baseline: a sequence of ``Comparison``, metric after metric."""

    kind: ClassVar[str] = "comparisons"
    view: ClassVar[str] = "comparison_tables"
    main: ClassVar[str] = "comparisons"

    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class AllPairs(ResultSequence[Comparison]):
    """Every system against every other: who ranks where, and which differences are more than chance.

    ``scores`` go from best to worst under each metric, with ranges of ranks and clusters. In every comparison the
    system is the better of the two, and the baseline the other.
    """

    kind: ClassVar[str] = "all-pairs"
    view: ClassVar[str] = "all_pairs_tables"
    main: ClassVar[str] = "comparisons"

    correction: Correction
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]
