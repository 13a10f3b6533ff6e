"""Systems against each other, sentence by sentence: of two systems, the better sentence score wins.

    expected-wins    1/(S − 1) · Σ_j wins(i, j) / (wins(i, j) + losses(i, j)); where two never differ, ½
    trueskill        μ after one update for every sentence and pair, the mean over many orders of the sentences
    trueskill-pass   the same in the order of the sentences alone, as gec-metrics does (Goto et al. 2025)

A pass depends on the order of the sentences: later ones count more than their share while σ is large, and less once it
is small. ``spread`` is the standard deviation of μ over the orders. σ = 1/2, β = 1/4, and a draw has probability 1/4.

Scores that differ by rounding alone are ties. gec-metrics compares them as they are: F of other counts may be equal on
paper and differ in the last bit, and then one of them wins. This moves ERRANT's μ by up to 1.3e-4 on CoNLL-2014.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.errors import InputError
from gecval.stats.resampling import Array
from gecval.stats.ties import sign

Orders = NDArray[np.int64]  # [order, position] → sentence
Contest = Literal["expected-wins", "trueskill", "trueskill-pass"]
CONTESTS: tuple[Contest, ...] = get_args(Contest)
ORDERS = 100
SIGMA, BETA, DRAW_PROBABILITY = 0.5, 0.25, 0.25


@dataclass(frozen=True, kw_only=True)
class Skill:
    """A system's mean μ over all orders, and how much it varies with the order."""

    mu: float
    spread: float


def duels(scores: Array) -> Array:
    """Rows [system, sentence, 2S]: whom a system beats on a sentence, and to whom it loses.

    ``scores[sentence, system]``: higher is better.

    >>> duels(np.array([[0.5, 0.2], [0.1, 0.1]]))[0].tolist()
    [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    outcomes = [sign(scores[:, i, None] - scores) for i in range(scores.shape[1])]
    return np.array([np.concatenate([outcome > 0, outcome < 0], axis=1) for outcome in outcomes], dtype=np.float64)


def expected_wins_of(totals: Array) -> Array:
    """Expected wins of summed rows of ``duels``. Against itself a system never differs: that ½ is taken off."""
    size = totals.shape[-1] // 2
    wins, decided = totals[..., :size], totals[..., :size] + totals[..., size:]
    shares = np.divide(wins, decided, out=np.full(wins.shape, 0.5), where=decided > 0)
    expected: Array = (shares.sum(axis=-1) - 0.5) / (size - 1)
    return expected


def skills(scores: Array, contest: Contest, *, orders: int = ORDERS, seed: int = 1, jobs: int = 1) -> list[Skill]:
    """The skill of each system, given ``scores[sentence, system]``. Scores that differ by rounding alone are ties."""
    once = np.arange(len(scores), dtype=np.int64)[None]
    listed = once if contest == "trueskill-pass" else random_orders(len(scores), orders, seed=seed)
    mu = passes(scores, listed, jobs=jobs)
    return [Skill(mu=float(m), spread=float(s)) for m, s in zip(mu.mean(axis=0), mu.std(axis=0), strict=True)]


def random_orders(sentences: int, orders: int, *, seed: int = 1) -> Orders:
    """So many random orders of the sentences."""
    rng = np.random.default_rng(seed)
    return np.stack([rng.permutation(np.arange(sentences, dtype=np.int64)) for _ in range(orders)])


def passes(scores: Array, orders: Orders, *, jobs: int = 1) -> Array:
    """[order, system]: μ after one pass over the sentences in each order."""
    margin = NormalDist().inv_cdf((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2) * BETA
    mu: Array = _native.trueskill_passes(
        np.ascontiguousarray(np.round(scores, 12)), orders, sigma=SIGMA, beta=BETA, margin=margin, jobs=jobs
    )
    return mu


def check_contestants(contest: str, systems: Sequence[str]) -> None:
    """Refuse a contest with oneself."""
    if len(systems) < 2:
        raise InputError(f"{contest} compares systems with each other: give two or more", parameter="aggregate")
