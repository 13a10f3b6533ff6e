"""The sentences that decide: few sentences whose removal changes the verdict on two systems A and B.

The verdict may be that B beats A, or that B does so significantly. See ``Search`` for how a set is found. It starts
from the influence of each sentence, by the jackknife:

    influence of sentence i on a score θ          θ − θ₍₋ᵢ₎
    influence of sentence i on a lead B − A       δ − δ₍₋ᵢ₎,   δ = θ(B) − θ(A)

θ₍₋ᵢ₎ is the score without sentence i. A positive influence says that the sentence raises the score, or speaks for B.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.stats.resampling import TOLERANCE, Array, Resampled

Sentences = NDArray[np.int64]
Until = Literal["sign", "significance"]  # which verdict the removal is to turn around
UNTIL: tuple[Until, ...] = get_args(Until)
ALL_SETS = 20_000  # so many smaller sets are all tried


class Reducible(Resampled, Protocol):
    """A score over sentences that can be asked for again over some of them. ``Evaluation`` is one."""

    @property
    def by_position(self) -> bool:
        """Whether ``scores_over`` some sentences only comes near the score of ``over`` them."""

    def over(self, sentences: Sentences) -> Reducible:
        """What scoring these sentences from scratch gives."""

    def fractions(self, *, as_chosen: bool = ...) -> tuple[Array, Array] | None:
        """Numerators n and denominators d of all sentences, where the score of any of them rises with Σn / Σd.

        ``as_chosen``: with the references that the score of all sentences chose.
        """


def influence(scored: Resampled) -> Array:
    """The influence of every sentence on a score: the score minus that without the sentence."""
    if len(scored) < 2:
        raise InputError("the influence of a sentence needs a second one: there is no score without the only sentence")
    without: Array = scored.score() - scored.scores_without([slice(i, i + 1) for i in range(len(scored))])
    return without


def influences(a: Resampled, b: Resampled) -> Array:
    """The influence of every sentence on the lead of ``b`` over ``a``, b − a. Positive: the sentence speaks for ``b``.

    >>> from gecval import Corpus, metric
    >>> from gecval.metrics.evaluation import Evaluation
    >>> corpus = Corpus.from_texts(["a", "b", "c"], [["A"], ["B"], ["C"]])
    >>> first, second = (corpus.system(name, list(name)) for name in ("abC", "ABc"))
    >>> a, b = (Evaluation.of(metric("accuracy"), corpus, system) for system in (first, second))
    >>> influences(a, b).round(4).tolist()
    [0.3333, 0.3333, -0.6667]
    """
    return influence(b) - influence(a)


@dataclass(frozen=True, kw_only=True)
class DecidingSet:
    """Sentences, from 0, whose removal changes the verdict on B and A, the most influential first.

    ``sentences`` is None where no such set was found. ``difference`` is B − A over all sentences, and
    ``difference_without`` that over all others. No set of fewer than ``at_least`` of the ``of`` sentences does it.
    ``proven_as_chosen`` says that no smaller set does it while every sentence keeps the reference that the score of the
    whole corpus chose: M² and ERRANT choose again where sentences are left out.
    """

    sentences: tuple[int, ...] | None
    of: int
    difference: float
    difference_without: float | None
    at_least: int
    proven_as_chosen: bool = False

    @property
    def proven(self) -> bool:
        """Whether no smaller set exists; where none was found, whether there is none."""
        return self.at_least == (self.of if self.sentences is None else len(self.sentences))


def deciding_set(a: Reducible, b: Reducible, *, all_sets: int = ALL_SETS) -> DecidingSet:
    """The smallest set of sentences found without which the better of the two is no longer better.

    ``a`` and ``b`` are two systems under one metric, as ``Evaluation``; either may be the better. A tie counts as
    turned around. Where two systems tie from the start, the set is empty. If there are at most ``all_sets`` smaller
    sets, all of them are tried.

    >>> from gecval import Corpus, metric
    >>> from gecval.metrics.evaluation import Evaluation
    >>> corpus = Corpus.from_texts(list("abcd"), [["A"], ["B"], ["C"], ["D"]])
    >>> first, second = (corpus.system(name, list(name)) for name in ("abcD", "ABCd"))
    >>> a, b = (Evaluation.of(metric("accuracy"), corpus, system) for system in (first, second))
    >>> deciding = deciding_set(a, b)
    >>> deciding.sentences, deciding.difference, deciding.difference_without, deciding.proven
    ((0, 1), 0.5, 0.0, True)
    """
    if len(a) != len(b):
        raise InputError(f"the two systems must be of the same sentences, not of {len(a)} and {len(b)}")
    difference = b.score() - a.score()
    search = Search(a, b, 1) if difference > 0 else Search(b, a, -1)
    removed, at_least = search.smallest(all_sets)
    return DecidingSet(
        sentences=None if removed is None else tuple(search.ranked(removed).tolist()),
        of=len(a),
        difference=difference,
        difference_without=None if removed is None else search.sign * search.lead(removed) + 0.0,  # no −0
        at_least=at_least,
        proven_as_chosen=removed is not None and len(removed) > 0 and search.proven_as_chosen(len(removed)),
    )


def first_set(a: Reducible, b: Reducible, lost: Callable[[Sentences], bool]) -> DecidingSet:
    """The sentences of largest influence for the better system, as many as it takes until a verdict is ``lost``.

    ``lost`` is asked about the sentences that are kept. The number is doubled until the verdict is lost, then halved to
    the first number at which it is: one sentence fewer, in this order, and it stands. Two sentences are always kept.
    """
    most = len(a) - 2
    difference = b.score() - a.score()
    order = np.argsort(-influences(a, b) * (1 if difference > 0 else -1), kind="stable")
    low, high = -1, 0  # sentences that are not enough, and those to try
    while not lost(without(len(a), order[:high])):
        if high == most:
            return DecidingSet(sentences=None, of=len(a), difference=difference, difference_without=None, at_least=1)
        low, high = high, min(max(1, 2 * high), most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if lost(without(len(a), order[:middle])) else (middle, high)
    kept = without(len(a), order[:high])
    return DecidingSet(
        sentences=tuple(order[:high].tolist()),
        of=len(a),
        difference=difference,
        difference_without=b.over(kept).score() - a.over(kept).score(),
        at_least=min(high, 1),
    )


# The search for the smallest set of sentences without which a lead is gone.
#
# 1. Remove the sentences of largest influence, about half of those that seem to be needed, and look again.
# 2. Make the set smaller. Take back what is not needed. Then rank all sentences by their influence where the lead is
#    about to vanish, and try as many of them less one. Then try swaps.
# 3. Say how small a set could be: from the bound for ratios, or from trying all smaller sets where these are few.
#
# Whether a set takes the lead away is always decided by scoring the other sentences from scratch.


SWAPS = 20  # sentences of the set, and as many others, that are tried for each other
RESCORED = 50  # sets less one sentence that are scored from scratch, where the places of sentences count
ROUNDS = 6  # of ranking or swapping without a smaller set


def without(size: int, removed: Sentences | Sequence[int]) -> Sentences:
    """All sentences but the removed ones."""
    return np.delete(np.arange(size, dtype=np.int64), np.asarray(removed, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Search:
    """Two systems; the second leads. A set of removed sentences is a sorted array."""

    behind: Reducible
    ahead: Reducible
    sign: int

    def smallest(self, all_sets: int) -> tuple[Sentences | None, int]:
        """The smallest set found, and how many sentences it takes at least."""
        size = len(self.ahead)
        none = np.array([], dtype=np.int64)
        if self._is_turned(none):
            return none, 0
        removed = self._greedy()
        if removed is not None:
            removed = self._smaller(removed)
        bound = self._bound()
        # One sentence must stay: without all of them there is no score.
        count = size if removed is None else len(removed)
        at_least = 1
        if bound is not None:
            while (obstacle := bound.obstacle(count - 1)) is not None and count > 1:
                candidate = np.sort(np.argsort(-obstacle, kind="stable")[: count - 1])
                if not self._is_turned(candidate):
                    break
                removed = self._smaller(candidate)
                count = len(removed)
            at_least = count if obstacle is None else least_removals(bound, count)
        if at_least < count and self._number_of_sets(count) <= all_sets:
            return self._by_trying(at_least, removed)
        return removed, at_least

    def lead(self, removed: Sentences) -> float:
        """The lead without these sentences, scored from scratch."""
        kept = self._find_kept(removed)
        return self.ahead.over(kept).score() - self.behind.over(kept).score()

    def ranked(self, removed: Sentences) -> Sentences:
        """The removed sentences, the most influential first."""
        if len(removed) == 0:
            return removed
        return removed[np.argsort(-influences(self.behind, self.ahead)[removed], kind="stable")]

    def _find_kept(self, removed: Sentences) -> Sentences:
        return without(len(self.ahead), removed)

    def _is_turned(self, removed: Sentences) -> bool:
        return self.lead(removed) <= TOLERANCE

    def _leads(self, sets: list[Sentences]) -> Array:
        """The lead without each of these sets, which are of one size. References may be drawn by other places."""
        kept = np.array([self._find_kept(removed) for removed in sets])
        step = max(1, 4_000_000 // kept.shape[1])
        blocks = [kept[first : first + step] for first in range(0, len(kept), step)]
        return np.concatenate([self.ahead.scores_over(block) - self.behind.scores_over(block) for block in blocks])

    def _greedy(self) -> Sentences | None:
        removed = np.array([], dtype=np.int64)
        while (lead := self.lead(removed)) > TOLERANCE:
            kept = self._find_kept(removed)
            if len(kept) < 2:
                return None
            speaks = influences(self.behind.over(kept), self.ahead.over(kept))
            order = np.argsort(-speaks, kind="stable")
            positive = int((speaks > 0).sum())
            needed = 1 + int(np.searchsorted(np.cumsum(speaks[order[:positive]]), lead))
            # If no single sentence helps, several may.
            count = max(1, min(needed, positive) // 2) if positive else max(1, len(kept) // 8)
            removed = np.sort(np.append(removed, kept[order[: min(count, len(kept) - 1)]]))
        return removed

    def _smaller(self, removed: Sentences) -> Sentences:
        """Fewer sentences that do as well, as far as such a set is found."""
        while len(removed) > 1:
            shorter = [np.delete(removed, place) for place in range(len(removed))]
            nearest, lead = self._nearest(shorter, RESCORED)
            other = nearest if lead <= TOLERANCE else self._of_equal_size(nearest, lead)
            if other is None:
                break
            removed = other
        return removed

    def _nearest(self, sets: list[Sentences], rescored: int) -> tuple[Sentences, float]:
        """The set that leaves least of the lead, and what it leaves. Where places count, several are scored again."""
        order = np.argsort(self._leads(sets), kind="stable")[: rescored if self.ahead.by_position else 1]
        leads: list[float] = []
        for place in order:
            leads.append(self.lead(sets[place]))
            if leads[-1] <= TOLERANCE:
                break
        best = int(np.argmin(leads))
        return sets[order[best]], leads[best]

    def _of_equal_size(self, removed: Sentences, best: float) -> Sentences | None:
        """As many sentences that take the lead away, where these leave ``best``: by ranking again, and by swaps."""
        for _ in range(ROUNDS):
            speaks = self._influences_at(removed)
            ranked = np.argsort(-speaks, kind="stable")
            candidates = [np.sort(ranked[: len(removed)]), *self._swap(removed, speaks)]
            candidate, lead = self._nearest(candidates, 3)
            if lead <= TOLERANCE:
                return candidate
            if lead >= best:
                break
            removed, best = candidate, lead
        return None

    def _influences_at(self, removed: Sentences) -> Array:
        """The influence of every sentence on the lead where ``removed`` are gone; of these, if they came back."""
        kept = self._find_kept(removed)
        speaks = np.empty(len(self.ahead))
        speaks[kept] = influences(self.behind.over(kept), self.ahead.over(kept))
        speaks[removed] = self._leads([np.delete(removed, place) for place in range(len(removed))]) - self.lead(removed)
        return speaks

    def _swap(self, removed: Sentences, speaks: Array) -> list[Sentences]:
        """The set with one of its least influential sentences in exchange for one of the most influential others."""
        weakest = np.argsort(speaks[removed], kind="stable")[:SWAPS]
        kept = self._find_kept(removed)
        strongest = kept[np.argsort(-speaks[kept], kind="stable")[:SWAPS]]
        return [np.sort(np.append(np.delete(removed, place), sentence)) for place in weakest for sentence in strongest]

    def proven_as_chosen(self, count: int) -> bool:
        """Whether no fewer sentences do it while every sentence keeps the reference that the whole corpus chose."""
        bound = self._bound(as_chosen=True)
        return bound is not None and bound.unbeatable_by(count - 1)

    def _bound(self, *, as_chosen: bool = False) -> RatioLead | None:
        a, b = (side.fractions(as_chosen=as_chosen) for side in (self.behind, self.ahead))
        return RatioLead(a=a, b=b) if a is not None and b is not None else None

    def _number_of_sets(self, count: int) -> float:
        """How many sets are smaller, where trying them proves something."""
        if self.ahead.by_position:
            return float("inf")
        return sum(comb(len(self.ahead), size) for size in range(1, count))

    def _by_trying(self, at_least: int, removed: Sentences | None) -> tuple[Sentences | None, int]:
        """The smallest of all sets, by trying them from ``at_least`` sentences on."""
        size = len(self.ahead)
        count = size if removed is None else len(removed)
        for fewer in range(at_least, count):
            for sets in _batches(combinations(range(size), fewer), max(1, 4_000_000 // size)):
                for place in np.flatnonzero(self._leads(sets) <= TOLERANCE):
                    return sets[place], fewer
        return removed, count


def _batches(sets: Iterator[tuple[int, ...]], step: int) -> Iterator[list[Sentences]]:
    while batch := list(islice(sets, step)):
        yield [np.array(members, dtype=np.int64) for members in batch]


# How many sentences must go before B no longer leads A? A proof that fewer do not suffice, for scores Σn / Σd.
#
# Without its lead, B lies at or below some t, and A at or above it. Over the kept sentences then, for every λ in [0,
# 1],
#
#     Σ (n_B − t·d_B) ≤ 0   and   Σ (n_A − t·d_A) ≥ 0,   hence   Σ wᵢ ≤ 0,   w = λ(n_B − t·d_B) − (1 − λ)(n_A − t·d_A).
#
# For one t and λ, k sentences can lower Σw by the k largest wᵢ and no more. If Σw stays above 0, then no k sentences
# take B's lead away at this t. What the k largest leave is concave in λ, so its maximum is quickly found. For all t of
# an interval [t₁, t₂], take t₂ for B and t₁ for A: d is never negative, so removing can only become easier. Intervals
# where no λ gives a proof are halved.


MOST_INTERVALS = 2000
STEPS = 30  # of the golden section over λ
GOLDEN = (5**0.5 - 1) / 2
ROUNDING = 1e-9  # of the size of the sums: what is nearer to 0 proves nothing


@dataclass(frozen=True, eq=False, kw_only=True)
class RatioLead:
    """B leads A; their scores rise with Σn / Σd over the same sentences."""

    a: tuple[Array, Array]
    b: tuple[Array, Array]

    def unbeatable_by(self, count: int) -> bool:
        """Whether it is proven that B leads without any ``count`` sentences, or fewer."""
        return self.obstacle(count) is None

    def obstacle(self, count: int) -> Array | None:
        """None where it is proven; else weights wᵢ whose largest may be those of sentences that take the lead away."""
        if not self._always_defined(count):
            return np.zeros(len(self.a[0]))
        if np.array_equal(self.a[1], self.b[1]):  # Σn decides, whatever t is
            weights = self.b[0] - self.a[0]
            return None if self._sum_of_rest(weights, count) > 0 else weights
        ratios = [n[d > 0] / d[d > 0] for n, d in (self.a, self.b)]
        intervals = [(min(map(np.min, ratios)), max(map(np.max, ratios)))]
        for _ in range(MOST_INTERVALS):
            if not intervals:
                return None
            low, high = intervals.pop()
            middle = (low + high) / 2
            weights, left = self._best_weights(middle, middle, count)
            if left <= 0 or high - low < ROUNDING:
                return weights
            if self._best_weights(low, high, count)[1] <= 0:
                intervals += [(low, middle), (middle, high)]
        return weights

    def _always_defined(self, count: int) -> bool:
        """Whether no ``count`` sentences leave a denominator of 0; and 0 / 0 is the only fraction with a 0 below."""
        return all(
            d.min() >= 0 and d.sum() > np.sort(d)[len(d) - count :].sum() and not n[d == 0].any()
            for n, d in (self.a, self.b)
        )

    def _best_weights(self, low: float, high: float, count: int) -> tuple[Array, float]:
        """The weights that leave most, by a golden section over λ, and what they leave."""
        of_b, of_a = self.b[0] - high * self.b[1], low * self.a[1] - self.a[0]

        def left(share: float) -> float:
            return self._sum_of_rest(share * of_b + (1 - share) * of_a, count)

        start, stop = 0.0, 1.0
        inner = [stop - GOLDEN * (stop - start), start + GOLDEN * (stop - start)]
        values = [left(share) for share in inner]
        for _ in range(STEPS):
            if max(values) > 0:
                break
            if values[0] < values[1]:
                start, inner[0], values[0] = inner[0], inner[1], values[1]
                inner[1] = start + GOLDEN * (stop - start)
                values[1] = left(inner[1])
            else:
                stop, inner[1], values[1] = inner[1], inner[0], values[0]
                inner[0] = stop - GOLDEN * (stop - start)
                values[0] = left(inner[0])
        best = inner[int(values[1] > values[0])]
        return best * of_b + (1 - best) * of_a, max(values)

    def _sum_of_rest(self, weights: Array, count: int) -> float:
        """Σw without its ``count`` largest positive ones, less what rounding may have added."""
        largest = np.partition(weights, len(weights) - count)[len(weights) - count :] if count else weights[:0]
        return float(weights.sum() - np.maximum(largest, 0).sum() - ROUNDING * np.abs(weights).sum())


def least_removals(lead: RatioLead, enough: int) -> int:
    """The least number of sentences that may take the lead away; ``enough`` is known to."""
    low, high = 0, enough  # fewer than low + 1 do not, high may
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if lead.unbeatable_by(middle) else (low, middle)
    return high
