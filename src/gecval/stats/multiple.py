"""Many tests at once: with 20 of them, one in 20 false alarms is one alarm on average.

    Holm (1979)                       p₍ᵢ₎ → max over j ≤ i of min(1, (m − j + 1) · p₍ⱼ₎)
    Benjamini & Hochberg (1995), bh   p₍ᵢ₎ → min over j ≥ i of min(1, m / j · p₍ⱼ₎),         p₍₁₎ ≤ p₍₂₎ ≤ … ≤ p₍ₘ₎

Holm: if all differences are chance, the probability that any corrected p lies below α is at most α. Benjamini &
Hochberg: of the differences whose corrected p lies below α, at most the share α is chance, on average. This holds for
independent tests, and for tests that tend to agree, as those of systems against one baseline do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, get_args

from gecval.errors import InputError

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
