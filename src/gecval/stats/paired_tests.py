"""Paired tests: is the difference between two systems on the same sentences more than chance?

Two systems differ by δ = Σ vᵢ, the sum of what each sentence adds to it (``contributions.py``).

    studentised      the share of random signs εᵢ = ±1 with |Σ εᵢvᵢ| ≥ |δ|
    bootstrap        the share of resamples whose δ* lies as far from the mean of all δ* as δ lies from 0
    randomisation    the share of random swaps of the two outputs, sentence by sentence, with a difference as large as δ

All count the observed difference too, so p is never 0.

*Randomisation* tests whether outputs can be exchanged, not whether scores are equal. For a mean over sentences this is
the same. For F it is not: of a timid and a bold system with equal F, it calls .10 significant at p < .05, whatever the
size of the test set, because a swapped edit counts with the other system's precision. *Bootstrap* is liberal on small
sets (.062 to .078 with 50 sentences).

The *studentised* test changes signs of contributions instead (sign flips of scores: Hemerik, Goeman & Finos 2020,
Journal of the Royal Statistical Society B 82; Canay, Romano & Shaikh 2017). Σ vᵢ² is the same for all signs, so the
test compares δ in units of its own standard error, as studentised permutation does (Janssen 1997; Chung & Romano 2013).
For a mean of single sentences it is the randomisation test, exact where outputs can be exchanged. For every other
score it holds as n grows, however unlike the systems are: .054 at n = 200. *Known failure*: .064 at n = 50 (a note says
that these are few); systems that differ in five sentences or fewer have no p below .06.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, Protocol, get_args

import numpy as np

from gecval import _native
from gecval.errors import InputError
from gecval.stats.contributions import Contributions
from gecval.stats.resampling import (
    Array,
    Draws,
    Interval,
    Resampled,
    Resampling,
    resampled_interval,
    resampled_scores,
    share_as_large,
)

Test = Literal["studentised", "larger"]  # which p counts: the studentised one, or the larger of the two others
TESTS: tuple[Test, ...] = get_args(Test)


class Swappable(Resampled, Protocol):
    """Two systems as one: those of the second follow the sentences of the first."""

    def scores_swapped(self, first: Draws, second: Draws) -> tuple[Array, Array]:
        """``scores_over`` both, where a list has what the other lacks."""


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """B against A: the difference of their scores, its interval, and how easily chance makes one as large."""

    difference: float
    interval: Interval
    bootstrap_p: float
    randomisation_p: float


def paired_test(
    a: Resampled,
    b: Resampled,
    both: Swappable,
    resampling: Resampling,
    *,
    resampled: tuple[Array, Array] | None = None,
    differences_without: Callable[[list[slice]], Array] | None = None,
    swaps: bool = True,
) -> PairedTest:
    """Compare two systems by the paired bootstrap and by approximate randomisation.

    In ``both``, sentence *i* of ``b`` is number ``i + len(a)``. ``resampled`` are the ``resampled_scores`` of ``a`` and
    ``b``, and ``differences_without`` gives their differences without blocks, where these are available. Without
    ``swaps``, which take most of the time, the p of randomisation is NaN.
    """
    difference = b.score() - a.score()
    of_both = resampled or (resampled_scores(a, resampling), resampled_scores(b, resampling))
    differences = of_both[1] - of_both[0]

    def computed(blocks: list[slice]) -> Array:
        return b.scores_without(blocks) - a.scores_without(blocks)

    without = differences_without or computed
    return PairedTest(
        difference=difference,
        interval=resampled_interval(differences, difference, without, size=len(a), resampling=resampling),
        # The observed difference is one of those counted.
        bootstrap_p=share_as_large(np.append(differences - differences.mean(), difference), difference),
        randomisation_p=_randomisation_p(both, resampling, len(a), difference) if swaps else math.nan,
    )


def _randomisation_p(both: Swappable, resampling: Resampling, size: int, difference: float) -> float:
    trials = [both.scores_swapped(first, second) for first, second in resampling.draw_swaps(size)]
    swapped = np.concatenate([of_first - of_second for of_first, of_second in trials])
    return share_as_large(np.append(swapped, difference), difference)


def contributions(scored: Resampled, resampling: Resampling, *, without: Array | None = None) -> Contributions:
    """What each sentence or document adds to a score, from the scores ``without`` each where these are available."""
    blocks = resampling.leave_out(len(scored))
    scores = scored.scores_without(blocks) if without is None else without
    return Contributions.of(scored.score(), scores, [block.stop - block.start for block in blocks])


def flip_signs(added: Contributions, resampling: Resampling, size: int) -> Array:
    """Σ εᵢvᵢ under every trial's signs. They are the same for all systems, so a difference of two is that of a pair.

    Sums of eight contributions under all 256 choices of signs come from a table, as a byte holds eight signs.
    """
    signs = resampling.signs(size)
    padded = np.zeros(8 * len(signs))
    padded[: len(added.values)] = added.values
    choices = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    return _native.sign_flip_sums(padded.reshape(-1, 8) @ choices.T, signs)


def studentised_p(a: Array, b: Array, difference: float) -> float:
    """The share of ``flip_signs`` differences b − a as large as the observed one, which is one of them.

    Rounding grows with the scores: sums of a thousand sentences are as exact as their largest is large.
    """
    largest = max(1.0, abs(difference), *(float(np.abs(sums).max(initial=0.0)) for sums in (a, b)))
    return share_as_large(np.append(b - a, difference) / largest, difference / largest)


def studentised_test(a: Resampled, b: Resampled, resampling: Resampling) -> float:
    """The studentised p of b against a."""
    of_a, of_b = contributions(a, resampling), contributions(b, resampling)
    signed_a, signed_b = (flip_signs(added, resampling, len(a)) for added in (of_a, of_b))
    return studentised_p(signed_a, signed_b, of_b.score - of_a.score)


# Many tests at once: with 20 of them, one in 20 false alarms is one alarm on average.
#
#     Holm (1979)                       p₍ᵢ₎ → max over j ≤ i of min(1, (m − j + 1) · p₍ⱼ₎)
#     Benjamini & Hochberg (1995), bh   p₍ᵢ₎ → min over j ≥ i of min(1, m / j · p₍ⱼ₎),         p₍₁₎ ≤ p₍₂₎ ≤ … ≤ p₍ₘ₎
#
# Holm: if all differences are chance, the probability that any corrected p lies below α is at most α. Benjamini &
# Hochberg: of the differences whose corrected p lies below α, at most the share α is chance, on average. This holds for
# independent tests, and for tests that tend to agree, as those of systems against one baseline do.


# A family is all tests that one call makes, or those under one metric.


Family = Literal["all", "metric"]
FAMILIES: tuple[Family, ...] = get_args(Family)

Correction = Literal["none", "holm", "bh"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
NAMES: dict[Correction, str] = {"none": "no", "holm": "Holm's", "bh": "Benjamini and Hochberg's"}


def correct_p_values(p_values: Sequence[float], correction: Correction) -> list[float]:
    """The p-values of a family of tests, corrected for how many there are.

    >>> correct_p_values([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> correct_p_values([0.01, 0.04, 0.03], "bh")
    [0.03, 0.04, 0.04]
    >>> correct_p_values([0.01, 0.04, 0.03], "none")
    [0.01, 0.04, 0.03]
    >>> correct_p_values([float("nan"), 0.01], "holm")
    [1.0, 0.02]
    """
    if correction not in CORRECTIONS:
        raise InputError(f"the correction must be one of {', '.join(CORRECTIONS)}, not {correction!r}")
    if correction == "none":
        return list(p_values)
    count = len(p_values)
    order = sorted(range(count), key=lambda i: (math.isnan(p_values[i]), p_values[i]))  # undefined ones come last
    if correction == "holm":
        weighted = (min(1.0, (count - place) * p_values[i]) for place, i in enumerate(order))
        by_place = dict(zip(order, accumulate(weighted, max), strict=True))
    else:
        backwards = [(place, i) for place, i in enumerate(order, start=1)][::-1]
        # p₍ₘ₎ comes first, so all are at most 1. A p that is undefined (NaN) counts as 1: it must not spoil the others.
        shared = (min(1.0, p_values[i] * (count / place)) for place, i in backwards)
        by_place = dict(zip((i for _, i in backwards), accumulate(shared, min), strict=True))
    return [by_place[i] for i in range(count)]
