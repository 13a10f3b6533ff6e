"""Coverage and matching by trying everything: slow, and obviously right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import prod


def coverage(probabilities: Sequence[float], references: int) -> float:
    """Over all ways to draw references with replacement: their chance, times what they cover."""
    everything = range(len(probabilities))
    return sum(
        prod(probabilities[i] for i in drawn) * sum(probabilities[i] for i in set(drawn))
        for drawn in product(everything, repeat=references)
    )


def coverage_without_replacement(probabilities: Sequence[float], references: int) -> float:
    """Over all orders in which so many different ones can be drawn."""
    total = 0.0
    for drawn in permutations(range(len(probabilities)), references):
        chance, left = 1.0, 1.0
        for i in drawn:
            chance *= probabilities[i] / left
            left -= probabilities[i]
        total += chance * sum(probabilities[i] for i in drawn)
    return total


def objective(fingerprint: Sequence[float], pmf: Sequence[Sequence[float]], variants: Sequence[float]) -> float:
    """UnseenEst's objective, term by term; ``pmf[i][j]`` is the chance to see a variant of frequency j i + 1 times."""
    total = 0.0
    for i, seen in enumerate(fingerprint):
        explained = sum(chance * count for chance, count in zip(pmf[i], variants, strict=True))
        total += abs(explained - seen) / (seen + 1) ** 0.5
    return total


def edit_distance(a: str, b: str) -> int:
    """Levenshtein's, by its definition."""
    if not a or not b:
        return len(a) + len(b)
    return min(edit_distance(a[1:], b[1:]) + (a[0] != b[0]), edit_distance(a[1:], b) + 1, edit_distance(a, b[1:]) + 1)


def cheapest_matching(source: Sequence[str], corrected: Sequence[str]) -> int:
    """The least cost of any one-to-one matching, where a word left alone costs its length."""
    size = max(len(source), len(corrected))
    mine, theirs = ([*words, *[""] * (size - len(words))] for words in (source, corrected))
    return min(
        sum(edit_distance(mine[i], theirs[j]) for i, j in enumerate(order)) for order in permutations(range(size))
    )
