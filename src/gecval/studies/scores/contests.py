"""TrueSkill over sentence scores: systems meet on every sentence, and each meeting moves their skills."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.goto_pool import Pool
from gecval.stats.contest import ORDERS, Contest, check_contestants, skills
from gecval.studies.scores.results import Score
from gecval.studies.scores.signature import signature


def skill_scores(
    metric: Metric,
    corpus: Corpus,
    systems: Sequence[System],
    contest: Contest,
    *,
    sentences: bool = False,
    jobs: int = 1,
) -> list[Score]:
    """The skill of every system in a contest with the others."""
    check_contestants(contest, [system.name for system in systems])
    evaluations = [Evaluation.of(metric, corpus, system, jobs=jobs) for system in systems]
    scores = np.array([evaluation.sentence_scores() for evaluation in evaluations])
    judged = np.all([metric.judged(evaluation.statistics) for evaluation in evaluations], axis=0)
    rated = skills((metric.direction * scores.T)[judged], contest, jobs=jobs)
    # Who the others are decides the score, and so do the orders.
    aggregate = f"{contest}({ORDERS})" if contest == "trueskill" else contest
    aggregate += f"|rivals:{Pool(tuple(systems)).hash}"
    return [
        Score(
            system=system.name,
            metric=repr(metric),
            score=skill.mu,
            parts={"spread": skill.spread} if contest == "trueskill" else {},
            signature=signature(metric, corpus, aggregate, systems=[system]),
            notes=evaluation.statistics.notes,
            sentences=of_sentences if sentences else None,
        )
        for system, evaluation, skill, of_sentences in zip(systems, evaluations, rated, scores, strict=True)
    ]
