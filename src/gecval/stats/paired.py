"""Paired tests: is the difference between two systems on the same sentences more than chance?

Two systems differ by δ. Paired bootstrap: p is the share of resamples whose δ* lies as far from the mean of all δ* as δ
lies from 0. Approximate randomisation: p is the share of random swaps of the two outputs, sentence by sentence, that
give a difference as large as δ. Both count the observed difference too, so p is never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, Protocol, get_args

import numpy as np

from gecval.errors import InputError
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
) -> PairedTest:
    """Compare two systems by the paired bootstrap and by approximate randomisation.

    In ``both``, sentence *i* of ``b`` is number ``i + len(a)``. ``resampled`` are the ``resampled_scores`` of ``a`` and
    ``b``, and ``differences_without`` gives their differences without blocks, where these are available.
    """
    difference = b.score() - a.score()
    of_both = resampled or (resampled_scores(a, resampling), resampled_scores(b, resampling))
    differences = of_both[1] - of_both[0]
    trials = [both.scores_swapped(first, second) for first, second in resampling.swapped(len(a))]
    swapped = np.concatenate([of_first - of_second for of_first, of_second in trials])

    def computed(blocks: list[slice]) -> Array:
        return b.scores_without(blocks) - a.scores_without(blocks)

    without = differences_without or computed
    return PairedTest(
        difference=difference,
        interval=resampled_interval(differences, difference, without, size=len(a), resampling=resampling),
        # The observed difference is one of those counted.
        bootstrap_p=share_as_large(np.append(differences - differences.mean(), difference), difference),
        randomisation_p=share_as_large(np.append(swapped, difference), difference),
    )


# Many tests at once: with 20 of them, one in 20 false alarms is one alarm on average.
#
#     Holm (1979)                       p₍ᵢ₎ → max over j ≤ i of min(1, (m − j + 1) · p₍ⱼ₎)
#     Benjamini & Hochberg (1995), bh   p₍ᵢ₎ → min over j ≥ i of min(1, m / j · p₍ⱼ₎),         p₍₁₎ ≤ p₍₂₎ ≤ … ≤ p₍ₘ₎
#
# Holm: if all differences are chance, the probability that any corrected p lies below α is at most α. Benjamini &
# Hochberg: of the differences whose corrected p lies below α, at most the share α is chance, on average. This holds for
# independent tests, and for tests that tend to agree, as those of systems against one baseline do.


Correction = Literal["none", "holm", "bh"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
NAMES: dict[Correction, str] = {"none": "no", "holm": "Holm's", "bh": "Benjamini and Hochberg's"}


def corrected(p_values: Sequence[float], correction: Correction) -> list[float]:
    """The p-values of a family of tests, corrected for how many there are.

    >>> corrected([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> corrected([0.01, 0.04, 0.03], "bh")
    [0.03, 0.04, 0.04]
    >>> corrected([0.01, 0.04, 0.03], "none")
    [0.01, 0.04, 0.03]
    """
    if correction not in CORRECTIONS:
        raise InputError(f"the correction must be one of {', '.join(CORRECTIONS)}, not {correction!r}")
    if correction == "none":
        return list(p_values)
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i])
    if correction == "holm":
        weighted = (min(1.0, (count - place) * p_values[i]) for place, i in enumerate(order))
        by_place = dict(zip(order, accumulate(weighted, max), strict=True))
    else:
        backwards = [(place, i) for place, i in enumerate(order, start=1)][::-1]
        # p₍ₘ₎ comes first, so all are at most 1. A p that is undefined (NaN) counts as 1: it must not spoil the others.
        shared = (min(1.0, p_values[i] * (count / place)) for place, i in backwards)
        by_place = dict(zip((i for _, i in backwards), accumulate(shared, min), strict=True))
    return [by_place[i] for i in range(count)]
