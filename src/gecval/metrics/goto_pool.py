"""Whose outputs tell how difficult a chunk is: the systems that are scored, or those in files.

A study announces the systems that it scores before it asks for statistics. The corpus keeps them for each metric.
Where nobody announced any, a system is its own pool.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gecval.corpus import Corpus, System
from gecval.formats.loading import load_systems
from gecval.metrics.goto_judging import Flags, GoldChunks

Judged = tuple[Flags, Flags]  # which chunks a system tried, and on which it is right
OUTPUTS = "outputs"
UNWEIGHTED = "none"


@dataclass(frozen=True)
class Pool:
    """Systems, and on which chunks each is right."""

    systems: tuple[System, ...]
    _votes: dict[str, Flags] = field(default_factory=dict)
    _judged: dict[str, Judged] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """The same for the same outputs, in whatever order and under whatever names."""
        digests = sorted(
            hashlib.sha256("\n".join(system.hypotheses).encode("utf-8", "surrogatepass")).hexdigest()
            for system in self.systems
        )
        return hashlib.sha256("".join(digests).encode()).hexdigest()[:8]

    def judged(self, system: System, judge: Callable[[System], Judged]) -> Judged:
        """How a system fares on the chunks. This is kept for those of the pool."""
        if system not in self.systems:
            return judge(system)
        if system.name not in self._judged:
            self._judged[system.name] = judge(system)
        return self._judged[system.name]

    def votes(self, judge: Callable[[System], Flags], *, without: str | None = None) -> list[Flags]:
        """The chunks that each system masters, but for the one of this name."""
        voters = [system for system in self.systems if system.name != without]
        for system in voters:
            if system.name not in self._votes:
                self._votes[system.name] = judge(system)
        return [self._votes[system.name] for system in voters]


class Pools:
    """The pools that belong to a corpus, and the chunks of its references."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._pools: dict[Hashable, Pool] = {}
        self._gold: dict[int, GoldChunks] = {}

    def gold(self, reference: int) -> GoldChunks:
        if reference not in self._gold:
            self._gold[reference] = GoldChunks(self._corpus, reference)
        return self._gold[reference]

    def announce(self, metric: Hashable, pool: str, systems: Sequence[System]) -> None:
        """Set the pool of a metric: these systems, or those that ``pool`` names."""
        self._pools[metric] = Pool(tuple(systems if pool == OUTPUTS else load_systems(Path(pool), self._corpus)))

    def announced(self, metric: Hashable) -> Pool | None:
        return self._pools.get(metric)
