"""What setting metrics against people gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gecval.results.result import Result
from gecval.stats.correlation import Coefficient, Correlation
from gecval.stats.resampling import Array, Interval, MaybeUndefined
from gecval.studies.human.ranking import JudgmentCounts, Method, Ranking
from gecval.studies.human.system_scores import SentenceAccuracy


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
    ``p_corrected`` are the p-values of the coefficients, corrected for the number of metrics by Holm's method.
    """

    judgments: str
    target: Method
    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    p_corrected: Mapping[Coefficient, MaybeUndefined] = field(default_factory=dict)
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
    view: ClassVar[str] = "human_tables"
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


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """The correlation with people at each weight, at the best one, and with weights chosen on other systems."""

    correlations: Array
    oracle: MaybeUndefined
    oracle_weight: float
    cross_validated: MaybeUndefined
    cross_validated_weights: Array

    @property
    def reference_based_alone(self) -> float:
        """The correlation at λ = 1."""
        return float(self.correlations[-1])

    @property
    def reference_less_alone(self) -> float:
        """The correlation at λ = 0."""
        return float(self.correlations[0])

    @property
    def cross_validated_range(self) -> tuple[float, float]:
        """The smallest and the largest weight that cross-validation chose."""
        return float(self.cross_validated_weights.min()), float(self.cross_validated_weights.max())
