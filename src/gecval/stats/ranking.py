"""From judgments of outputs, or from sentence scores, to a ranking of systems, and how far chance could change it.

    Expected Wins (Bojar et al. 2013)   EW(i) = 1/(S − 1) · Σ_j wins(i, j) / (wins(i, j) + wins(j, i))

Ties are ignored, or count as a win for both. A term is known only for the opponents that i met: those with at least one
judgment that decides. The mean is over these (``opponents="met"``). If opponents are drawn at random, it has no bias.
Published forms divide the sum by S − 1, as in WMT's infer_EW (``"all"``), or by the number of opponents beaten at least
once, as in GJG15's EW.pl (``"beaten"``). With ``"all"`` an opponent that was never met counts as a defeat: a system
that won 20 : 0 against the only one of three that it met gets 1/3.

Ranges of ranks come from a bootstrap. Each resample ranks the systems again; systems that tie get both the best and the
worst rank of their tie, and a system that the resample does not rank could have any rank. The range leaves out
(1 − level)/2 of the ranks at either end. A cluster is a group of systems that are not significantly different: it ends
where the ranges of all systems above lie above those of all systems below. Systems of equal score are always in one
cluster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from gecval import _native
from gecval.errors import InputError
from gecval.runtime.run import HERE, SERIAL, Run
from gecval.stats.correlation import coefficients
from gecval.stats.resampling import TOLERANCE, Array, Interval, percentile_interval, sign

Ties = Literal["ignored", "both-win"]
Opponents = Literal["met", "all", "beaten"]
Unit = Literal["judges+sentences", "sentences", "pairs"]


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

    def resample(self, resamples: int, rng: np.random.Generator) -> HeadToHead:
        """As many pairs again, drawn with replacement. Only their counts matter, so a draw is a multinomial one."""
        above = np.triu_indices(len(self.systems), 1)
        cells = np.concatenate([self.wins.ravel(), self.ties[above]])
        drawn = rng.multinomial(self.pairs, cells / cells.sum(), size=resamples).astype(np.float64)
        size = len(self.systems)
        ties = np.zeros((resamples, size, size))
        ties[:, above[0], above[1]] = drawn[:, size * size :]
        return HeadToHead(self.systems, drawn[:, : size * size].reshape(-1, size, size), ties + np.swapaxes(ties, 1, 2))


def expected_wins(head: HeadToHead, *, ties: Ties = "ignored", opponents: Opponents = "met") -> Array:
    """The expected wins of each system, over any leading axes.

    Of the opponents met, it is ½ for a system that only tied, and NaN for one that nobody ranked.

    >>> expected_wins(HeadToHead(("a", "b"), np.array([[0.0, 3.0], [1.0, 0.0]]), np.zeros((2, 2)))).tolist()
    [0.75, 0.25]
    """
    wins = head.wins + head.ties if ties == "both-win" else head.wins
    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    if opponents == "met":
        faced = (decided > 0).sum(axis=-1)
    elif opponents == "beaten":
        faced = np.maximum((wins > 0).sum(axis=-1), 1)
    else:
        faced = np.full(wins.shape[:-1], max(len(head.systems) - 1, 1))
    without = np.where(head.ties.sum(axis=-1) > 0, 0.5, np.nan)
    expected: Array = np.divide(shares.sum(axis=-1), faced, out=without, where=faced > 0)
    return expected


def count_opponents(head: HeadToHead, *, ties: Ties = "ignored") -> NDArray[np.int64]:
    """How many opponents each system met: those with a judgment that decides."""
    decided = head.wins + head.wins.T + (head.ties if ties == "both-win" else 0)
    return np.asarray((decided > 0).sum(axis=1))


SPLITS = 100  # of sentences into halves


def split_half_reliability(systems: tuple[str, ...], preferences: Array, sentences: NDArray[np.int64]) -> float:
    """How far Expected Wins of one half of the sentences agree with those of the other half: 1 is fully, 0 not at all.

    It is Pearson's r, the mean over random halves, stepped up to the whole set by Spearman and Brown's 2r/(1 + r). It
    is NaN where there are fewer than three systems, or where no half ranks three of them differently.
    """
    _, which = np.unique(sentences, return_inverse=True)
    size = int(which.max(initial=-1)) + 1
    if size < 2 or len(systems) < 3:
        return math.nan
    first = np.random.default_rng(1).random((SPLITS, size)).argsort(axis=1) < size // 2
    halves = np.stack([first, ~first]).astype(np.float64)[..., which]
    a, b = expected_wins(HeadToHead.of(systems, preferences, halves))
    known = [ok for ok in zip(a, b, ~np.isnan(a + b), strict=True) if ok[2].sum() >= 3]
    r = np.array([coefficients(x[both], y[both]) for x, y, both in known])
    r = r[~np.isnan(r)]
    if not len(r):
        return math.nan
    mean = float(r.mean())
    return 2 * mean / (1 + mean) if mean > 0 else mean


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
    intervals = [percentile_interval(column, level) for column in resampled.T]
    return _group_systems(systems, scores, intervals, best, worst)


def rank_by_margins(systems: Sequence[str], scores: Sequence[float], margins: Sequence[float]) -> list[Standing]:
    """The systems from best to worst, where only scores and the margins of their intervals are known.

    Two systems differ where their scores do by more than the margin of a difference of independent scores,
    √(m_i² + m_j²). Scores of the same sentences are not independent, so that this finds fewer differences than a
    paired test.

    >>> [(row.system, row.ranks, row.cluster) for row in rank_by_margins("abc", [0.5, 0.4, 0.39], [0.03] * 3)]
    [('a', (1, 1), 1), ('b', (2, 3), 2), ('c', (2, 3), 2)]
    """
    values, halves = np.array(scores), np.array(margins)
    ahead = values[None] - values[:, None] - np.hypot(halves[None], halves[:, None]) > TOLERANCE  # j is better than i
    intervals = [Interval(float(low), float(high)) for low, high in zip(values - halves, values + halves, strict=True)]
    return _group_systems(systems, values, intervals, 1 + ahead.sum(axis=1), len(values) - ahead.sum(axis=0))


def _group_systems(
    systems: Sequence[str],
    scores: Array,
    intervals: Sequence[Interval],
    best: NDArray[np.int64],
    worst: NDArray[np.int64],
) -> list[Standing]:
    order = np.argsort(-scores, kind="stable")
    apart = np.maximum.accumulate(worst[order])[:-1] < np.minimum.accumulate(best[order][::-1])[::-1][1:]
    ends = apart & (sign(np.diff(scores[order])) != 0)
    clusters = np.concatenate([[1], 1 + np.cumsum(ends)])
    return [
        Standing(
            system=systems[i],
            score=float(scores[i]),
            interval=intervals[i],
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
    best, worst = np.ones_like(order), np.full_like(order, size)
    defined = np.arange(size) < known
    np.put_along_axis(best, order, np.where(defined, 1 + known - above, 1), axis=1)
    np.put_along_axis(worst, order, np.where(defined, known - below, size), axis=1)
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


# TrueSkill as WMT ranks systems with it (Sakaguchi, Post & Van Durme 2014): a sampling procedure.
#
# Every system starts with μ = 0, σ = 1/2. There is one step more than there are judgments. Each step takes the system a
# of largest σ (on a tie the last in the alphabet), an opponent b with probability ∝ exp(−|μ_a − μ_b|), and one of their
# judgments at random; then it updates both. With c² = 2β² + σ_a² + σ_b², t = (μ_a − μ_b)/c and
# ε = Φ⁻¹((1 + p_draw)/2)·√2·β/c, the judgment says that a standard normal x lies in (l, h). This is (ε − t, ∞) where a
# won, (−∞, −ε − t) where b won, (−ε − t, ε − t) for a tie. Then
#
#     v = (φ(l) − φ(h)) / (Φ(h) − Φ(l))                       μ_a += σ_a²/c · v,   μ_b −= σ_b²/c · v
#     w = v² − (l·φ(l) − h·φ(h)) / (Φ(h) − Φ(l))              σ²  *= 1 − σ²/c² · w   for both
#
# This equals what the library ``trueskill`` finds by message passing. p_draw = 1/4, and β = σ·n/40 for n steps, so a
# single judgment moves next to nothing. Runs differ by about 0.02. All runs go side by side (native/ranking), and their
# mean counts.


SIGMA = 0.5
DRAW_PROBABILITY = 0.25
STEPS = 1000  # that are drawn, and made, at once
NORMAL_BELOW: np.ufunc = getattr(ndtr, "__wrapped__", ndtr)  # Φ itself, where SCIPY_ARRAY_API wraps it


@dataclass(frozen=True, kw_only=True)
class Skills:
    """μ and σ² of each system, [run, system]."""

    mu: Array
    variance: Array

    @property
    def scores(self) -> Array:
        """The mean μ of each system over all runs."""
        mean: Array = self.mu.mean(axis=0)
        return mean


def trueskill(
    head: HeadToHead, rng: np.random.Generator, *, runs: int = 20, again: HeadToHead | None = None, run: Run = HERE
) -> Skills:
    """Run the procedure ``runs`` times on the same judgments, or once on each resample of them, ``again``.

    μ is NaN where a resample does not rank a system.
    """
    size, steps = len(head.systems), head.pairs + 1
    given = head if again is None else again
    runs = runs if again is None else len(again.wins)
    beta = SIGMA * steps / 40
    # The largest σ is looked for from the end of the alphabet.
    order = np.argsort(np.array(head.systems), kind="stable")[::-1]
    wins, ties = (
        np.broadcast_to(counts[..., order[:, None], order], (runs, size, size)) for counts in (given.wins, given.ties)
    )
    judged = wins + np.swapaxes(wins, 1, 2) + ties
    won = np.divide(wins, judged, out=np.zeros(judged.shape), where=judged > 0)
    met = judged > 0
    absent = np.asarray(~met.any(axis=2))
    margin = ndtri((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2) * beta
    state = _native.TrueSkillRuns(
        won,
        won + np.swapaxes(won, 1, 2),
        met.astype(np.float64),
        absent.astype(np.uint8),
        sigma=SIGMA,
        beta=beta,
        margin=margin,
    )
    for first in range(0, steps, STEPS):
        run.progress(first, steps)
        uniforms = rng.random((min(STEPS, steps - first), 2, runs))
        state.play(uniforms, exp=np.exp, below=NORMAL_BELOW, jobs=run.threads)
    mu, variance = state.mu, state.variance
    mu[absent] = np.nan
    back = np.argsort(order)
    return Skills(mu=mu[:, back], variance=variance[:, back])


# Contests: systems against each other, sentence by sentence. Of two systems, the better sentence score wins.
#
#     expected-wins    1/(S − 1) · Σ_j wins(i, j) / (wins(i, j) + losses(i, j)); ½ for two systems that never differ
#     trueskill        μ after one update for every sentence and pair, the mean over many orders of the sentences
#     trueskill-pass   the same in the order of the sentences alone, as gec-metrics does (Goto et al. 2025)
#
# A pass depends on the order of the sentences: later ones count more than their share while σ is large, and less once
# it is small. ``spread`` is the standard deviation of μ over the orders. σ = 1/2, β = 1/4, and a draw has probability
# 1/4.
#
# Scores that differ by rounding alone are ties. gec-metrics compares them as they are: F of other counts may be equal
# on paper and differ in the last bit, and then one of them wins. This moves ERRANT's μ by up to 1.3e-4 on CoNLL-2014.

Orders = NDArray[np.int64]  # [order, position] → sentence
Contest = Literal["expected-wins", "trueskill", "trueskill-pass"]
CONTESTS: tuple[Contest, ...] = get_args(Contest)
ORDERS = 100
BETA = 0.25


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


def expected_wins_from_duels(totals: Array) -> Array:
    """Expected wins of summed rows of ``duels``. Against itself a system never differs: that ½ is taken off."""
    size = totals.shape[-1] // 2
    wins, decided = totals[..., :size], totals[..., :size] + totals[..., size:]
    shares = np.divide(wins, decided, out=np.full(wins.shape, 0.5), where=decided > 0)
    expected: Array = (shares.sum(axis=-1) - 0.5) / (size - 1)
    return expected


def skills(scores: Array, contest: Contest, *, orders: int = ORDERS, seed: int = 1, run: Run = SERIAL) -> list[Skill]:
    """The skill of each system, given ``scores[sentence, system]``. Scores that differ by rounding alone are ties."""
    once = np.arange(len(scores), dtype=np.int64)[None]
    listed = once if contest == "trueskill-pass" else random_orders(len(scores), orders, seed=seed)
    mu = passes(scores, listed, run=run)
    return [Skill(mu=float(m), spread=float(s)) for m, s in zip(mu.mean(axis=0), mu.std(axis=0), strict=True)]


def random_orders(sentences: int, orders: int, *, seed: int = 1) -> Orders:
    """So many random orders of the sentences."""
    rng = np.random.default_rng(seed)
    return np.stack([rng.permutation(np.arange(sentences, dtype=np.int64)) for _ in range(orders)])


def passes(scores: Array, orders: Orders, *, run: Run = SERIAL) -> Array:
    """[order, system]: μ after one pass over the sentences in each order."""
    margin = NormalDist().inv_cdf((1 + DRAW_PROBABILITY) / 2) * math.sqrt(2) * BETA
    mu: Array = _native.trueskill_passes(
        np.ascontiguousarray(np.round(scores, 12)), orders, sigma=SIGMA, beta=BETA, margin=margin, jobs=run.threads
    )
    return mu


def check_two_systems(contest: str, systems: Sequence[str]) -> None:
    """Refuse a contest with oneself."""
    if len(systems) < 2:
        raise InputError(f"{contest} compares systems with each other: give two or more", parameter="aggregate")
