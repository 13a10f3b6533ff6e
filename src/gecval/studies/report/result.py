"""What the overview of a report gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from gecval.corpus import Corpus, System
from gecval.edits.judging import JudgedOutput, Outputs
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.result import Result
from gecval.stats import Interval
from gecval.stats.paired import Correction
from gecval.stats.ranking import Contest
from gecval.studies.compare.deciding import DecidingPair
from gecval.studies.compare.result import Comparison
from gecval.studies.coverage.result import ReferenceCoverage
from gecval.studies.scores.result import Score
from gecval.studies.undercorrection.study import UnderCorrection


@dataclass(frozen=True, kw_only=True)
class TypeOutcome:
    """How a system fares with errors of one type under ERRANT. Wrong and unneeded edits are its false positives."""

    system: str
    type: str
    right: int
    wrong: int
    missed: int
    unneeded: int
    precision: float
    recall: float
    score: float
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Material:
    """What the numbers of an overview are made of: texts, edits, and the statistics of every sentence.

    ``systems`` are in the order of the overview. ``evaluations[m][s]`` is system *s* under metric *m*. ``corpus`` has
    the edits that the outputs are judged by.
    """

    corpus: Corpus
    systems: Sequence[System]
    metrics: Sequence[Metric]
    evaluations: Sequence[Sequence[Evaluation]]
    outputs: Outputs
    judged: Sequence[JudgedOutput]
    influences: Sequence[Array]  # of every sentence, for each of the deciding pairs
    resamples: int  # of every interval and test


@dataclass(frozen=True, kw_only=True, repr=False)
class Overview(Result):
    """Systems on one corpus: scores, tests, types of errors, changes, and what the references hide.

    ``systems`` go from best to worst under the first metric. ``comparisons`` are of every pair, the better system
    first; they are empty where there is only one system or one sentence. ``deciding`` is of few pairs under each
    metric. ``types`` is None without ``errant`` among the metrics, ``changes`` without references, ``coverage`` where
    a sentence has fewer than two. ``commands`` print the same tables. ``material`` is what a page shows sentence by
    sentence; it is no part of the JSON.
    """

    kind: ClassVar[str] = "overview"
    view: ClassVar[str] = "overview_tables"
    main: ClassVar[str] = "scores"
    hidden: ClassVar[tuple[str, ...]] = ("material",)

    verdict: tuple[str, ...]
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    aggregate: Aggregate | Contest
    sentences: int
    references: str
    language: str | None
    correction: Correction
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]
    types: tuple[TypeOutcome, ...] | None = None
    deciding: tuple[DecidingPair, ...] = ()
    changes: UnderCorrection | None = None
    coverage: ReferenceCoverage | None = None
    commands: tuple[str, ...] = ()
    material: Material = field(compare=False)
