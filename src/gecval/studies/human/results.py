"""What setting metrics against people gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gecval.result import MaybeUndefined, Result
from gecval.stats.correlation import Coefficient, Correlation
from gecval.stats.resampling import Interval
from gecval.studies.human.interpolation import Sweep
from gecval.studies.human.ranking import JudgmentCounts, Method, Ranking
from gecval.studies.human.sentences import SentenceAccuracy


@dataclass(frozen=True, kw_only=True)
class SystemScore:
    """One system's score by people and by a metric."""

    system: str
    human: float
    human_interval: Interval
    metric: float
    metric_interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class Window:
    """A metric's correlation over neighbours in the human ranking, from place ``first`` on."""

    first: int
    systems: tuple[str, ...]
    pearson: MaybeUndefined
    spearman: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class HumanCorrelation:
    """One metric against one human ranking (``target``), over systems.

    Where lower scores are better, correlations are those of the negated score, so that agreement is always positive.
    """

    judgments: str
    target: Method
    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    systems: tuple[SystemScore, ...]
    windows: tuple[Window, ...] = ()
    signature: str
    higher_is_better: bool = True


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """Two metrics against the same human scores: the difference of their Pearson correlations, and two tests of it."""

    judgments: str
    target: Method
    metric: str
    other: str
    difference: MaybeUndefined
    williams_p: MaybeUndefined
    permutation_p: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class HybridSweep:
    """interpolated(R, G, λ) of two metrics for all λ, against one human ranking by one coefficient."""

    judgments: str
    target: Method
    with_references: str
    without: str
    coefficient: Coefficient
    swept: Sweep


@dataclass(frozen=True, kw_only=True, repr=False)
class HumanResult(Result):
    """How people rank systems in some sets of judgments, and which metrics agree with them.

    All intervals have one confidence ``level``. Without metrics there are rankings only.
    """

    kind: ClassVar[str] = "human"
    main: ClassVar[str] = "rows"

    level: float
    judgments: tuple[JudgmentCounts, ...]
    rankings: tuple[Ranking, ...]
    correlations: tuple[HumanCorrelation, ...] = ()
    accuracies: tuple[SentenceAccuracy, ...] = ()
    comparisons: tuple[MetricComparison, ...] = ()
    hybrids: tuple[HybridSweep, ...] = ()

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The rows of ``to_frame``: a row per metric and ranking or, without metrics, per ranked system."""
        if self.correlations:
            names = ("judgments", "target", "metric", "pearson", "spearman", "kendall", "signature")
            return [{name: getattr(correlation, name) for name in names} for correlation in self.correlations]
        return [
            {"judgments": ranking.judgments, "method": ranking.method, **vars(standing)}
            for ranking in self.rankings
            for standing in ranking.systems
        ]
