"""What verifying a passport gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.result import MaybeUndefined, Result
from gecval.stats import Interval


@dataclass(frozen=True, kw_only=True)
class VerifiedScore:
    """A score of a passport as it is computed again; ``same`` says whether its line is the same, byte for byte.

    ``claimed`` is the score that the passport states, undefined where it states none.
    """

    system: str
    metric: str
    score: float
    claimed: MaybeUndefined
    interval: Interval | None = None
    same: bool
    output: str
    signature: str


@dataclass(frozen=True, kw_only=True)
class VerifiedTest:
    """A test of a passport as it is computed again."""

    metric: str
    baseline: str
    system: str
    difference: float
    interval: Interval
    p_bootstrap: float
    p_randomisation: float
    same: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class Verification(Result):
    """Whether a passport holds: ``same`` if all of its lines are what its statistics give."""

    kind: ClassVar[str] = "verification"
    main: ClassVar[str] = "scores"
    derived: ClassVar[tuple[str, ...]] = ("exit_status",)

    same: bool
    made_by: str
    sentences: int
    level: float | None
    scores: tuple[VerifiedScore, ...]
    tests: tuple[VerifiedTest, ...]

    @property
    def exit_status(self) -> int:
        """What the command line exits with: 0 if the passport holds, else 1."""
        return 0 if self.same else 1

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[VerifiedScore]:
        return iter(self.scores)

    def __getitem__(self, index: int) -> VerifiedScore:
        return self.scores[index]
