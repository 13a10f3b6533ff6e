"""What attacking metrics gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from gecval.results.result import Result
from gecval.stats.resampling import MaybeUndefined

# What an adversary is scored against: all references; or, for one that learns from references, the half that it has
# seen and the half that it has not.
Against = Literal["all", "seen", "held out"]


@dataclass(frozen=True, kw_only=True)
class AdversaryEntry:
    """An adversary by name, and what it does."""

    name: str
    about: str


@dataclass(frozen=True, kw_only=True)
class SystemMark:
    """The score of a real system, against all references."""

    system: str
    metric: str
    score: float


@dataclass(frozen=True, kw_only=True)
class PeopleMark:
    """Annotators, each in turn scored against all others, and the source against the same references: the means.

    They are taken over the ``sentences`` that have most annotators.
    """

    metric: str
    score: float
    source: float
    sentences: int


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One adversary under one metric.

    ``source`` is the score of the source against the same references. ``gain`` is how much better than the source the
    adversary scores: below 0, the attack does harm. ``beats`` names the systems that score worse than the adversary,
    against the same references. A score is undefined where the metric fails on the output; a note says so.
    """

    adversary: str
    metric: str
    against: Against = "all"
    score: MaybeUndefined
    source: float
    gain: MaybeUndefined
    beats: tuple[str, ...] = ()
    higher_is_better: bool = True
    signature: str


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a metric gives away: the points over the source of the best ``adversary``, and which systems that beats.

    Where no adversary beats the source, the best is the source itself, with 0 points. The lottery does not count here
    where it climbs with the help of references: some of its edits are right. ``luck`` is how much more it gains on the
    references that it has seen than on the others: points for a bet, and none for merit. It is None where there is no
    such bet, as for metrics without references.
    """

    metric: str
    adversary: str
    score: float
    source: float
    points: float
    beats: tuple[str, ...] = ()
    luck: float | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Attacks(Result):
    """Adversaries under metrics: a sequence of ``Attack``, metric after metric.

    ``people`` is empty where no sentence has two annotators.
    """

    kind: ClassVar[str] = "attacks"
    view: ClassVar[str] = "attack_tables"
    main: ClassVar[str] = "attacks"

    sentences: int
    references: str
    seed: int
    adversaries: tuple[AdversaryEntry, ...]
    attacks: tuple[Attack, ...]
    prices: tuple[Price, ...]
    systems: tuple[SystemMark, ...] = ()
    people: tuple[PeopleMark, ...] = ()

    def __len__(self) -> int:
        return len(self.attacks)

    def __iter__(self) -> Iterator[Attack]:
        return iter(self.attacks)

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, Against]) -> Attack:
        """An adversary under a metric: against all references unless a third word says against which."""
        adversary, metric, *rest = key
        for attack in self.attacks:
            if (attack.adversary, attack.metric, attack.against) == (adversary, metric, *(rest or ["all"])):
                return attack
        raise KeyError(f"no attack {key}")
