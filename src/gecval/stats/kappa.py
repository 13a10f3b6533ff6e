"""How far judges agree (Bojar et al. 2013, after Cohen 1960).

    κ = (P(A) − P(E)) / (1 − P(E)),    P(E) = P(tie)² + 2·((1 − P(tie))/2)²

Two rankings of one sentence agree on two outputs if both say the same: above, below or tie. P(A) is the share of cases
in which they agree. The two rankings are by different judges, or by one judge who saw the sentence twice. If all are
ties, then P(E) = 1 and κ is undefined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.result import MaybeUndefined
from gecval.stats.ranking import HeadToHead
from gecval.stats.resampling import Array
from gecval.stats.ties import sign


@dataclass(frozen=True, kw_only=True)
class Kappa:
    """κ, the share of comparisons in which two rankings agree, and the number of comparisons."""

    kappa: MaybeUndefined
    agree: MaybeUndefined
    comparisons: int


def judge_kappa(
    preferences: Array, sentences: NDArray[np.int64], judges: NDArray[np.str_], *, same_judge: bool
) -> Kappa:
    """κ between rankings by different judges, or by the same judge."""
    size = preferences.shape[1]
    above = np.triu_indices(size, 1)
    opinions = sign(preferences[:, above[0]] - preferences[:, above[1]])
    agreed = compared = 0
    for sentence in np.unique(sentences):
        here = np.flatnonzero(sentences == sentence)
        for position, ranking in enumerate(here):
            others = here[position + 1 :]
            others = others[(judges[others] == judges[ranking]) == same_judge]
            both = np.isfinite(opinions[others]) & np.isfinite(opinions[ranking])
            compared += int(both.sum())
            agreed += int((both & (opinions[others] == opinions[ranking])).sum())
    head = HeadToHead.of(tuple(map(str, range(size))), preferences)
    tie = float(head.ties.sum() / 2) / head.pairs if head.pairs else math.nan
    expected = tie**2 + (1 - tie) ** 2 / 2
    agree = agreed / compared if compared else math.nan
    kappa = (agree - expected) / (1 - expected) if expected != 1 else math.nan
    return Kappa(kappa=kappa, agree=agree, comparisons=compared)
