"""Paired tests: is the difference between two systems on the same sentences more than chance?

Two systems differ by δ. Paired bootstrap: p is the share of resamples whose δ* lies as far from the mean of all δ* as δ
lies from 0. Approximate randomisation: p is the share of random swaps of the two outputs, sentence by sentence, that
give a difference as large as δ. Both count the observed difference too, so p is never 0.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gecval.stats.resampling import Array, Draws, Interval, Resampled, Resampling, interval_of, resampled_scores
from gecval.stats.ties import share_as_large


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
) -> PairedTest:
    """Compare two systems by the paired bootstrap and by approximate randomisation.

    In ``both``, sentence *i* of ``b`` is number ``i + len(a)``. ``resampled`` are the ``resampled_scores`` of ``a`` and
    ``b``, where they are at hand.
    """
    difference = b.score() - a.score()
    of_both = resampled or (resampled_scores(a, resampling), resampled_scores(b, resampling))
    differences = of_both[1] - of_both[0]
    trials = [both.scores_swapped(first, second) for first, second in resampling.swapped(len(a))]
    swapped = np.concatenate([of_first - of_second for of_first, of_second in trials])

    def differences_without(blocks: list[slice]) -> Array:
        return b.scores_without(blocks) - a.scores_without(blocks)

    return PairedTest(
        difference=difference,
        interval=interval_of(differences, difference, differences_without, size=len(a), resampling=resampling),
        # The observed difference is one of those counted.
        bootstrap_p=share_as_large(np.append(differences - differences.mean(), difference), difference),
        randomisation_p=share_as_large(np.append(swapped, difference), difference),
    )
