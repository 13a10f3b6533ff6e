"""What the question "is the new system worse?" gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result
from gecval.stats import Interval
from gecval.stats.noninferiority import Verdict
from gecval.studies.scores.deciding_results import DecidingPair
from gecval.studies.scores.results import Comparison

# The exit status of the command line. 2 is an error, as everywhere.
EXIT_STATUS: dict[Verdict, int] = {"not worse": 0, "worse": 1, "undecided": 3}


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A system against the baseline under one rule.

    ``interval`` is the one that decides: that of the comparison, at the level of the rule, or, at a counted ``look``, a
    normal one at the higher ``interval_level`` that all looks together need. ``pair`` has the sentences that decide who
    is better.
    """

    metric: str
    baseline: str
    system: str
    margin: float
    level: float
    look: int | None = None
    verdict: Verdict
    difference: float
    interval: Interval
    interval_level: float
    interval_method: str
    comparison: Comparison
    pair: DecidingPair


@dataclass(frozen=True, kw_only=True, repr=False)
class NotWorse(Result):
    """Whether systems are worse than the baseline by more than a margin: a sequence of ``Decision``."""

    kind: ClassVar[str] = "not-worse"
    main: ClassVar[str] = "decisions"
    derived: ClassVar[tuple[str, ...]] = ("verdict", "exit_status")

    decisions: tuple[Decision, ...]

    @property
    def verdict(self) -> Verdict:
        """``worse`` if any decision says so, else ``undecided`` if any does, else ``not worse``."""
        verdicts = {decision.verdict for decision in self.decisions}
        order: tuple[Verdict, ...] = ("worse", "undecided", "not worse")
        return next(verdict for verdict in order if verdict in verdicts)

    @property
    def exit_status(self) -> int:
        """What the command line exits with: 0 not worse, 1 worse, 3 undecided."""
        return EXIT_STATUS[self.verdict]

    def __len__(self) -> int:
        return len(self.decisions)

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.decisions)

    def __getitem__(self, index: int) -> Decision:
        return self.decisions[index]
