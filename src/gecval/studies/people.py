"""Do systems score better than people? (Low-coverage paper, §2.3)

Each annotator in turn is taken for a system and scored against all others; so are the systems, against the same
references. A system above people is no better than they are: it makes the few changes that any references cover.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, silent


@dataclass(frozen=True)
class AgainstPeople:
    """A system's score and that of people, both against all annotators but one, averaged over which one."""

    system: str
    metric: str
    score: float
    people: float

    @property
    def ratio(self) -> float | None:
        """Bryant & Ng's (2015) ratio score; none where people score 0."""
        return self.score / self.people if self.people else None


def against_people(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    aggregate: Aggregate = "corpus",
    jobs: int | None = None,
    progress: Progress = silent,
) -> list[AgainstPeople]:
    """Every system under every metric beside people."""
    counts = np.diff(corpus.reference_slots)
    annotators = int(counts.max())
    if annotators < 2 or counts.min() < annotators:
        raise InputError(
            f"to score people, every sentence needs the same two or more annotators; sentence "
            f"{int(np.argmin(counts)) + 1} has {counts.min()} of {annotators} (see --missing-annotator)"
        )
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    workers = jobs or os.cpu_count() or 1
    found = np.empty((annotators, len(metrics), len(systems) + 1))
    for a in range(annotators):
        others = Corpus(corpus.sources, [[*listed[:a], *listed[a + 1 :]] for listed in corpus.references])
        person = others.system("people", [given[a] for given in texts])
        for m, metric in enumerate(metrics):
            for s, system in enumerate([person, *systems]):
                found[a, m, s] = Evaluation.of(metric, others, system, aggregate=aggregate, jobs=workers).score()
        progress(a + 1, annotators)
    means = found.mean(axis=0)
    return [
        AgainstPeople(system.name, repr(metric), float(means[m, s + 1]), float(means[m, 0]))
        for s, system in enumerate(systems)
        for m, metric in enumerate(metrics)
    ]
