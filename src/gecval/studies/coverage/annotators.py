"""Do systems score better than people? (Low-coverage paper, §2.3)

Each annotator in turn is taken for a system and scored against all others; so are the systems, against the same
references. A system above people is no better than they are: it makes the few changes that any references cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, silent
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.resampling import Array, Draws
from gecval.studies.preparation import prepare


@dataclass(frozen=True)
class AgainstPeople:
    """A system's score and that of people, both against all annotators but one, averaged over which one."""

    system: str
    metric: str
    score: float
    people: float
    interval: Interval | None = None
    people_interval: Interval | None = None
    higher_is_better: bool = True

    @property
    def above_people(self) -> bool:
        return self.score > self.people if self.higher_is_better else self.score < self.people

    @property
    def ratio(self) -> float | None:
        """Bryant & Ng's (2015) ratio score; none where people score 0."""
        return self.score / self.people if self.people else None


def against_people(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    resampling: Resampling | None = None,
    extractor: Extractor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> list[AgainstPeople]:
    """Every system under every metric beside people; with ``resampling``, both with an interval."""
    counts = np.diff(corpus.reference_slots)
    annotators = int(counts.max())
    if annotators < 2 or counts.min() < annotators:
        raise InputError(
            f"to score people, every sentence needs the same two or more annotators; sentence "
            f"{int(np.argmin(counts)) + 1} has {counts.min()} of {annotators} (see --missing-annotator)"
        )
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    people = [[given[a] for given in texts] for a in range(annotators)]
    everybody = [*systems, *(corpus.system(f"annotator {a}", output) for a, output in enumerate(people))]
    workers = jobs or cores()
    seen = prepare(corpus, everybody, metrics, extractor, jobs=workers, progress=progress)
    correctors = [people, *([list(one.hypotheses)] * annotators for one in systems)]
    results = []
    for m, (metric, whole) in enumerate(zip(metrics, seen, strict=True)):
        left_out = [
            Corpus(whole.sources, [[*listed[:a], *listed[a + 1 :]] for listed in whole.references])
            for a in range(annotators)
        ]
        found: list[tuple[float, Interval | None]] = []
        for done, outputs in enumerate(correctors, start=1):
            each = _LeftOut(
                [
                    Evaluation.of(metric, others, System("", output), jobs=workers)
                    for others, output in zip(left_out, outputs, strict=True)
                ]
            )
            found.append((each.score(), bootstrap_interval(each, resampling) if resampling and len(each) > 1 else None))
            progress(m * len(correctors) + done, len(metrics) * len(correctors))
        results += [
            AgainstPeople(system.name, repr(metric), score, found[0][0], interval, found[0][1], metric.higher_is_better)
            for system, (score, interval) in zip(systems, found[1:], strict=True)
        ]
    return results


@dataclass(frozen=True)
class _LeftOut:
    """The mean of the scores with each annotator left out, for any list of sentences."""

    evaluations: Sequence[Evaluation]

    def __len__(self) -> int:
        return len(self.evaluations[0])

    def score(self) -> float:
        return float(np.mean([one.score() for one in self.evaluations]))

    def scores_over(self, draws: Draws) -> Array:
        return np.asarray(np.mean([one.scores_over(draws) for one in self.evaluations], axis=0))

    def scores_without(self, blocks: list[slice]) -> Array:
        return np.asarray(np.mean([one.scores_without(blocks) for one in self.evaluations], axis=0))
