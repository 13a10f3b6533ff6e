"""What scoring systems gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from gecval.errors import InputError
from gecval.formats import write_files
from gecval.metrics.base import Array
from gecval.metrics.error_types import Detail
from gecval.results.result import Result, ResultSequence
from gecval.stats import Interval, Resampling
from gecval.studies.scores.passport import ScoreStatistics


@dataclass(frozen=True, kw_only=True)
class Score:
    """One system's score under one metric, and all that is needed to get it again.

    ``interval`` and its confidence ``level`` are None where no interval was asked for. ``sentences`` holds the score of
    every sentence where that was asked for. So do ``ranks``, the best and the worst rank that chance allows, and
    ``cluster``, the number of the group of systems that are not significantly different; 1 is the best group.
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
class Scores(ResultSequence[Score]):
    """Scores of systems under metrics: a sequence of ``Score``, system after system.

    ``statistics`` are what the scores were computed from, for files; they are no part of the JSON.

    Examples
    --------
    >>> import gecval
    >>> scores = gecval.evaluate(["He go home ."], ["He goes home ."], [["He goes home ."]], metrics=["gleu", "ld"])
    >>> scores["hypothesis", "gleu"].score, len(scores)
    (1.0, 2)
    """

    kind: ClassVar[str] = "scores"
    view: ClassVar[str] = "score_tables"
    main: ClassVar[str] = "scores"
    hidden: ClassVar[tuple[str, ...]] = ("statistics",)

    scores: tuple[Score, ...]
    statistics: ScoreStatistics | None = field(default=None, compare=False)

    def save_passport(self, path: str | Path) -> None:
        """Write a passport: the statistics from which ``gecval.verify`` computes everything again, without the data.

        Metrics that name code, files or addresses have no passport, and neither have contests of systems.
        """
        write_files({Path(path): self._known_statistics().passport_lines()})

    def save_part(self, path: str | Path, *, shard: tuple[int, int] = (1, 1), totals: Resampling | None = None) -> None:
        """Write the statistics for ``gecval.merge``: the corpus is one part of a larger one.

        Parameters
        ----------
        path
            The file to write.
        shard
            Which part it is: ``(2, 8)`` is the second of eight. Intervals and tests are those of the whole corpus, so
            score a part without ``resampling``.
        totals
            Save sums only, and those of so many Poisson resamples: for corpora whose rows are too many to be gathered.
        """
        write_files({Path(path): self._known_statistics().part_lines(shard, totals)})

    def _known_statistics(self) -> ScoreStatistics:
        if self.statistics is None:
            raise InputError("these scores were put together, and have no statistics: save each of them before that")
        return self.statistics

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.system for score in self.scores))

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.metric for score in self.scores))

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


# What scoring by type of error gives.


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
    view: ClassVar[str] = "type_score_tables"
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
    view: ClassVar[str] = "type_recall_tables"
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
    view: ClassVar[str] = "category_tables"
    main: ClassVar[str] = "systems"

    metric: str
    systems: tuple[SystemErrors, ...]
