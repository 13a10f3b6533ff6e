"""The search for the smallest set of sentences without which a lead is gone.

1. Remove the sentences of largest influence, about half of those that seem to be needed, and look again.
2. Make the set smaller. Take back what is not needed. Then rank all sentences by their influence where the lead is
   about to vanish, and try as many of them less one. Then try swaps.
3. Say how small a set could be: from the bound for ratios, or from trying all smaller sets where these are few.

Whether a set takes the lead away is always decided by scoring the other sentences from scratch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np

from gecval.stats.influence import Reducible, Sentences, influences
from gecval.stats.ratio_bound import RatioLead, least_removals
from gecval.stats.resampling import Array
from gecval.stats.ties import TOLERANCE

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
        if self._turned(none):
            return none, 0
        removed = self._greedy()
        if removed is not None:
            removed = self._smaller(removed)
        bound = self._bound()
        # One sentence must stay: without all of them there is no score.
        count = size if removed is None else len(removed)
        at_least = 1
        if bound is not None:
            while (witness := bound.obstacle(count - 1)) is not None and count > 1:
                candidate = np.sort(np.argsort(-witness, kind="stable")[: count - 1])
                if not self._turned(candidate):
                    break
                removed = self._smaller(candidate)
                count = len(removed)
            at_least = count if witness is None else least_removals(bound, count)
        if at_least < count and self._number_of_sets(count) <= all_sets:
            return self._by_trying(at_least, removed)
        return removed, at_least

    def lead(self, removed: Sentences) -> float:
        """The lead without these sentences, scored from scratch."""
        kept = self._kept(removed)
        return self.ahead.over(kept).score() - self.behind.over(kept).score()

    def ranked(self, removed: Sentences) -> Sentences:
        """The removed sentences, the most influential first."""
        if len(removed) == 0:
            return removed
        return removed[np.argsort(-influences(self.behind, self.ahead)[removed], kind="stable")]

    def _kept(self, removed: Sentences) -> Sentences:
        return without(len(self.ahead), removed)

    def _turned(self, removed: Sentences) -> bool:
        return self.lead(removed) <= TOLERANCE

    def _leads(self, sets: list[Sentences]) -> Array:
        """The lead without each of these sets, which are of one size. References may be drawn by other places."""
        kept = np.array([self._kept(removed) for removed in sets])
        step = max(1, 4_000_000 // kept.shape[1])
        blocks = [kept[first : first + step] for first in range(0, len(kept), step)]
        return np.concatenate([self.ahead.scores_over(block) - self.behind.scores_over(block) for block in blocks])

    def _greedy(self) -> Sentences | None:
        removed = np.array([], dtype=np.int64)
        while (lead := self.lead(removed)) > TOLERANCE:
            kept = self._kept(removed)
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
        """As many sentences that take the lead away, where these leave ``best``: by ranking anew, and by swaps."""
        for _ in range(ROUNDS):
            speaks = self._influences_at(removed)
            ranked = np.argsort(-speaks, kind="stable")
            candidates = [np.sort(ranked[: len(removed)]), *self._swapped(removed, speaks)]
            candidate, lead = self._nearest(candidates, 3)
            if lead <= TOLERANCE:
                return candidate
            if lead >= best:
                break
            removed, best = candidate, lead
        return None

    def _influences_at(self, removed: Sentences) -> Array:
        """The influence of every sentence on the lead where ``removed`` are gone; of these, if they came back."""
        kept = self._kept(removed)
        speaks = np.empty(len(self.ahead))
        speaks[kept] = influences(self.behind.over(kept), self.ahead.over(kept))
        speaks[removed] = self._leads([np.delete(removed, place) for place in range(len(removed))]) - self.lead(removed)
        return speaks

    def _swapped(self, removed: Sentences, speaks: Array) -> list[Sentences]:
        """The set with one of its least influential sentences in exchange for one of the most influential others."""
        weakest = np.argsort(speaks[removed], kind="stable")[:SWAPS]
        kept = self._kept(removed)
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
