"""The version and the phase that an address names."""

from __future__ import annotations

from gecval.board.database.models import Benchmark, Phase, Version
from gecval.board.errors import NotFoundError
from gecval.board.leaderboard import default_phase


def version_of(benchmark: Benchmark, number: int = 0) -> Version:
    """A version by its number; 0 is the latest."""
    if not number:
        return benchmark.versions[-1]
    for version in benchmark.versions:
        if version.number == number:
            return version
    raise NotFoundError("there is no such version")


def phase_of(benchmark: Benchmark, phase_id: str = "") -> Phase:
    if not phase_id:
        return default_phase(benchmark)
    for phase in benchmark.phases:
        if phase.id == phase_id:
            return phase
    raise NotFoundError("there is no such phase")
