"""What the numbers say, in plain sentences: who is better, and what the references hide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import isfinite

from gecval.results.table import percent
from gecval.studies.compare.result import Comparison
from gecval.studies.coverage.result import ReferenceCoverage
from gecval.studies.scores.result import Score

MOST_NAMES = 4  # more are counted


def verdicts(
    scores: Sequence[Score],
    comparisons: Sequence[Comparison],
    sentences: int,
    proper_names: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """What the metrics say; ``scores`` go from best to worst under each.

    Metrics are named by their spelling, or by their ``proper_names``.
    """
    if proper_names:
        scores = [replace(score, metric=proper_names[score.metric]) for score in scores]
        comparisons = [replace(pair, metric=proper_names[pair.metric]) for pair in comparisons]
    if not comparisons:
        for score in scores:
            yield f"{score.system} scores {score.score:.4f} under {score.metric}."
        yield (
            "There is only one system, so there is nothing to compare it with."
            if sentences > 1
            else "One sentence does not show what chance can do, so no systems are compared."
        )
        return
    names = {
        metric: [score.system for score in ranked] for metric, ranked in groupby(scores, lambda score: score.metric)
    }
    of_best = {
        metric: [pair for pair in family if pair.system == names[metric][0]]
        for metric, family in groupby(comparisons, lambda pair: pair.metric)
    }
    if len(next(iter(names.values()))) == 2:
        yield from _of_two(names, {metric: pair for metric, [pair] in of_best.items()})
    else:
        yield from _of_many(names, of_best)


def _of_two(names: dict[str, list[str]], pairs: dict[str, Comparison]) -> Iterator[str]:
    """The better of two systems: ``B is better than A under errant (p = .003).``, ``m2 cannot tell …``."""
    better: dict[str, list[str]] = {}  # the better system, "" for none: the metrics that say so
    for metric, pair in pairs.items():
        better.setdefault(pair.system if pair.significant else "", []).append(metric)
    for best, metrics in better.items():
        p_values = [pairs[metric].p for metric in metrics]
        both = names[metrics[0]]
        if best:
            [other] = set(both) - {best}
            yield f"{best} is better than {other} under {listed(metrics)} ({p_text(*p_values)})."
        else:
            yield f"{listed(metrics)} cannot tell {listed(both)} apart ({p_text(*p_values)})."


def _of_many(names: dict[str, list[str]], of_best: dict[str, list[Comparison]]) -> Iterator[str]:
    """The best system and those that are not significantly worse, one sentence for all metrics that agree on both."""
    agreeing: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for metric, pairs in of_best.items():
        level = tuple(sorted(pair.baseline for pair in pairs if not pair.significant))
        agreeing.setdefault((names[metric][0], level), []).append(metric)
    for (best, level), metrics in agreeing.items():
        if not level:
            worst = [pair.p for metric in metrics for pair in of_best[metric]]
            yield f"{best} is better than all others under {listed(metrics)} ({p_text(*worst)})."
            continue
        put = "puts" if len(metrics) == 1 else "put"
        others = "any other system" if len(level) == len(of_best[metrics[0]]) else listed(level)
        yield f"{listed(metrics)} {put} {best} first, but cannot tell it from {others}."


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them.

    >>> listed(["A"]), listed(["A", "B", "C"]), listed(["A", "B", "C", "D", "E"])
    ('A', 'A, B and C', 'A, B, C and 2 more')
    """
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[: MOST_NAMES - 1])} and {len(names) - MOST_NAMES + 1} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def p_text(*p_values: float) -> str:
    """A p-value as papers write it; of several the largest where all are significant, else the smallest.

    >>> p_text(0.003), p_text(0.0004), p_text(0.2), p_text(0.003, 0.001), p_text(0.2, 0.4)
    ('p = .003', 'p < .001', 'p = .200', 'p ≤ .003', 'p ≥ .200')
    """
    significant = max(p_values) < 0.05
    p = max(p_values) if significant else min(p_values)
    if p < 0.0005:
        return "p < .001"
    sign = "=" if len(p_values) == 1 else "≤" if significant else "≥"
    return f"p {sign} 1" if p >= 0.9995 else f"p {sign} {p:.3f}".replace("0.", ".")


# What the references hide, for readers who know neither coverage nor histograms.


def hidden_words(result: ReferenceCoverage) -> Iterator[str]:
    """What the tables of ``gecval coverage`` mean, the most important first."""
    per = f"{result.references} references"
    low, high = result.interval or (float("nan"),) * 2
    between = f" ({percent(result.level)} interval: {low:.0%} to {high:.0%})" if isfinite(low) else ""
    yield (
        f"A sentence can be corrected in many ways, and here it has {per}. Of all valid corrections that people would "
        f"make, about {result.coverage:.0%} are among these{between}. The other {1 - result.coverage:.0%} count as "
        "errors, although they are right."
    )
    if result.changed is not None and result.unchanged is not None and result.changed < result.unchanged:
        yield (
            f"Where people leave a sentence alone, {result.unchanged:.0%} of them agree with a reference; where they "
            f"change it, {result.changed:.0%}. So a system that changes nothing loses less than a good one."
        )
    if result.to_halve:
        fewest, most = (max(1, round(number)) for number in result.to_halve)
        if most <= 3 * fewest:
            many = f"about {fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
            yield f"To halve what is hidden, every sentence would need {many} more references."
        else:
            yield (
                f"To halve what is hidden, every sentence would need {fewest:,} more references, or many more: from so "
                f"few references nobody can say how many (up to {most:,})."
            )
    never = [value for value in result.break_even if value.ever_pays is False]
    paying = [value for value in result.break_even if value.p_correct is not None and value.ever_pays is not False]
    if paying:
        easiest = max(paying, key=lambda value: value.p_detect)
        yield (
            f"A system that finds {easiest.p_detect:.0%} of the errors gains points only if at least "
            f"{easiest.p_correct:.0%} of its corrections are right."
        )
    elif never:
        yield "Corrections are so rarely among the references that even a perfect system gains nothing by correcting."
    if result.true_scores:
        best = max(result.true_scores, key=lambda score: score.true_accuracy)
        yield (
            f"{best.system} gets {best.accuracy:.0%} of the sentences right by the references; with what they hide, it "
            f"is about {best.true_accuracy:.0%}."
        )
