"""What a judgment is: one judge ranks the outputs of some systems for one sentence.

Rank 1 is best, and equal ranks are ties. Where systems gave the same output, judges see it once: a placement holds all
these systems and the rank of their output. A judgment without placements is one that the judge skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError


class Placement(NamedTuple):
    """Systems that gave the same output, and the rank of this output."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's ranking of outputs of one sentence. The sentence has the number that the file gives it."""

    sentence: int
    judge: str
    placements: tuple[Placement, ...]

    @classmethod
    def checked(cls, sentence: object, judge: object, placements: Sequence[Placement], *, where: str) -> Judgment:
        """A judgment from what a file says; ``where`` tells users the place. What cannot be meant is refused."""
        names = [name for placement in placements for name in placement.systems]
        for name in names:
            if not name:
                raise InputError(f"{where}: a ranked system has no name")
            if names.count(name) > 1:
                raise InputError(f"{where}: {name} is ranked twice")
        number = _whole(sentence, "the number of the sentence", where, least=0)
        return cls(number, str(judge or ""), tuple(placements))


def checked_rank(value: object, system: object, where: str) -> int:
    """A rank from what a file says."""
    return _whole(value, f"the rank of {system}", where, least=1)


def _whole(value: object, what: str, where: str, *, least: int) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        said = "missing" if value is None or text == "" else repr(value)
        raise InputError(f"{where}: {what} is {said}; it must be a whole number from {least}")
    return int(text)


@dataclass(frozen=True)
class Judgments:
    """All judgments of one set.

    ``first`` is the number of the first sentence. It is None where the format may count from 0 or from 1.

    Examples
    --------
    >>> judgment = Judgment(1, "anna", (Placement(("mine", "yours"), 1), Placement(("INPUT",), 2)))
    >>> Judgments("a set", (judgment,), first=1).systems
    ('INPUT', 'mine', 'yours')
    """

    name: str
    items: tuple[Judgment, ...]
    first: int | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of all ranked systems, in alphabetical order."""
        placements = [placement for item in self.items for placement in item.placements]
        return tuple(sorted({name for placement in placements for name in placement.systems}))

    @cached_property
    def preferences(self) -> NDArray[np.float64]:
        """[item, system]: minus the rank, so that higher is better; NaN where the item does not rank the system."""
        return self._preferences(lambda placement: placement.systems)

    @cached_property
    def output_preferences(self) -> NDArray[np.float64]:
        """The same with one system for each output, the first in the alphabet: what the judges saw."""
        return self._preferences(lambda placement: (min(placement.systems),))

    def _preferences(self, shown: Callable[[Placement], tuple[str, ...]]) -> NDArray[np.float64]:
        column = {name: c for c, name in enumerate(self.systems)}
        preferences = np.full((len(self.items), len(column)), np.nan)
        for row, item in zip(preferences, self.items, strict=True):
            for placement in item.placements:
                row[[column[name] for name in shown(placement)]] = -placement.rank
        return preferences

    @cached_property
    def sentences(self) -> NDArray[np.int64]:
        """The sentence of each item."""
        return np.array([item.sentence for item in self.items], dtype=np.int64)

    @cached_property
    def judges(self) -> NDArray[np.str_]:
        """The judge of each item."""
        return np.array([item.judge for item in self.items])
