"""The chunks of cards: for each metric what it costs, its coverage, what can be had without merit.

("cost and range", metric)     always in this process: it takes the time of this machine
("coverage", metric)
("gaming", metric)
("MAEGE", number)              a replicate, all metrics at once
("MAEGE of METRIC", number)    where all at once fail
("people", bench, metric)      see people.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gecval.metrics.base import Metric
from gecval.progress import Progress, silent
from gecval.studies.attacks.results import Attacks
from gecval.studies.attacks.run import attack
from gecval.studies.checkpoint import Chunk, Chunks, Reader
from gecval.studies.chunks import Refused, corpus_signature, study_signature, systems_digest, tried
from gecval.studies.maege import Settings
from gecval.studies.maege.checkpoint import ReplicateForm
from gecval.studies.metric_signature import finder_signature, metric_signature
from gecval.studies.validate.grounds import Grounds
from gecval.studies.validate.measuring import coverage_points, measure
from gecval.studies.validate.people import Bench, OnSet
from gecval.studies.validate.results import CoveragePoint, Gaming, Measured

COST, COVERAGE, GAMING, MAEGE = "cost and range", "coverage", "gaming", "MAEGE"


@dataclass(frozen=True, kw_only=True)
class CardChunks:
    """What a worker needs for a part of a card."""

    grounds: Grounds
    metrics: Mapping[str, Metric]
    seed: int
    jobs: int
    progress: Progress = silent

    def __call__(self, chunk: Chunk) -> Measured | tuple[CoveragePoint, ...] | Gaming | Refused:
        part, name = chunk
        return tried(lambda: self._computed(part, self.metrics[name]))

    def _computed(self, part: str, metric: Metric) -> Any:
        grounds = self.grounds
        if part == COST:
            return measure(metric, grounds, jobs=self.jobs)
        if part == COVERAGE:
            return tuple(coverage_points(metric, grounds.annotators, jobs=self.jobs))
        attacks = attack(
            grounds.corpus,
            [metric],
            systems=grounds.systems,
            seed=self.seed,
            jobs=self.jobs,
            progress=self.progress,
        )
        return _gaming(attacks)

    def form(self) -> Chunks:
        """How the chunks stand in a checkpoint."""
        names, models = list(self.metrics), Settings().models
        alone = {one_of(name): Reader(ReplicateForm(metrics=[name], models=models).results) for name in names}
        return Chunks(
            {
                COST: Measured,
                COVERAGE: tuple[CoveragePoint, ...],
                GAMING: Gaming,
                MAEGE: Reader(ReplicateForm(metrics=names, models=models).results),
                **alone,
                "people": tuple[OnSet, ...],
            }
        )

    def signature(self, benches: Sequence[Bench]) -> str:
        """Everything that decides a chunk, but for how fast this machine is."""
        grounds = self.grounds
        corpora = (grounds.corpus, grounds.gold, grounds.references, grounds.annotators)
        return study_signature(
            "validate",
            *map(metric_signature, self.metrics.values()),
            *finder_signature(grounds.corpus, list(self.metrics.values()), None),
            *map(corpus_signature, corpora),
            f"systems:{systems_digest(grounds.systems)}",
            *(bench.signature() for bench in benches),
            f"seed:{self.seed}",
        )


def one_of(name: str) -> str:
    """The part of a checkpoint that has MAEGE's replicates of one metric alone."""
    return f"{MAEGE} of {name}"


def _gaming(result: Attacks) -> Gaming:
    [price] = result.prices
    return Gaming(
        price=price,
        attacks=result.attacks,
        systems=result.systems,
        people=result.people[0] if result.people else None,
        notes=result.notes,
    )
