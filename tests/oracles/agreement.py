"""The agreement of annotators, the slow way: every token, every pair, every way to pair edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from gecval import Edit

Seen = Mapping[str, Sequence[Edit]]  # who saw a sentence, and which edits they made


def same(first: Sequence[Edit], second: Sequence[Edit]) -> int:
    """The most pairs over all ways to pair the edits."""
    if len(first) > len(second):
        first, second = second, first
    return max(sum(alike(a, b) for a, b in zip(first, order, strict=False)) for order in permutations(second))


def alike(a: Edit, b: Edit) -> bool:
    return (a.start, a.end) == (b.start, b.end) and bool(set(a.corrections) & set(b.corrections))


def f(sentences: Sequence[Seen], pairs: Sequence[tuple[str, str]]) -> Fraction | None:
    both = [(seen[a], seen[b]) for seen in sentences for a, b in pairs if a in seen and b in seen]
    edits = sum(len(a) + len(b) for a, b in both)
    return Fraction(2 * sum(same(a, b) for a, b in both), edits) if edits else None


def marks(edits: Sequence[Edit], tokens: int) -> list[bool]:
    """Of each token and of the end of the sentence: is it in an edit, or does an insertion stand before it?"""
    return [
        any(edit.start <= token < edit.end or edit.start == edit.end == token for edit in edits)
        for token in range(tokens + 1)
    ]


def kappa(agreed: Fraction, expected: Fraction) -> Fraction | None:
    return None if expected == 1 else (agreed - expected) / (1 - expected)


def cohen(first: Sequence[bool], second: Sequence[bool]) -> Fraction | None:
    size = len(first)
    agreed = Fraction(sum(a == b for a, b in zip(first, second, strict=True)), size)
    p, q = Fraction(sum(first), size), Fraction(sum(second), size)
    return kappa(agreed, p * q + (1 - p) * (1 - q))


def fleiss(units: Sequence[Sequence[bool]]) -> Fraction | None:
    """``units[i]`` are the opinions of all who saw unit i."""
    rated = [opinions for opinions in units if len(opinions) > 1]
    if not rated:
        return None
    agreed = Fraction(0)
    share = Fraction(0)
    for opinions in rated:
        pairs = list(combinations(opinions, 2))
        agreed += Fraction(sum(a == b for a, b in pairs), len(pairs))
        share += Fraction(sum(opinions), len(opinions))
    p = share / len(rated)
    return kappa(agreed / len(rated), p**2 + (1 - p) ** 2)
