"""Coverage of a few references, computed from how often the references of many sentences agree.

Each sentence has M references. The fingerprints F of all sentences add up, and so do their histograms h. From M
references we compute the coverage of M − 1 references exactly: the M-th reference is one more valid correction, and we
see whether it is among the others. For M references we must extrapolate by one:

    c_{M−1} = Σ_{i≥2} iFᵢ / Σ iFᵢ,         c_M = c_{M−1} + ρ·F₂/C(M, 2) / mass,   mass = Σ iFᵢ/M,

where ρ = Σ hx²(1−x)^{M−1} / Σ hx²(1−x)^{M−2} lies between 0 and 1. Only ρ needs the estimated histogram. All other
terms add up over sentences, so a bootstrap resample solves no linear programme.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from gecval.stats.coverage import first_enough
from gecval.stats.resampling import Interval
from gecval.stats.unseen import Array, Histogram, Programme

# The least frequency that 50 crowd corrections of a sentence can show. A few references show nothing below 1/M, but the
# crowd shows that much of the probability lies there.
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
        """For each sentence: its references, those that equal another reference, and F₂/C(M, 2)·M."""
        given = self.fingerprints * np.arange(1, self.references + 1)
        pairs = self.fingerprints[:, 1] * self.references / comb(self.references, 2)
        return np.stack([given.sum(axis=1), given[:, 1:].sum(axis=1), pairs], axis=1)

    @cached_property
    def programme(self) -> Programme:
        return Programme(self.fingerprints.sum(axis=0), self.references, SMALLEST)

    def histogram(self) -> Histogram:
        """The histogram of all sentences together, scaled to probability 1."""
        unscaled = self.programme.histogram()
        return Histogram(unscaled.frequencies, unscaled.variants / unscaled.above(0)[1])

    def remaining_share(self, histogram: Histogram) -> float:
        """ρ."""
        before, after = (
            histogram.expected(lambda x, power=power: x**2 * (1 - x) ** power)  # type: ignore[misc]
            for power in (self.references - 2, self.references - 1)
        )
        return after / before if before else 0.0

    def bounds(self, references: int) -> Interval:
        """The least and the largest coverage under all histograms that explain the agreement nearly as well."""
        ends = self.programme.bounds(lambda x: x * (1 - (1 - x) ** references))
        mass = float(self.rows[:, 0].sum()) / self.references
        return Interval(ends.low / mass, min(1.0, ends.high / mass))

    def more_to_halve(self, covered: float) -> Interval | None:
        """How many more references would halve what M references miss: a lower and an upper estimate.

        M references say little about corrections whose probability is far below 1/M, so the two estimates may be far
        apart. If the references always agree, nothing shows what they miss, and the result is None.
        """
        if np.allclose(self.fingerprints[:, :-1], 0):
            return None
        wanted = (1 + covered) / 2
        least = first_enough(lambda number: self.bounds(number).high >= wanted)
        most = first_enough(lambda number: self.bounds(number).low >= wanted)
        return Interval(max(0, least - self.references), max(0, most - self.references))


def agreed_coverage(totals: Array, remaining_share: float) -> Array:
    """c_M from sums of ``ReferenceAgreement.rows``, whose columns are the last axis. It is 1 where there are none."""
    given, agreeing, pairs = totals[..., 0], totals[..., 1], totals[..., 2]
    covered: Array = np.ones_like(given)
    np.divide(agreeing + remaining_share * pairs, given, out=covered, where=given > 0)
    return covered
