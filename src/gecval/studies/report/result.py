"""What the overview of a report gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from gecval.corpus import Corpus, System
from gecval.edits.matching import JudgedOutput, Outputs
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.result import Result
from gecval.results.table import DELIMITED, Table
from gecval.stats import Interval
from gecval.stats.paired_tests import Correction
from gecval.stats.ranking import Contest
from gecval.studies.compare.deciding import DecidingPair
from gecval.studies.compare.result import AllPairs, Comparison, all_pairs_tables
from gecval.studies.coverage.result import ReferenceCoverage, reference_tables
from gecval.studies.scores.result import Score, Scores, score_tables
from gecval.studies.undercorrection.study import Changes, UnderCorrection, undercorrection_tables


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

    ``systems`` are in the order of the overview; ``given`` has their names in the order in which they came.
    ``evaluations[m][s]`` is system *s* under metric *m*. ``corpus`` has the edits that the outputs are judged by.
    ``changes`` says how much references change: the first ones of all sentences, the second ones, and so on.
    """

    corpus: Corpus
    systems: Sequence[System]
    given: Sequence[str]
    metrics: Sequence[Metric]
    evaluations: Sequence[Sequence[Evaluation]]
    outputs: Outputs
    judged: Sequence[JudgedOutput]
    changes: Sequence[Changes]
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


# The overview as tables: the ranking and every pair, then types of errors and what was changed.


def overview_tables(result: Overview, style: str = "text") -> list[Table]:
    """What the verbs score, compare, undercorrection and coverage print. Programs get the scores."""
    if style in DELIMITED or not result.comparisons:
        scores = score_tables(Scores(scores=result.scores), style)
    else:
        pairs = AllPairs(correction=result.correction, scores=result.scores, comparisons=result.comparisons)
        scores = all_pairs_tables(pairs, style)
    if style in DELIMITED:
        return scores
    types = [_type_table(result)] if result.types else []
    changes = undercorrection_tables(result.changes, style) if result.changes else []
    hidden = reference_tables(result.coverage, style) if result.coverage else []
    return [*scores, *types, *changes, *hidden]


def _type_table(result: Overview) -> Table:
    table = Table(["system", "type", "right", "wrong", "missed", "unneeded", "F", "interval"], title="By type of error")
    table.rows = [
        [row.system, row.type, row.right, row.wrong, row.missed, row.unneeded, row.score, row.interval]
        for row in result.types or ()
    ]
    return table
