"""How likely is a test to find a difference? From how far the difference varies from sample to sample.

    chance = Φ(|d| / s − z) + Φ(−|d| / s − z),   z = Φ⁻¹(1 − 0.05 / 2)

d is the expected difference over n sentences, and s its standard error. Both come from a simulation: n sentences are
drawn again and again from the given ones, with replacement, and both systems are scored on each draw. So kinks of a
score, such as a brevity penalty, and biases of small samples count. Beyond the given sentences, s falls with 1/√n and
the bias with 1/n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from gecval.stats.resampling import Array, Resampled

SIGNIFICANT = 0.05  # what `compare` calls significant
MOST_SENTENCES = 1_000_000_000
CELLS = 2_000_000  # sentences drawn at a time


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The mean and the standard error of a difference over samples of several sizes.

    ``sizes`` rise; the last is the number of given sentences, over which the difference is ``difference``.
    """

    difference: float
    sizes: tuple[int, ...]
    means: tuple[float, ...]
    errors: tuple[float, ...]

    def error(self, sentences: int) -> float:
        """The standard error over so many sentences."""
        roots = np.sqrt(self.sizes)
        of_one = np.interp(np.log(sentences), np.log(self.sizes), np.asarray(self.errors) * roots)
        return float(of_one / np.sqrt(sentences))

    def bias(self, sentences: int) -> float:
        """How far the expected difference over so many sentences lies from that over many."""
        biases = (np.asarray(self.means) - self.difference) * self.sizes
        return float(np.interp(np.log(sentences), np.log(self.sizes), biases) / sentences)

    def chance(self, difference: float, sentences: int) -> float:
        """The chance that the test finds a true difference with so many sentences.

        >>> spread = Spread(difference=0.1, sizes=(50, 100), means=(0.1, 0.1), errors=(0.05 * 2**0.5, 0.05))
        >>> [round(spread.chance(0.1, n), 3) for n in (50, 100, 200)], round(spread.chance(0.0, 100), 3)
        ([0.293, 0.516, 0.807], 0.05)
        """
        expected, error = difference + self.bias(sentences), self.error(sentences)
        if error == 0:  # the outputs score alike on every sentence, so that a difference is certain or none
            return float(expected != 0)
        return chance_at(expected / error)

    def needed(self, difference: float, chance: float) -> int | None:
        """The least number of sentences that gives the chance; None where a billion does not.

        >>> Spread(difference=0.1, sizes=(100,), means=(0.1,), errors=(0.05,)).needed(0.1, 0.8)
        197
        """
        return _first(lambda n: self.chance(difference, n) >= chance, 2, MOST_SENTENCES)

    def detectable(self, sentences: int, chance: float) -> float:
        """The smallest difference that so many sentences find with the chance."""
        normal = NormalDist()
        low, high = 0.0, normal.inv_cdf(chance) + normal.inv_cdf(1 - SIGNIFICANT / 2) + 10
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (low, middle) if chance_at(middle) >= chance else (middle, high)
        return high * self.error(sentences)


def chance_at(distance: float) -> float:
    """The chance to find a difference that lies so many standard errors from 0.

    >>> round(chance_at(2.8), 2), round(chance_at(-2.8), 2), round(chance_at(0), 2)
    (0.8, 0.8, 0.05)
    """
    normal, z = NormalDist(), NormalDist().inv_cdf(1 - SIGNIFICANT / 2)
    return normal.cdf(abs(distance) - z) + normal.cdf(-abs(distance) - z)


def _first(enough: Callable[[int], bool], low: int, most: int) -> int | None:
    """The first number that is enough, if more are enough too."""
    high = low
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return high


def simulate_spread(
    pairs: Sequence[tuple[Resampled, Resampled]], sizes: Sequence[int], *, simulations: int = 1000, seed: int = 1
) -> Spread:
    """The spread of the difference b − a over samples of each size and of the given sentences.

    Several pairs are the same two systems against other references; each gets its share of the simulations.
    """
    at_hand = len(pairs[0][0])
    listed = sorted({*(size for size in sizes if size < at_hand), at_hand})
    of_sizes = [_differences(pairs, size, simulations, seed) for size in listed]
    return Spread(
        difference=float(np.mean([b.score() - a.score() for a, b in pairs])),
        sizes=tuple(listed),
        means=tuple(float(drawn.mean()) for drawn in of_sizes),
        errors=tuple(float(drawn.std(ddof=1)) for drawn in of_sizes),
    )


def _differences(pairs: Sequence[tuple[Resampled, Resampled]], size: int, simulations: int, seed: int) -> Array:
    rng = np.random.default_rng([seed, size])
    shares = np.bincount(np.arange(simulations) % len(pairs), minlength=len(pairs)).tolist()
    step = max(1, CELLS // size)
    drawn = []
    for (a, b), share in zip(pairs, shares, strict=True):
        for first in range(0, share, step):
            draws = rng.integers(len(a), size=(min(step, share - first), size), dtype=np.int64)
            drawn.append(b.scores_over(draws) - a.scores_over(draws))
    return np.concatenate(drawn)


def carriers(influences: Array) -> float:
    """How many sentences carry a difference: (Σ u²)² / Σ u⁴ of their influences u around the mean.

    So many sentences of equal weight would vary as much. Few carriers make the normal approximation poor.

    >>> round(carriers(np.array([1.0, -1.0, 1.0, -1.0])), 3), round(carriers(np.array([3.0, -1, -1, -1])), 3)
    (4.0, 1.714)
    """
    centred = influences - influences.mean()
    fourth = float((centred**4).sum())
    return float((centred**2).sum() ** 2 / fourth) if fourth > 0 else 0.0
