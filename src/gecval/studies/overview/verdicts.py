"""What the numbers say, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from gecval.studies.scores.results import Comparison, Score

MOST_NAMES = 4  # more are counted


def verdicts(scores: Sequence[Score], comparisons: Sequence[Comparison], sentences: int) -> Iterator[str]:
    """One sentence or two for each metric; ``scores`` go from best to worst under each."""
    if not comparisons:
        for score in scores:
            yield f"{score.system} scores {score.score:.4f} under {score.metric}."
        yield (
            "There is only one system, so there is nothing to compare it with."
            if sentences > 1
            else "One sentence does not show what chance can do, so no systems are compared."
        )
        return
    by_metric = {metric: list(family) for metric, family in groupby(comparisons, lambda pair: pair.metric)}
    for metric, ranked in groupby(scores, lambda score: score.metric):
        names = [score.system for score in ranked]
        yield _verdict(metric, names, by_metric[metric])


def _verdict(metric: str, names: list[str], pairs: list[Comparison]) -> str:
    """The best system under one metric, and those that chance may explain."""
    best = names[0]
    of_best = [pair for pair in pairs if pair.system == best]
    beaten = [pair for pair in of_best if pair.significant]
    level = [pair.baseline for pair in of_best if not pair.significant]
    if len(names) == 2:
        [pair] = of_best
        if pair.significant:
            return f"{best} is better than {pair.baseline} under {metric} ({p_text(pair.p)})."
        return f"{metric} cannot tell {listed(names)} apart ({p_text(pair.p)})."
    if not beaten:
        return f"{metric} puts {best} first, but cannot tell it from any other system."
    if not level:
        worst = max(pair.p for pair in beaten)
        return f"{best} is better than all others under {metric} ({p_text(worst, most=True)})."
    return f"{metric} puts {best} first, but cannot tell it from {listed(level)}."


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them.

    >>> listed(["A"]), listed(["A", "B", "C"]), listed(["A", "B", "C", "D", "E"])
    ('A', 'A, B and C', 'A, B, C and 2 more')
    """
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[: MOST_NAMES - 1])} and {len(names) - MOST_NAMES + 1} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def p_text(p: float, *, most: bool = False) -> str:
    """A p-value as papers write it.

    >>> p_text(0.003), p_text(0.0004), p_text(0.2), p_text(0.003, most=True)
    ('p = .003', 'p < .001', 'p = .200', 'p ≤ .003')
    """
    if p < 0.0005:
        return "p < .001"
    sign = "≤" if most else "="
    return f"p {sign} 1" if p >= 0.9995 else f"p {sign} {p:.3f}".replace("0.", ".")
