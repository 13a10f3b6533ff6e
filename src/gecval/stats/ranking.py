"""From judgments of outputs to a ranking of systems, and how far chance could change this ranking.

    Expected Wins (Bojar et al. 2013)   EW(i) = 1/(S − 1) · Σ_j wins(i, j) / (wins(i, j) + wins(j, i))

Ties are ignored, or count as a win for both. Two systems that were never told apart add nothing to the sum. The sum is
divided by S − 1, as in WMT's infer_EW, or by the number of opponents beaten at least once, as in GJG15's EW.pl
(``opponents="beaten"``).

Ranges of ranks come from a bootstrap. Each resample ranks the systems again; systems that tie get both the best and the
worst rank of their tie. The range leaves out (1 − level)/2 of the ranks at either end. A cluster is a group of systems
that cannot be told apart: it ends where the ranges of all systems above lie above those of all systems below. Systems
of equal score are always in one cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.stats.resampling import Array, Interval, percentile_interval
from gecval.stats.ties import TOLERANCE, sign

Ties = Literal["ignored", "both-win"]
Opponents = Literal["all", "beaten"]
Unit = Literal["sentences", "pairs"]


@dataclass(frozen=True)
class HeadToHead:
    """Who beat whom how often. ``wins[i, j]`` counts i above j, ``ties[i, j]`` ties. Leading axes may be resamples.

    >>> head = HeadToHead.of(("a", "b"), np.array([[-1.0, -2.0], [-1.0, -1.0], [-3.0, np.nan]]))
    >>> head.wins.tolist(), head.ties.tolist()
    ([[0.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]])
    """

    systems: tuple[str, ...]
    wins: Array
    ties: Array

    @classmethod
    def of(cls, systems: tuple[str, ...], preferences: Array, weights: Array | None = None) -> HeadToHead:
        """From preferences[item, system]: higher is better, NaN is not judged.

        Each item counts ``weights[..., item]`` times. Scores that differ by rounding alone are ties.
        """
        times = np.ones(len(preferences)) if weights is None else weights
        wins = np.empty((*times.shape[:-1], len(systems), len(systems)))
        ties = np.empty_like(wins)
        with np.errstate(invalid="ignore"):
            for i in range(len(systems)):
                outcome = sign(preferences[:, i, None] - preferences)
                wins[..., i, :] = times @ (outcome > 0)
                ties[..., i, :] = times @ (outcome == 0)
                ties[..., i, i] = 0.0
        return cls(systems, wins, ties)

    @property
    def pairs(self) -> int:
        """How many judgments of two systems there are."""
        return round(float(self.wins.sum() + self.ties.sum() / 2))

    def resampled(self, resamples: int, rng: np.random.Generator) -> HeadToHead:
        """As many pairs again, drawn with replacement. Only their counts matter, so a draw is a multinomial one."""
        above = np.triu_indices(len(self.systems), 1)
        cells = np.concatenate([self.wins.ravel(), self.ties[above]])
        drawn = rng.multinomial(self.pairs, cells / cells.sum(), size=resamples).astype(np.float64)
        size = len(self.systems)
        ties = np.zeros((resamples, size, size))
        ties[:, above[0], above[1]] = drawn[:, size * size :]
        return HeadToHead(self.systems, drawn[:, : size * size].reshape(-1, size, size), ties + np.swapaxes(ties, 1, 2))


def expected_wins(head: HeadToHead, *, ties: Ties = "ignored", opponents: Opponents = "all") -> Array:
    """The expected wins of each system, over any leading axes.

    >>> expected_wins(HeadToHead(("a", "b"), np.array([[0.0, 3.0], [1.0, 0.0]]), np.zeros((2, 2)))).tolist()
    [0.75, 0.25]
    """
    wins = head.wins + head.ties if ties == "both-win" else head.wins
    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    faced = np.maximum((wins > 0).sum(axis=-1), 1) if opponents == "beaten" else max(len(head.systems) - 1, 1)
    expected: Array = shares.sum(axis=-1) / faced
    return expected


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A system's place: its score, the score's interval, the range of its ranks, and its cluster."""

    system: str
    score: float
    interval: Interval
    ranks: tuple[int, int]
    cluster: int


def standings(systems: Sequence[str], scores: Array, resampled: Array, *, level: float = 0.95) -> list[Standing]:
    """The systems from best to worst. Intervals and ranges come from the scores ``resampled[resample, system]``."""
    if not np.isfinite(scores).all():
        raise InputError("a system without a score cannot be ranked")
    best, worst = _rank_ranges(resampled, (1 - level) / 2)
    order = np.argsort(-scores, kind="stable")
    apart = np.maximum.accumulate(worst[order])[:-1] < np.minimum.accumulate(best[order][::-1])[::-1][1:]
    ends = apart & (sign(np.diff(scores[order])) != 0)
    clusters = np.concatenate([[1], 1 + np.cumsum(ends)])
    return [
        Standing(
            system=systems[i],
            score=float(scores[i]),
            interval=percentile_interval(resampled[:, i], level),
            ranks=(int(best[i]), int(worst[i])),
            cluster=int(clusters[place]),
        )
        for place, i in enumerate(order)
    ]


def _rank_ranges(resampled: Array, tail: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The best and the worst rank of each system, without a share ``tail`` of all resamples at either end."""
    best, worst = _ranks(resampled)
    size = len(resampled)
    # Rounded, as 100 · (1 − 0.9)/2 is a little less than 5. At least one rank stays.
    cut = min(round(size * tail), (size - 1) // 2)
    return np.partition(best, cut, axis=0)[cut], np.partition(worst, size - 1 - cut, axis=0)[size - 1 - cut]


def _ranks(scores: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The best and the worst rank of each system in its row of scores: those of its tie. Undefined ones have none.

    A difference of sorted scores grows with their distance. So the scores that are better than one, by more than
    rounding, begin at some place ``above``, and it is worse than another where that one's ``above`` lies.
    """
    order = np.argsort(scores, axis=1)
    rising = np.take_along_axis(scores, order, axis=1)  # undefined scores come last
    known = (~np.isnan(rising)).sum(axis=1, keepdims=True)
    above = _above(rising, known)
    rows, size = scores.shape
    begun = np.bincount((above + (size + 1) * np.arange(rows)[:, None]).ravel())
    below = begun.reshape(rows, size + 1).cumsum(axis=1)[:, :-1]
    best, worst = np.ones_like(order), np.zeros_like(order)
    defined = np.arange(size) < known
    np.put_along_axis(best, order, np.where(defined, 1 + known - above, 1), axis=1)
    np.put_along_axis(worst, order, np.where(defined, known - below, 0), axis=1)
    return best, worst


def _above(rising: Array, known: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of the first score that is better than each, in rows that rise up to ``known`` scores."""
    size = rising.shape[1]
    last = np.ones(rising.shape, dtype=bool)  # of equal ones
    last[:, :-1] = rising[:, 1:] != rising[:, :-1]
    ends = np.minimum.accumulate(np.where(last, np.arange(1, size + 1), size)[:, ::-1], axis=1)[:, ::-1]
    above = np.where(np.arange(size) < known, np.minimum(ends, known), size)
    following = np.take_along_axis(rising, np.minimum(above, size - 1), axis=1)
    row, place = np.nonzero((above < known) & (following - rising <= TOLERANCE))
    while len(row):  # on to the next different score, as long as it differs by rounding alone
        above[row, place] = np.minimum(ends[row, above[row, place]], known[row, 0])
        still = above[row, place] < known[row, 0]
        row, place = row[still], place[still]
        near = rising[row, above[row, place]] - rising[row, place] <= TOLERANCE
        row, place = row[near], place[near]
    return above
