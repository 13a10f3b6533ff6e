"""SEEDA as gec-metrics 0.1.2 meta-evaluates on it: what its published figures hang on besides the metric.

Over pairs p < q of systems in alphabetical order that people tell apart,

    accuracy = (pairs where the metric says p and people do, or does not say p and people say q) / pairs

So a tie of the metric counts for q: it is right or wrong by the alphabet. Scores are compared to the last bit. A
sentence's GLEU is not smoothed: it is 0 where one order of n-grams has no match. TrueSkill takes one pass over the
sentences in their order.
"""

from __future__ import annotations

import numpy as np

from gecval.formats.judgments import Judgments
from gecval.metrics.gleu import GLEU
from gecval.metrics.rules import mean_over_references
from gecval.stats.contest import skills
from gecval.stats.resampling import Array
from gecval.studies.human.system_scores import Evaluations

METRICS = ("green", "errant", 'gleu(form="paper")', 'gotoscorer(pool="none", form="gec-metrics")')


def library_sentence_scores(evaluations: Evaluations) -> Array:
    """[system, sentence]"""
    metric = evaluations.metric
    if not isinstance(metric, GLEU):
        return evaluations.sentence_scores()
    statistics = [evaluation.statistics for evaluation in evaluations.evaluations]
    return np.array([mean_over_references(metric.score(part.rows), part.offsets) for part in statistics])


def library_accuracy(judgments: Judgments, evaluations: Evaluations) -> float:
    """The share of people's preferences that the metric has too; its ties go by the alphabet."""
    names = sorted(evaluations.systems)
    scores = library_sentence_scores(evaluations.only(names)).T[judgments.sentences]
    human = judgments.preferences[:, [judgments.systems.index(name) for name in names]]
    agree = pairs = 0
    with np.errstate(invalid="ignore"):  # not every system is ranked in every item
        for p in range(len(names)):
            preferred, other = human[:, p, None] > human[:, p + 1 :], human[:, p, None] < human[:, p + 1 :]
            says_p = scores[:, p, None] > scores[:, p + 1 :]
            agree += int((preferred & says_p).sum() + (other & ~says_p).sum())
            pairs += int(preferred.sum() + other.sum())
    return agree / pairs


def library_skills(evaluations: Evaluations) -> Array:
    """The systems' μ after one pass. Places of scores have no last bit that could be taken for rounding."""
    scores = library_sentence_scores(evaluations).T
    places = np.unique(scores, return_inverse=True)[1].reshape(scores.shape).astype(np.float64)
    return np.array([skill.mu for skill in skills(places, "trueskill-pass")])
