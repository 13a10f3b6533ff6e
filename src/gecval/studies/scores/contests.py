"""Scores that systems have against each other, under one metric: expected wins and TrueSkill over sentence scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.goto_pool import Pool
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.contest import ORDERS, Contest, check_contestants, duels, expected_wins_of, skills
from gecval.studies.scores.results import Score
from gecval.studies.scores.signature import signature


@dataclass(frozen=True, repr=False)
class Duels(Metric):
    """Expected wins as statistics that add up: a row says whom a system beats on a sentence, and to whom it loses."""

    contested: Metric

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


def contest_scores(
    metric: Metric,
    corpus: Corpus,
    systems: Sequence[System],
    contest: Contest,
    *,
    resampling: Resampling | None = None,
    sentences: bool = False,
    jobs: int = 1,
) -> list[Score]:
    """The score of every system in a contest with the others. Intervals resample sentences."""
    check_contestants(contest, [system.name for system in systems])
    if resampling and contest != "expected-wins":
        raise InputError(f"{contest} has no interval; choose expected-wins", parameter=("aggregate", "confidence"))
    evaluations = [Evaluation.of(metric, corpus, system, jobs=jobs) for system in systems]
    scores = np.array([evaluation.sentence_scores() for evaluation in evaluations])
    better = metric.direction * scores.T
    results: list[tuple[float, dict[str, float]]]
    intervals: list[Interval | None] = [None] * len(systems)
    if contest == "expected-wins":
        matches = [
            Evaluation(Duels(metric), Statistics.one_per_sentence(rows), jobs=jobs, system=system.name)
            for rows, system in zip(duels(better), systems, strict=True)
        ]
        results = [(match.score(), {}) for match in matches]
        intervals = [bootstrap_interval(match, resampling) if resampling else None for match in matches]
    else:
        judged = np.all([metric.judged(evaluation.statistics) for evaluation in evaluations], axis=0)
        rated = skills(better[judged], contest, jobs=jobs)
        results = [(skill.mu, {"spread": skill.spread} if contest == "trueskill" else {}) for skill in rated]
    # Who the others are decides the score, and so do the orders.
    aggregate = f"{contest}({ORDERS})" if contest == "trueskill" else contest
    aggregate += f"|rivals:{Pool(tuple(systems)).hash}"
    return [
        Score(
            system=system.name,
            metric=repr(metric),
            score=value,
            parts=parts,
            interval=interval,
            level=resampling.level if resampling else None,
            signature=signature(metric, corpus, aggregate, resampling=resampling),
            notes=evaluation.statistics.notes,
            higher_is_better=True,
            sentences=of_sentences if sentences else None,
        )
        for system, evaluation, (value, parts), interval, of_sentences in zip(
            systems, evaluations, results, intervals, scores, strict=True
        )
    ]
