"""The macro average as its page of the specification says it: dictionaries of types, one sentence at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Counts = Mapping[str, Sequence[float]]  # tp, fp and fn by type


def f(counts: Sequence[float], beta: float) -> float:
    tp, fp, fn = counts
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def together(a: Counts, b: Counts) -> dict[str, list[float]]:
    none = (0, 0, 0)
    kinds = [*a, *(kind for kind in b if kind not in a)]
    return {kind: [x + y for x, y in zip(a.get(kind, none), b.get(kind, none), strict=True)] for kind in kinds}


def macro_f(counts: Counts, beta: float) -> float:
    """The mean of F over the types that occur."""
    values = [f(of_type, beta) for of_type in counts.values() if any(of_type)]
    return sum(values) / len(values) if values else 1.0


def rounded_macro_f(counts: Counts, beta: float) -> int:
    """The same in ten thousandths, each F and the mean rounded as the tool does."""
    values = [round(10_000 * round(f(of_type, beta), 4)) for of_type in counts.values() if any(of_type)]
    return round(sum(values) / len(values)) if values else 10_000


def running_totals(sentences: Sequence[Sequence[Counts]], beta: float) -> Counts:
    totals: Counts = {}
    for options in sentences:

        def merit(counts: Counts, so_far: Counts = totals) -> tuple[float, ...]:
            tp, fp, fn = (sum(of_type[k] for of_type in counts.values()) for k in range(3))
            return rounded_macro_f(together(so_far, counts), beta), tp, -fp, -fn

        totals = together(totals, max(options, key=merit))
    return totals
