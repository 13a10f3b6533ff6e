"""What the question "is the test set large enough?" gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result


@dataclass(frozen=True, kw_only=True)
class ChancePoint:
    """The chance to find the difference with so many sentences."""

    sentences: int
    chance: float


@dataclass(frozen=True, kw_only=True)
class PowerCurve:
    """A difference of a given size between two systems, and how likely `compare` is to find it.

    ``annotators`` is the number of references a sentence, None where all count. ``difference`` is the true difference
    that is assumed; ``observed`` says that it is the one over the sentences at hand. ``chance`` is that with these
    ``sentences``. ``needed`` sentences give the chance that was asked for, None where a billion do not.
    ``detectable`` is the smallest difference that these sentences find with that chance. ``carriers`` says how many
    sentences the difference effectively rests on.
    """

    derived: ClassVar[tuple[str, ...]] = ("more",)

    metric: str
    baseline: str
    system: str
    annotators: int | None
    difference: float
    observed: bool
    sentences: int
    chance: float
    needed: int | None
    detectable: float
    carriers: float
    points: tuple[ChancePoint, ...]
    signature: str

    @property
    def more(self) -> int | None:
        """How many sentences are missing; 0 where those at hand are enough."""
        return None if self.needed is None else max(0, self.needed - self.sentences)


@dataclass(frozen=True, kw_only=True, repr=False)
class Power(Result):
    """How likely differences are to be found: a sequence of ``PowerCurve``, metric after metric."""

    kind: ClassVar[str] = "power"
    main: ClassVar[str] = "curves"

    wanted: float  # the chance that was asked for
    curves: tuple[PowerCurve, ...]

    def __len__(self) -> int:
        return len(self.curves)

    def __iter__(self) -> Iterator[PowerCurve]:
        return iter(self.curves)

    def __getitem__(self, index: int) -> PowerCurve:
        return self.curves[index]
