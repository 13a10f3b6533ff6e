"""Coverage told by a handful of references of many sentences, from how often they agree.

With M references each, the fingerprints F of all sentences add up, and so do the histograms h behind them. Coverage of
one reference less needs no estimate, for the M-th is a correction drawn like any other:

    c_{M−1} = Σ_{i≥2} iFᵢ / Σ iFᵢ,         c_M = c_{M−1} + ρ·F₂/C(M, 2) / mass,   mass = Σ iFᵢ/M,

where ρ = Σ hx²(1−x)^{M−1} / Σ hx²(1−x)^{M−2} lies between 0 and 1 and is all that the estimated histogram is needed
for. Everything else is additive, so that a resample costs no linear programme.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from gecval.stats.coverage import first_enough
from gecval.stats.resampling import Interval
from gecval.stats.unseen import Array, Histogram, Programme

# The least frequency that 50 crowd corrections a sentence can tell. A handful of references tells nothing below 1/M,
# but the crowd shows that the mass lies there.
SMALLEST = 1 / 5000


@dataclass(frozen=True, eq=False)
class ReferenceAgreement:
    """``fingerprints[sentence, i − 1]`` corrections were given by i of M references."""

    fingerprints: Array

    @property
    def references(self) -> int:
        return int(self.fingerprints.shape[1])

    @property
    def rows(self) -> Array:
        """Per sentence: references, those that equal another, and F₂/C(M, 2)·M."""
        given = self.fingerprints * np.arange(1, self.references + 1)
        pairs = self.fingerprints[:, 1] * self.references / comb(self.references, 2)
        return np.stack([given.sum(axis=1), given[:, 1:].sum(axis=1), pairs], axis=1)

    @cached_property
    def programme(self) -> Programme:
        return Programme(self.fingerprints.sum(axis=0), self.references, SMALLEST)

    def histogram(self) -> Histogram:
        """Of all sentences together, with probability 1."""
        found = self.programme.histogram()
        return Histogram(found.frequencies, found.variants / found.above(0)[1])

    def remaining_share(self, histogram: Histogram) -> float:
        """ρ."""
        before, after = (
            histogram.expected(lambda x, power=power: x**2 * (1 - x) ** power)  # type: ignore[misc]
            for power in (self.references - 2, self.references - 1)
        )
        return after / before if before else 0.0

    def bounds(self, references: int) -> Interval:
        """The coverage of so many references under every histogram that explains the agreement nearly as well."""
        ends = self.programme.bounds(lambda x: x * (1 - (1 - x) ** references))
        mass = float(self.rows[:, 0].sum()) / self.references
        return Interval(ends.low / mass, min(1.0, ends.high / mass))

    def more_to_halve(self, covered: float) -> Interval | None:
        """How many references more would halve what M of them miss: at least, and at most.

        What lies far below 1/M cannot be told from M references, so the two may be far apart. Where the references
        always agree they miss nothing that could be seen, and there is no number.
        """
        if np.allclose(self.fingerprints[:, :-1], 0):
            return None
        wanted = (1 + covered) / 2
        least = first_enough(lambda number: self.bounds(number).high >= wanted)
        most = first_enough(lambda number: self.bounds(number).low >= wanted)
        return Interval(max(0, least - self.references), max(0, most - self.references))


def agreed_coverage(totals: Array, remaining_share: float) -> Array:
    """c_M from summed rows; the last axis is that of ``ReferenceAgreement.rows``. Where nothing is given, 1."""
    given, agreeing, pairs = totals[..., 0], totals[..., 1], totals[..., 2]
    covered: Array = np.ones_like(given)
    np.divide(agreeing + remaining_share * pairs, given, out=covered, where=given > 0)
    return covered
