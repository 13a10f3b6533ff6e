"""The smallest set of sentences that decides, by scoring what every set leaves."""

from itertools import combinations

import numpy as np

from gecval.metrics.evaluation import Evaluation


def lead_without(a: Evaluation, b: Evaluation, removed: tuple[int, ...]) -> float:
    kept = np.array([i for i in range(len(a)) if i not in removed], dtype=np.int64)
    scores = [Evaluation(side.metric, side.statistics.take(kept), side.aggregate).score() for side in (a, b)]
    return scores[1] - scores[0]


def turns(a: Evaluation, b: Evaluation, removed: tuple[int, ...]) -> bool:
    """Whether the better of the two is no longer better. 1e-12 is rounding."""
    side = 1 if lead_without(a, b, ()) > 0 else -1
    return side * lead_without(a, b, removed) <= 1e-12


def smallest(a: Evaluation, b: Evaluation) -> int | None:
    """How many sentences the smallest of all sets has; one sentence stays."""
    for size in range(len(a)):
        if any(turns(a, b, removed) for removed in combinations(range(len(a)), size)):
            return size
    return None
