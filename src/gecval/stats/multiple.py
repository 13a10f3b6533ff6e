"""Many tests at once: with 20 of them, one in 20 false alarms is one alarm on average.

    Holm (1979)    p₍ᵢ₎ → max over j ≤ i of min(1, (m − j + 1) · p₍ⱼ₎),   p₍₁₎ ≤ p₍₂₎ ≤ … ≤ p₍ₘ₎

If all differences are chance, the probability that any corrected p lies below α is at most α.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, get_args

from gecval.errors import InputError

Correction = Literal["none", "holm"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)


def corrected(p_values: Sequence[float], correction: Correction) -> list[float]:
    """The p-values of a family of tests, corrected for how many there are.

    >>> corrected([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> corrected([0.01, 0.04, 0.03], "none")
    [0.01, 0.04, 0.03]
    """
    if correction not in CORRECTIONS:
        raise InputError(f"the correction must be one of {', '.join(CORRECTIONS)}, not {correction!r}")
    if correction == "none":
        return list(p_values)
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    weighted = (min(1.0, (len(order) - place) * p_values[i]) for place, i in enumerate(order))
    by_place = dict(zip(order, accumulate(weighted, max), strict=True))
    return [by_place[i] for i in range(len(p_values))]
