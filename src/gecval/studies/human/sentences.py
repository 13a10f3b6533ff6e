"""Does a metric prefer the sentence that people prefer?

Over all pairs of outputs that a judge told apart,

    accuracy = (agree + credit · ties) / (agree + disagree + ties),    τ = 2 · accuracy − 1

A tie of the metric gets half a credit, none (``wrong``), or is not counted at all (``skip``). None of these depends on
the names or the order of systems. The interval comes from a bootstrap over sentences, each with all its judgments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from gecval.formats.judgments import Judgments
from gecval.result import MaybeUndefined
from gecval.stats.resampling import Array, Interval, percentile_interval, times_drawn
from gecval.stats.ties import sign
from gecval.studies.human.system_scores import Evaluations

TiePolicy = Literal["half", "wrong", "skip"]
TIE_POLICIES = get_args(TiePolicy)


@dataclass(frozen=True, kw_only=True)
class SentenceAccuracy:
    """One metric against one set of judgments, pair by pair of outputs."""

    derived: ClassVar[tuple[str, ...]] = ("tau",)

    judgments: str
    metric: str
    agree: int
    disagree: int
    ties: int
    policy: TiePolicy
    accuracy: MaybeUndefined
    interval: Interval
    higher_is_better: bool = True

    @property
    def tau(self) -> MaybeUndefined:
        """From −1 (always against people) to 1 (always with them)."""
        return 2 * self.accuracy - 1


def sentence_accuracy(
    judgments: Judgments,
    evaluations: Evaluations,
    *,
    ties: TiePolicy = "half",
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 1,
) -> SentenceAccuracy:
    """Compare a metric with every strict human preference between two of the systems. ``judgments`` are placed."""
    columns = [judgments.systems.index(name) for name in evaluations.systems]
    human = judgments.preferences[:, columns]
    scores = evaluations.metric.direction * evaluations.sentence_scores().T[judgments.sentences]
    counts = np.zeros((len(human), 3))  # agree, disagree, tie, for each item
    with np.errstate(invalid="ignore"):
        for i in range(len(columns)):
            # Every pair once, from the side of the winner.
            won = human[:, i, None] > human
            verdict = sign(scores[:, i, None] - scores)
            counts += np.stack([(won & (verdict == which)).sum(axis=1) for which in (1, -1, 0)], axis=1)
    weights = times_drawn(judgments.sentences, resamples, np.random.default_rng(seed))
    agree, disagree, tied = map(int, counts.sum(axis=0))
    return SentenceAccuracy(
        judgments=judgments.name,
        metric=repr(evaluations.metric),
        higher_is_better=evaluations.metric.higher_is_better,
        agree=agree,
        disagree=disagree,
        ties=tied,
        policy=ties,
        accuracy=float(_accuracy(counts.sum(axis=0), ties)),
        interval=percentile_interval(_accuracy(weights @ counts, ties), level),
    )


def _accuracy(counts: Array, policy: TiePolicy) -> Array:
    agree, disagree, tied = counts[..., 0], counts[..., 1], counts[..., 2]
    right = agree + (tied / 2 if policy == "half" else 0)
    judged = agree + disagree + (0 if policy == "skip" else tied)
    with np.errstate(invalid="ignore"):
        accuracy: Array = right / judged
    return accuracy
