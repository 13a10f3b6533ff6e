"""What scoring and comparing systems gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gecval.errors import InputError
from gecval.metrics.base import Array
from gecval.result import Result
from gecval.stats import Interval
from gecval.stats.multiple import Correction

SIGNIFICANT = 0.05


@dataclass(frozen=True, kw_only=True)
class Score:
    """One system's score under one metric, and all that is needed to get it again.

    ``interval`` and its confidence ``level`` are None where no interval was asked for. ``sentences`` holds the score of
    every sentence where that was asked for. So do ``ranks``, the best and the worst rank that chance allows, and
    ``cluster``, the number of the group of systems that cannot be told apart; 1 is the best group.
    """

    system: str
    metric: str
    score: float
    parts: Mapping[str, float]
    interval: Interval | None = None
    level: float | None = None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True
    sentences: Array | None = None
    ranks: tuple[int, int] | None = None
    cluster: int | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Scores(Result):
    """Scores of systems under metrics: a sequence of ``Score``, system after system.

    Examples
    --------
    >>> import gecval
    >>> scores = gecval.evaluate(["He go home ."], ["He goes home ."], [["He goes home ."]], metrics=["gleu", "ld"])
    >>> scores["hypothesis", "gleu"].score, len(scores)
    (1.0, 2)
    """

    kind: ClassVar[str] = "scores"
    main: ClassVar[str] = "scores"

    scores: tuple[Score, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.system for score in self.scores))

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.scores))

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __getitem__(self, key: int | tuple[str, str]) -> Score:
        """The n-th score, or that of a system under a metric."""
        if isinstance(key, int):
            return self.scores[key]
        for score in self.scores:
            if (score.system, score.metric) == tuple(key):
                return score
        raise KeyError(f"no score of {key}; systems: {', '.join(self.systems)}; metrics: {', '.join(self.metrics)}")

    def with_more(self, more: Scores) -> Scores:
        """These scores and more, of other systems or metrics."""
        both = self.scores + more.scores
        if len({(score.system, score.metric) for score in both}) < len(both):
            raise InputError("the two results score the same system under the same metric")
        return Scores(scores=both, notes=tuple(dict.fromkeys(self.notes + more.notes)))


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A system against the baseline under one metric: the difference, its interval, and two tests of it.

    ``p`` is the larger of the two p-values, corrected for the number of comparisons under the metric where a
    ``correction`` was asked for. ``type`` is the type of error that the scores are of, None for all errors.
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
    p_bootstrap: float
    p_randomisation: float
    p: float
    correction: Correction = "none"
    type: str | None = None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True

    @property
    def significant(self) -> bool:
        """Whether both tests give p < 0.05, corrected where that was asked for."""
        return self.p < SIGNIFICANT

    @property
    def system_is_better(self) -> bool:
        """Whether the system scores better than the baseline, be it by chance."""
        return self.difference > 0 if self.higher_is_better else self.difference < 0


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparisons(Result):
    """Systems against a baseline: a sequence of ``Comparison``, metric after metric."""

    kind: ClassVar[str] = "comparisons"
    main: ClassVar[str] = "comparisons"

    comparisons: tuple[Comparison, ...]

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        return self.comparisons[index]


@dataclass(frozen=True, kw_only=True, repr=False)
class AllPairs(Result):
    """Every system against every other: who ranks where, and which differences are more than chance.

    ``scores`` go from best to worst under each metric, with ranges of ranks and clusters. In every comparison the
    system is the better of the two, and the baseline the other.
    """

    kind: ClassVar[str] = "all-pairs"
    main: ClassVar[str] = "comparisons"

    correction: Correction
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        return self.comparisons[index]
