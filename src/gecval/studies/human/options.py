"""How to set metrics against people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.sentences import TiePolicy
from gecval.studies.human.system_scores import Aggregation

Scope = Literal["judged", "all"]


@dataclass(frozen=True, kw_only=True)
class HumanOptions:
    """How to set metrics against people.

    Parameters
    ----------
    ranker
        How people's judgments rank systems. All intervals of the study have its level.
    combined
        Also take all sets of judgments together as one more set.
    aggregate
        How a metric's sentence scores become one score of a system.
    scope
        Metrics score the judged sentences, or all sentences of the corpus.
    without
        Systems to leave out of correlations and accuracies. People still rank them.
    ties
        What a tie of a metric is worth where people prefer one output: ``half`` a point, ``wrong`` is none, ``skip``
        does not count the pair.
    window
        Also correlate every so many neighbours in the human ranking. 0 is no window.
    confidence
        Give the systems' metric scores bootstrap intervals.
    hybrids
        Pairs of a reference-based and a reference-less metric to interpolate.
    """

    ranker: Ranker = field(default_factory=Ranker)
    combined: bool = False
    aggregate: Aggregation = "corpus"
    scope: Scope = "judged"
    without: tuple[str, ...] = ()
    ties: TiePolicy = "half"
    window: int = 0
    confidence: bool = False
    hybrids: tuple[tuple[Metric | str, Metric | str], ...] = ()

    def check(self, *, sets: int, metrics: bool) -> None:
        """Refuse an option that would change nothing."""
        any_metric = metrics or bool(self.hybrids)
        wins, skills = (method in self.ranker.methods for method in ("expected-wins", "trueskill"))
        # Whether each option is used, and what it lacks if not.
        uses: dict[str, tuple[bool, str, tuple[str, ...]]] = {
            "combined": (sets > 1, "with one set of judgments", ("judgments",)),
            **dict.fromkeys(("aggregate", "ties", "window", "confidence"), (metrics, "without metrics", ("metrics",))),
            **dict.fromkeys(("scope", "without"), (any_metric, "without metrics", ("metrics",))),
            **dict.fromkeys(("human_ties", "opponents", "unit"), (wins, "without expected-wins", ("methods",))),
            "runs": (skills or (metrics and self.aggregate == "trueskill"), "without trueskill", ("methods",)),
            "resamples": (wins or metrics, "without expected-wins or metrics", ("methods", "metrics")),
        }
        for name, (used, lacking, others) in uses.items():
            owner = self.ranker if hasattr(self.ranker, name) else self
            if not used and getattr(owner, name) != getattr(type(owner), name):
                raise InputError(f"{name} changes nothing {lacking}", parameter=(name, *others))
