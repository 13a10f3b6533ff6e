"""What stands below tables of scores: which way is up, and the signatures."""

from __future__ import annotations

from collections.abc import Iterable

from gecval.studies.scores.results import Comparison, Score


def directions(results: Iterable[Score | Comparison]) -> list[str]:
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better" for name in lower]


def signatures(results: Iterable[Score | Comparison]) -> list[str]:
    return list(dict.fromkeys(result.signature for result in results))
