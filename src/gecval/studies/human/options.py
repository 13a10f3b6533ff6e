"""How to set metrics against people."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.sentences import TiePolicy
from gecval.studies.human.system_scores import Aggregation

Scope = Literal["judged", "all"]

# What means nothing unless metrics are judged (-m), and unless there is any metric at all, hybrids included.
_OF_METRICS = {"window": "--window", "aggregation": "--aggregate", "ties": "--ties"}
_OF_ANY = {"scope": "--scope", "without": "--without"}


@dataclass(frozen=True)
class HumanOptions:
    """``ranker`` says how people's judgments rank systems; all intervals have its level.

    ``without`` leaves systems out of correlations and accuracy, not out of the human ranking. With ``window`` = 0 there
    is no window analysis, with ``resamples`` = 0 the systems' metric scores have no intervals. ``hybrids`` are pairs of
    a reference-based and a reference-less metric to interpolate.
    """

    ranker: Ranker = field(default_factory=Ranker)
    aggregation: Aggregation = "corpus"
    scope: Scope = "judged"
    without: tuple[str, ...] = ()
    ties: TiePolicy = "half"
    window: int = 0
    resamples: int = 0
    hybrids: tuple[tuple[Metric, Metric], ...] = ()

    def check(self, *, metrics: bool) -> None:
        """Refuse what would change nothing, as there are no metrics for it."""
        idle = {**({} if metrics else _OF_METRICS), **({} if metrics or self.hybrids else _OF_ANY)}
        for one in fields(self):
            if one.name in idle and getattr(self, one.name) != one.default:
                raise InputError(f"{idle[one.name]} changes nothing without metrics: give some with -m")
