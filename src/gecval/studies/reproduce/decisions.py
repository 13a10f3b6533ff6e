"""Do our decisions hold what they promise? Simulations and checks on real outputs, seeded and bounded in time.

Each part is a module with a function ``tables(progress)``. To add a part, add its module to ``PARTS``.
"""

from __future__ import annotations

from gecval.progress import Progress, announce, silent
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


def run(progress: Progress = silent) -> list[PaperTable]:
    made: list[PaperTable] = []
    for number, part in enumerate(PARTS):
        progress(number, len(PARTS))
        announce(progress, part.__name__.rpartition("decisions_")[2].replace("_", " "))
        made += part.tables(progress)
    return made
