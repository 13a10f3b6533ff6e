"""What stands below tables of scores: which way is up, and the signatures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from gecval.studies.scores.results import Comparison, Score


class Directed(Protocol):
    """A result of a metric that knows which way is up."""

    @property
    def metric(self) -> str: ...

    @property
    def higher_is_better(self) -> bool: ...


def directions(results: Iterable[Score | Comparison]) -> list[str]:
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better" for name in lower]


def negated(results: Iterable[Directed]) -> list[str]:
    """What tables of agreement say: there, more is better for every metric."""
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better, so that the figures are those of the negated score" for name in lower]


def signatures(results: Iterable[Score | Comparison]) -> list[str]:
    return list(dict.fromkeys(result.signature for result in results))
