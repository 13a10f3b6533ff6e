"""When does correcting pay? Equation 7 of the low-coverage paper.

A system is rewarded for leaving a phrase alone where (α is the price of a wrong correction)

    p_correct·p_coverage − (1 − p_correct·p_coverage)·α < 1 − p_detect.

Solve for p_correct: correcting pays from there on. Above 1 it never pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.errors import InputError

DETECTION = (0.5, 0.8, 0.9, 0.95)


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """The least p_correct from which correcting pays, for one p_detect. None where the references cannot tell."""

    derived: ClassVar[tuple[str, ...]] = ("ever_pays",)

    p_detect: float
    p_correct: float | None

    @property
    def ever_pays(self) -> bool | None:
        return None if self.p_correct is None else self.p_correct <= 1


def break_even(p_detect: float, p_coverage: float, *, alpha: float = 0.0) -> float:
    """The least p_correct from which correcting pays. Above 1, correcting never pays.

    >>> round(break_even(0.8, 0.4), 3), round(break_even(0.8, 0.4, alpha=1.0), 3)
    (0.5, 1.5)
    """
    for name, value in (("p_detect", p_detect), ("p_coverage", p_coverage)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is a probability, not {value:g}")
    check_alpha(alpha)
    return (1 - p_detect + alpha) / ((1 + alpha) * p_coverage) if p_coverage else float("inf")


def break_even_values(
    p_coverage: float | None, *, alpha: float, detection: Sequence[float] = DETECTION
) -> tuple[BreakEven, ...]:
    """One value for each p_detect. They are unknown where the coverage is None or 0."""
    check_alpha(alpha)
    return tuple(
        BreakEven(p_detect=p_detect, p_correct=break_even(p_detect, p_coverage, alpha=alpha) if p_coverage else None)
        for p_detect in detection
    )


def check_alpha(alpha: float) -> None:
    """Refuse a price that cannot be meant."""
    if not 0 <= alpha < float("inf"):
        raise InputError(f"alpha, the price of a wrong correction, cannot be {alpha:g}", parameter="alpha")
