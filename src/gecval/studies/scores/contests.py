"""Systems against each other: they meet on every sentence, and under a metric the better sentence score wins.

expected-wins    wins and losses add up over sentences, so this is a metric like any other: it has intervals, paired
                 tests, ranks and deciding sentences, from the same code
trueskill        each meeting moves the skills of two systems, so there is a skill and nothing to resample
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, PageFormula, Statistics
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.metrics.system_pool import hash_outputs
from gecval.results.signature import Signature
from gecval.runtime.run import SERIAL, Run
from gecval.stats.ranking import CONTESTS, ORDERS, Contest, check_two_systems, duels, expected_wins_from_duels, skills
from gecval.studies.scores.result import Score


def evaluate_systems(
    metric: Metric, corpus: Corpus, systems: Sequence[System], aggregate: Aggregate | Contest, *, run: Run = SERIAL
) -> list[Evaluation]:
    """Every system under a metric, so that scores can be tested; with ``expected-wins``, against each other."""
    if aggregate == "corpus" or aggregate == "mean":
        return [Evaluation.of(metric, corpus, system, aggregate=aggregate, run=run.quiet()) for system in systems]
    if aggregate == "expected-wins":
        return [*ExpectedWins(metric, tuple(systems)).evaluate_all(corpus, run=run)]
    if aggregate in CONTESTS:
        raise InputError(f"{aggregate} has no interval and no test; choose expected-wins", parameter="aggregate")
    raise InputError(f"aggregate is {', '.join(AGGREGATES)} or expected-wins, not {aggregate!r}", parameter="aggregate")


@dataclass(frozen=True, repr=False)
class ExpectedWins(Metric):
    """The wins of a system against other ``systems`` under the ``contested`` metric.

    A row says whom the system beats on a sentence, and to whom it loses.
    """

    contested: Metric
    systems: tuple[System, ...]

    name: ClassVar[str] = "expected-wins"
    summary: ClassVar[str] = "expected wins against the other systems"
    paper: ClassVar[str] = "Bojar et al. 2013"
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        """The rows of one of the systems. To find them, all systems are scored: ask for all at once."""
        evaluations = {evaluation.system: evaluation for evaluation in self.evaluate_all(corpus, run=run)}
        if system.name not in evaluations:
            raise InputError(f"{system.name} is none of the systems that meet", parameter="systems")
        return evaluations[system.name].statistics

    def evaluate_all(self, corpus: Corpus, *, run: Run = SERIAL) -> list[ExpectedWinsEvaluation]:
        """Every system against all others."""
        check_two_systems("expected-wins", [system.name for system in self.systems])
        own = [Evaluation.of(self.contested, corpus, system, run=run.quiet()) for system in self.systems]
        scores = np.array([evaluation.sentence_scores() for evaluation in own])
        rivals = hash_outputs(self.systems)
        return [
            ExpectedWinsEvaluation(
                metric=self,
                statistics=Statistics.one_per_sentence(rows, evaluation.statistics.notes),
                run=run,
                system=evaluation.system,
                place=place,
                rivals=rivals,
                contested_scores=scores[place],
            )
            for place, (rows, evaluation) in enumerate(
                zip(duels(self.contested.direction * scores.T), own, strict=True)
            )
        ]

    def score(self, totals: Array) -> Array:
        return expected_wins_from_duels(totals)

    def page_formula(self) -> PageFormula | None:
        return {"name": "expectedWins"}

    @property
    def exact_on_subsets(self) -> bool:
        return self.contested.exact_on_subsets

    def __repr__(self) -> str:
        return repr(self.contested)


@dataclass(frozen=True, kw_only=True)
class ExpectedWinsEvaluation(Evaluation):
    """A system among its rivals, of which it is number ``place``. A sentence has the contested metric's own score."""

    metric: ExpectedWins
    place: int
    rivals: str  # a hash of all outputs
    contested_scores: Array

    @property
    def signed_metric(self) -> Metric:
        """The metric that decides who wins."""
        return self.metric.contested

    @property
    def signed_aggregate(self) -> str:
        """It names the rivals: who the others are decides the score."""
        return f"expected-wins|rivals:{self.rivals}"

    def sentence_scores(self) -> Array:
        return self.contested_scores

    def over(self, sentences: NDArray[np.int64]) -> ExpectedWinsEvaluation:
        kept = self.statistics.take(sentences)
        return replace(self, statistics=kept, contested_scores=self.contested_scores[sentences])

    def concatenate(self, other: Evaluation) -> Evaluation:
        """Where two systems swap their outputs, they swap their places among the rivals too."""
        assert isinstance(other, ExpectedWinsEvaluation)
        size = self.statistics.rows.shape[1] // 2
        columns = np.arange(2 * size)
        for half in (0, size):
            columns[[half + self.place, half + other.place]] = half + other.place, half + self.place
        swapped = replace(other.statistics, rows=np.ascontiguousarray(other.statistics.rows[:, columns]))
        return super().concatenate(replace(other, statistics=swapped))


def skill_scores(
    metric: Metric,
    corpus: Corpus,
    systems: Sequence[System],
    contest: Contest,
    *,
    sentences: bool = False,
    run: Run = SERIAL,
) -> list[Score]:
    """The TrueSkill of every system in a contest with the others."""
    check_two_systems(contest, [system.name for system in systems])
    evaluations = [Evaluation.of(metric, corpus, system, run=run.quiet()) for system in systems]
    scores = np.array([evaluation.sentence_scores() for evaluation in evaluations])
    judged = np.all([metric.has_score(evaluation.statistics) for evaluation in evaluations], axis=0)
    rated = skills((metric.direction * scores.T)[judged], contest, run=run)
    # Who the others are decides the score, and so do the orders.
    aggregate = f"{contest}({ORDERS})" if contest == "trueskill" else contest
    aggregate += f"|rivals:{hash_outputs(systems)}"
    return [
        Score(
            system=system.name,
            metric=repr(metric),
            score=skill.mu,
            parts={"spread": skill.spread} if contest == "trueskill" else {},
            signature=str(Signature.of(metric, corpus, aggregate, systems=[system])),
            notes=evaluation.statistics.notes,
            sentences=of_sentences if sentences else None,
        )
        for system, evaluation, skill, of_sentences in zip(systems, evaluations, rated, scores, strict=True)
    ]
