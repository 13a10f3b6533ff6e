"""What a history of scores gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.stats import Interval


@dataclass(frozen=True, kw_only=True)
class TrackedScore:
    """A score of one commit, and whether it has changed.

    Scores of one ``series``, from 1, have the same system name, data, metric and settings; only they are compared.
    ``since`` is the commit that it is held against: the first of the series, or that of the last change. ``look``
    counts how often this was asked; at a look, ``change_interval`` of ``difference`` has the level ``change_level``.
    """

    derived: ClassVar[tuple[str, ...]] = ("change",)

    series: int
    commit: str
    time: str
    system: str
    metric: str
    score: float
    interval: Interval | None
    level: float | None
    since: str
    look: int
    difference: float
    change_interval: Interval | None
    change_level: float | None
    changed: bool
    higher_is_better: bool = True
    output: str
    signature: str

    @property
    def change(self) -> str | None:
        """``better`` or ``worse`` where the score has changed beyond chance."""
        if not self.changed:
            return None
        return "better" if (self.difference > 0) == self.higher_is_better else "worse"


@dataclass(frozen=True, kw_only=True, repr=False)
class History(ResultSequence[TrackedScore]):
    """Scores commit by commit: a sequence of ``TrackedScore``, series after series, in the order of the file."""

    kind: ClassVar[str] = "history"
    view: ClassVar[str] = "history_tables"
    main: ClassVar[str] = "scores"

    level: float  # that all looks of a stretch keep together
    scores: tuple[TrackedScore, ...]

    @property
    def changes(self) -> tuple[TrackedScore, ...]:
        """The scores that differ from the stretch before them beyond chance."""
        return tuple(score for score in self.scores if score.changed)
