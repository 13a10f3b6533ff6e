"""A rule such as ``errant: 0.005 @ 0.95``: under which metric a system may be worse by how much, at which level."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from gecval.errors import InputError
from gecval.metrics import metric
from gecval.metrics.base import Metric

LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A metric, the margin in points of its score, and the level of the interval that decides."""

    metric: Metric
    margin: float
    level: float = LEVEL

    def __post_init__(self) -> None:
        if not (isfinite(self.margin) and self.margin >= 0):
            raise InputError(f"the margin of a rule is 0 or more, not {self.margin}", parameter="rules")
        if not 0 < self.level < 1:
            raise InputError(f"the level of a rule lies between 0 and 1, not {self.level}", parameter="rules")

    @classmethod
    def parse(cls, text: str) -> Rule:
        """The rule that people type.

        >>> Rule.parse("errant: 0.005 @ 0.99")
        Rule(metric=errant, margin=0.005, level=0.99)
        >>> str(Rule.parse("gleu(n=3):0.01"))
        'gleu(n=3): 0.01 @ 0.95'
        """
        spelling, _, numbers = text.rpartition(":")
        margin, at, level = numbers.partition("@")
        try:
            values = float(margin), float(level) if at else LEVEL
        except ValueError:
            values = None
        if values is None or not spelling.strip():
            raise InputError(f"write a rule as 'metric: margin @ level', e.g. 'm2: 0.005 @ 0.95', not {text!r}")
        return cls(metric=metric(spelling.strip()), margin=values[0], level=values[1])

    def __str__(self) -> str:
        return f"{self.metric!r}: {self.margin:g} @ {self.level:g}"
