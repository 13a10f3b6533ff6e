"""Expected wins as an evaluation like any other: systems meet on every sentence, and wins and losses add up.

So expected wins have intervals, paired tests, ranks and deciding sentences, from the same code as every score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.metrics.goto_pool import Pool
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.stats.contest import CONTESTS, Contest, check_contestants, duels, expected_wins_of


@dataclass(frozen=True, repr=False)
class Duels(Metric):
    """A row says whom a system beats on a sentence, and to whom it loses, under the contested metric."""

    contested: Metric
    rivals: str  # the hash of all outputs: who the others are decides the score

    name: ClassVar[str] = "duels"
    summary: ClassVar[str] = "expected wins against the other systems"
    paper: ClassVar[str] = "Bojar et al. 2013"
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        raise InputError("a duel takes all systems at once")

    def score(self, totals: Array) -> Array:
        return expected_wins_of(totals)

    def __repr__(self) -> str:
        return repr(self.contested)


@dataclass(frozen=True)
class Duellist(Evaluation):
    """A system among its rivals, of which it is number ``place``. A sentence has the contested metric's own score."""

    place: int = 0
    sentence_scores_of_metric: Array | None = None

    def sentence_scores(self) -> Array:
        assert self.sentence_scores_of_metric is not None
        return self.sentence_scores_of_metric

    def over(self, sentences: np.typing.NDArray[np.int64]) -> Duellist:
        kept = replace(self, statistics=self.statistics.take(sentences))
        return replace(kept, sentence_scores_of_metric=self.sentence_scores()[sentences])

    def beside(self, other: Evaluation) -> Evaluation:
        """Where two systems swap their outputs, they swap their places among the rivals too."""
        assert isinstance(other, Duellist)
        size = self.statistics.rows.shape[1] // 2
        columns = np.arange(2 * size)
        for half in (0, size):
            columns[[half + self.place, half + other.place]] = half + other.place, half + self.place
        swapped = replace(other.statistics, rows=np.ascontiguousarray(other.statistics.rows[:, columns]))
        return super().beside(replace(other, statistics=swapped))


def evaluations_of(
    metric: Metric, corpus: Corpus, systems: Sequence[System], aggregate: Aggregate | Contest, *, jobs: int = 1
) -> list[Evaluation]:
    """Every system under a metric, so that scores can be tested; with ``expected-wins``, against each other."""
    if aggregate == "corpus" or aggregate == "mean":
        return [Evaluation.of(metric, corpus, system, aggregate=aggregate, jobs=jobs) for system in systems]
    if aggregate != "expected-wins":
        raise InputError(_refusal(aggregate), parameter="aggregate")
    check_contestants(aggregate, [system.name for system in systems])
    own = [Evaluation.of(metric, corpus, system, jobs=jobs) for system in systems]
    scores = np.array([evaluation.sentence_scores() for evaluation in own])
    contest = Duels(metric, Pool(tuple(systems)).hash)
    return [
        Duellist(
            contest,
            Statistics.one_per_sentence(rows, evaluation.statistics.notes),
            jobs=jobs,
            system=evaluation.system,
            place=place,
            sentence_scores_of_metric=scores[place],
        )
        for place, (rows, evaluation) in enumerate(zip(duels(metric.direction * scores.T), own, strict=True))
    ]


def _refusal(aggregate: str) -> str:
    if aggregate in CONTESTS:
        return f"{aggregate} has no interval and no test; choose expected-wins"
    return f"aggregate is {', '.join(AGGREGATES)} or expected-wins, not {aggregate!r}"
