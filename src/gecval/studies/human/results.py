"""What setting metrics against people finds."""

from __future__ import annotations

from dataclasses import dataclass

from gecval.stats.correlation import Coefficient, Correlation
from gecval.stats.resampling import Interval
from gecval.studies.human.interpolation import Sweep
from gecval.studies.human.ranking import JudgmentCounts, Method, Ranking
from gecval.studies.human.sentences import SentenceAccuracy


@dataclass(frozen=True)
class SystemScore:
    """One system as people and as a metric see it."""

    system: str
    human: float
    human_interval: Interval
    metric: float
    metric_interval: Interval | None


@dataclass(frozen=True)
class Window:
    """A metric's correlation over systems that follow each other in the human ranking, from place ``first`` on."""

    first: int
    systems: tuple[str, ...]
    pearson: float
    spearman: float


@dataclass(frozen=True)
class HumanCorrelation:
    """One metric against one human ranking, over systems."""

    judgments: str
    target: Method
    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    systems: tuple[SystemScore, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics against the same human scores: the difference of their Pearson correlations, and two tests of it."""

    judgments: str
    target: Method
    metric: str
    other: str
    difference: float
    williams_p: float
    permutation_p: float


@dataclass(frozen=True)
class HybridSweep:
    """interpolated(R, G, λ) of two metrics for all λ, against one human ranking by one coefficient."""

    judgments: str
    target: Method
    with_references: str
    without: str
    coefficient: Coefficient
    swept: Sweep


@dataclass(frozen=True)
class HumanStudy:
    """What people say in some sets of judgments, and which metrics agree; all intervals are of one ``level``."""

    level: float
    counts: tuple[JudgmentCounts, ...]
    rankings: tuple[Ranking, ...]
    correlations: tuple[HumanCorrelation, ...] = ()
    comparisons: tuple[MetricComparison, ...] = ()
    accuracies: tuple[SentenceAccuracy, ...] = ()
    hybrids: tuple[HybridSweep, ...] = ()
    notes: tuple[str, ...] = ()
