"""Where adversaries meet systems: one metric, all of them scored against the same references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, silent
from gecval.studies.attacks.adversaries import ADVERSARIES, SOURCE
from gecval.studies.attacks.lottery import Climber, Halves
from gecval.studies.attacks.results import Against, Attack, SystemMark
from gecval.studies.inputs import Edits
from gecval.studies.preparation import prepare
from gecval.studies.scores.signature import signature

LOTTERY = "lottery"


@dataclass(frozen=True, kw_only=True)
class Arena:
    """Where adversaries meet systems: a corpus, the systems, and how to score."""

    corpus: Corpus
    systems: Sequence[System]
    extractor: Edits
    jobs: int
    progress: Progress = silent

    def of_metric(
        self, metric: Metric, outputs: Sequence[System], seed: int
    ) -> tuple[list[SystemMark], list[Attack], list[str]]:
        """All adversaries under one metric. Notes say what failed, or is left out."""
        field = self._field(metric, self.corpus, "all")
        marks = [SystemMark(system=name, metric=repr(metric), score=score) for name, score in field.systems.items()]
        attacks, notes = [], [*field.notes]
        for system in outputs:
            score, failed = self._adversary_score(metric, self.corpus, system)
            notes += failed
            attacks.append(field.attack(system.name, score))
        try:
            halves = self.corpus.derived(Halves.of)
            climber = Climber(
                metric=metric, seen=halves.seen, extractor=self.extractor, jobs=self.jobs, progress=self.progress
            )
            texts = climber.climb(np.random.default_rng([seed, len(ADVERSARIES)]))
        except InputError as error:
            return marks, attacks, [*notes, f"the adversary {LOTTERY!r} is left out under {metric!r}: {error}"]
        if len(halves.sentences) < len(self.corpus):
            notes.append(f"{LOTTERY}: over the {len(halves.sentences)} sentences with two references or more")
        arena = replace(self, systems=[_only(system, halves.sentences) for system in self.systems])
        if metric.needs is None:  # nothing was seen, and nothing held out
            sides: list[tuple[Corpus, Against]] = [(halves.seen, "all")]
        else:
            sides = [(halves.seen, "seen"), (halves.held_out, "held out")]
        for side, against in sides:
            of_side = arena._field(metric, side, against)
            score, failed = self._adversary_score(metric, side, side.system(LOTTERY, texts))
            notes += failed
            attacks.append(of_side.attack(LOTTERY, score))
        return marks, attacks, notes

    def _field(self, metric: Metric, corpus: Corpus, against: Against) -> Field:
        """The source and the systems, scored."""
        everybody = [corpus.system(SOURCE.name, corpus.sources), *self.systems]
        prepared = self._prepared(metric, corpus, everybody)
        source, *scores = (Evaluation.of(metric, prepared, system, jobs=self.jobs).score() for system in everybody)
        return Field(
            metric=metric,
            against=against,
            source=source,
            systems={system.name: score for system, score in zip(self.systems, scores, strict=True)},
            signature=signature(metric, prepared, "corpus"),
            notes=prepared.notes,
        )

    def _adversary_score(self, metric: Metric, corpus: Corpus, system: System) -> tuple[float, list[str]]:
        """NaN and a note where the metric fails: nobody has promised that it bears an empty line."""
        try:
            prepared = self._prepared(metric, corpus, [system])
            return Evaluation.of(metric, prepared, system, jobs=self.jobs).score(), []
        except InputError as error:
            return nan, [f"{metric!r} has no score of the adversary {system.name!r}: {error}"]

    def _prepared(self, metric: Metric, corpus: Corpus, systems: Sequence[System]) -> Corpus:
        [prepared] = prepare(
            corpus, systems, [metric], extractor=self.extractor, jobs=self.jobs, progress=self.progress
        )
        return prepared


@dataclass(frozen=True, kw_only=True)
class Field:
    """What an adversary is held against."""

    metric: Metric
    against: Against
    source: float
    systems: dict[str, float]
    signature: str
    notes: tuple[str, ...]

    def attack(self, adversary: str, score: float) -> Attack:
        up = self.metric.direction
        return Attack(
            adversary=adversary,
            metric=repr(self.metric),
            against=self.against,
            score=score,
            source=self.source,
            gain=up * (score - self.source) + 0.0,
            beats=tuple(name for name, other in self.systems.items() if up * score > up * other),
            higher_is_better=self.metric.higher_is_better,
            signature=self.signature,
        )


def _only(system: System, sentences: NDArray[np.int64]) -> System:
    chosen = sentences.tolist()
    edits = None if system.edits is None else [system.edits[i] for i in chosen]
    return System(system.name, [system.hypotheses[i] for i in chosen], edits=edits)
