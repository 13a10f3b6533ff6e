"""``python -m benchmarks judgments``: how many judgments until the ranking stands, if the next item is chosen?

A replay of GJG15's rankings (Grundkiewicz et al. 2015). A judgment is a ranking of up to five outputs of a sentence. It
can be chosen only if a judge made it, so the pool is finite; rankings of fewer than two outputs are left out. At first
nothing is known; each rule sees the judgments so far, and looks at them again after every tenth. Rules take a sentence
at random, and of its rankings the one with the greatest sum over pairs of systems i, j in different outputs of

    random       nothing: any ranking
    coverage     1: most systems at once
    met least    1 / (1 + n)                n is how often i and j met: ``board/campaigns.py``, the board's rule
    uncertain    q(1 − q) / √(1 + n)        q = Φ(d/s): how sure it is that i is above j
    reduction    v/(n + 4) · (g_i + g_j)    how far one judgment more lowers the expected number of pairs put wrongly

EW is Expected Wins, with one win more for either side of each pair, v the variance of a pair's share of wins in it,
d = EW_i − EW_j, s² the variance of d, g_i = Σ_k φ(d/s)·(d/s)/2s². ``any sentence`` is the rule of least met over all
rankings that are left.

The ranking stands from where its Spearman correlation with that of all judgments is .95 or more and stays so. Clusters
stand from where they are those of all judgments: at level .05, from 1000 resamples of pairs, as GJG15 made them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from benchmarks.measure import Section, table
from gecval.board.campaigns import compute_need
from gecval.formats.datasets import data_folder
from gecval.formats.judgments import Judgments, read_judgments
from gecval.stats.ranking import HeadToHead, expected_wins, standings
from gecval.stats.resampling import Array

ORDERS, CLUSTERED = 100, 20  # orders of each rule, and how many of them are clustered: that takes most of the time
STEP, CLUSTER_STEP, LOOK = 25, 100, 10
RESAMPLES, ENOUGH, EARLY = 1000, 0.95, 400
Pairs = set[tuple[int, int]]


@dataclass(frozen=True)
class Pool:
    """Who beat whom in each ranking, [item, system, system], and which systems were in different outputs."""

    systems: tuple[str, ...]
    wins: Array
    ties: Array
    apart: Array
    sentences: NDArray[np.int64]

    @classmethod
    def of(cls, judgments: Judgments) -> Pool:
        kept = [place for place, item in enumerate(judgments.items) if len(item.placements) > 1]
        heads = [HeadToHead.of(judgments.systems, judgments.preferences[[place]]) for place in kept]
        column = {name: place for place, name in enumerate(judgments.systems)}
        apart = np.zeros((len(kept), len(column), len(column)))
        for row, place in enumerate(kept):
            for one, other in combinations(judgments.items[place].placements, 2):
                ours, theirs = ([column[name] for name in output.systems] for output in (one, other))
                apart[row][np.ix_(ours, theirs)] = apart[row][np.ix_(theirs, ours)] = 1
        wins, ties = (np.array([getattr(head, kind) for head in heads]) for kind in ("wins", "ties"))
        return cls(judgments.systems, wins, ties, apart, judgments.sentences[kept])

    def head(self, items: NDArray[np.int64] | slice = slice(None)) -> HeadToHead:
        return HeadToHead(self.systems, self.wins[items].sum(axis=0), self.ties[items].sum(axis=0))


def _smoothed(head: HeadToHead) -> tuple[Array, Array, Array]:
    """Decided meetings; the variance of each pair's share of wins; z of each difference of Expected Wins and its s²."""
    decided = head.wins + head.wins.T
    share = (head.wins + 1) / (decided + 2)
    variance = share * (1 - share) / (decided + 3)
    np.fill_diagonal(share, 0.0)
    np.fill_diagonal(variance, 0.0)
    others = len(head.systems) - 1
    score, own = share.sum(axis=1) / others, variance.sum(axis=1) / others**2
    squared = own[:, None] + own
    return decided, variance, np.stack([(score[:, None] - score) / np.sqrt(squared), squared])


def uncertain(head: HeadToHead) -> Array:
    sure = norm.cdf(_smoothed(head)[2][0])
    doubt: Array = sure * (1 - sure) / np.sqrt(1 + head.wins + head.wins.T + head.ties)
    return doubt


def reduction(head: HeadToHead) -> Array:
    decided, variance, (z, squared) = _smoothed(head)
    gain = (norm.pdf(z) * np.abs(z) / (2 * squared)).sum(axis=1)
    lower: Array = variance / (decided + 4) * (gain[:, None] + gain)
    return lower


RULES: dict[str, Callable[[HeadToHead], Array] | None] = {
    "random": None,
    "coverage": lambda head: np.ones_like(head.wins),
    "met least": compute_need,
    "uncertain": uncertain,
    "reduction": reduction,
    "met least, any sentence": compute_need,
}


def order_of(pool: Pool, rule: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """The rankings in the order in which a rule takes them."""
    left, value_of = rng.permutation(len(pool.wins)), RULES[rule]
    if value_of is None:
        return left
    flat, order, value = pool.apart.reshape(len(left), -1), [], np.empty(0)
    wins, ties = np.zeros(pool.wins.shape[1:]), np.zeros(pool.wins.shape[1:])
    while len(left):
        if len(order) % LOOK == 0:
            value = value_of(HeadToHead(pool.systems, wins, ties)).ravel()
        near = np.arange(len(left))
        if "any sentence" not in rule:
            near = np.flatnonzero(pool.sentences[left] == pool.sentences[left[rng.integers(len(left))]])
        best = near[np.argmax(flat[left[near]] @ value)]
        order.append(left[best])
        wins += pool.wins[left[best]]
        ties += pool.ties[left[best]]
        left = np.delete(left, best)
    return np.array(order)


def stands(good: Sequence[bool], step: int, size: int) -> int:
    """How many judgments of ``size`` until it is good and stays so."""
    bad = [place for place, fine in enumerate(good) if not fine]
    return min(size, step * ((bad[-1] + 1 if bad else 0) + 1))


def correlations(pool: Pool, order: NDArray[np.int64], final: Array) -> list[float]:
    """Spearman's with the final scores, after every 25 judgments."""
    wins = pool.wins[order].cumsum(axis=0)[STEP - 1 :: STEP]
    scores = expected_wins(HeadToHead(pool.systems, wins, np.zeros_like(wins)))
    return [float(np.corrcoef(rankdata(row), rankdata(final))[0, 1]) for row in scores]


def clusters(head: HeadToHead) -> tuple[Pairs, Pairs]:
    """The pairs in different clusters, and those whose ranges of ranks do not overlap; the better first."""
    again = expected_wins(head.resample(RESAMPLES, np.random.default_rng(1)))
    place = {name: column for column, name in enumerate(head.systems)}
    pairs = list(combinations(standings(head.systems, expected_wins(head), again), 2))
    parted = {(place[a.system], place[b.system]) for a, b in pairs if a.cluster < b.cluster}
    return parted, {(place[a.system], place[b.system]) for a, b in pairs if a.ranks[1] < b.ranks[0]}


def row(pool: Pool, rule: str, orders: int, clustered: int) -> list[str]:
    final, whole = expected_wins(pool.head()), clusters(pool.head())
    standing, clustering, early, told, wrong = [], [], [], [], []
    for seed in range(orders):
        order = order_of(pool, rule, np.random.default_rng(seed))
        curve = correlations(pool, order, final)
        standing.append(stands([value >= ENOUGH for value in curve], STEP, len(order)))
        early.append(curve[EARLY // STEP - 1])
        if seed < clustered:
            seen = [clusters(pool.head(order[:size])) for size in range(CLUSTER_STEP, len(order), CLUSTER_STEP)]
            clustering.append(stands([parted == whole[0] for parted, _ in seen], CLUSTER_STEP, len(order)))
            apart = seen[EARLY // CLUSTER_STEP - 1][1]
            told.append(len(apart & whole[1]) / len(whole[1]))
            wrong.append(len(apart - whole[1]))
    return [
        rule,
        median(standing),
        f"{np.mean(early):.3f}",
        median(clustering),
        f"{np.mean(told):.2f}",
        f"{np.mean(wrong):.1f}",
    ]


def elsewhere(orders: int) -> list[list[str]]:
    """The same on SEEDA, which had no part in the choice of a rule."""
    pool = Pool.of(read_judgments(data_folder() / "seeda" / "judgments_sent.xml"))
    final, rows = expected_wins(pool.head()), []
    for rule in ("random", "met least"):
        curves = [
            correlations(pool, order_of(pool, rule, np.random.default_rng(seed)), final) for seed in range(orders)
        ]
        needed = [stands([value >= ENOUGH for value in curve], STEP, len(pool.wins)) for curve in curves]
        rows.append([rule, median(needed)])
    return rows


def median(needed: Sequence[int]) -> str:
    """With its 95% interval over orders."""
    drawn = np.random.default_rng(1).choice(needed, (2000, len(needed)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    return f"{np.median(needed):.0f} ({low:.0f} to {high:.0f})"


def report(orders: int = ORDERS, clustered: int = CLUSTERED) -> Section:
    pool = Pool.of(read_judgments(data_folder() / "gjg15" / "judgments.xml"))
    section, rows = Section("How many judgments until the ranking stands"), []
    for rule in RULES:
        rows.append(row(pool, rule, orders, clustered))
        print(rows[-1], file=sys.stderr, flush=True)
    section.text += [
        f"{len(pool.wins)} rankings of {len(pool.systems)} systems; {orders} orders of each rule, of which {clustered} "
        "were clustered. Medians with their 95% intervals over orders; the other columns are means.",
        table(
            [
                "rule",
                f"Spearman {ENOUGH:g} from",
                f"Spearman after {EARLY}",
                "clusters from",
                f"pairs distinguished after {EARLY}",
                "wrongly",
            ],
            rows,
        ),
        "SEEDA's rankings of sentences:",
        table(["rule", f"Spearman {ENOUGH:g} from"], elsewhere(orders)),
    ]
    return section
