"""Do our decisions hold what they promise? Simulations and checks on real outputs, seeded and bounded in time.

Each part is a module with a function ``tables(progress)``. To add a part, add its module to ``PARTS``.
"""

from __future__ import annotations

from collections.abc import Callable

from gecval.progress import Progress
from gecval.studies.reproduce import (
    decisions_agreement,
    decisions_buying,
    decisions_coverage,
    decisions_errors,
    decisions_looks,
    decisions_power,
    decisions_track,
    decisions_true_precision,
)
from gecval.studies.reproduce.results import PaperTable

PARTS = (
    decisions_agreement,
    decisions_looks,
    decisions_power,
    decisions_coverage,
    decisions_errors,
    decisions_track,
    decisions_true_precision,
    decisions_buying,
)


def parts() -> dict[str, Callable[[Progress], list[PaperTable]]]:
    return {part.__name__.rpartition("decisions_")[2].replace("_", " "): part.tables for part in PARTS}
