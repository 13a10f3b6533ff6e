"""Do systems score better than people? (Low-coverage paper, §2.3)

Take each annotator in turn for a system, and score the annotator against all others. Score the systems against the same
references. A system above people is not better than they are: it makes the few changes that any references cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.stats.resampling import Array, Draws
from gecval.studies.scores.preparation import Edits, prepare


@dataclass(frozen=True, kw_only=True)
class AgainstPeople:
    """A system's score and that of people. Both are means over the annotators: each in turn is left out."""

    derived: ClassVar[tuple[str, ...]] = ("above_people", "ratio")

    system: str
    metric: str
    score: float
    people: float
    interval: Interval | None = None
    people_interval: Interval | None = None
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True

    @property
    def above_people(self) -> bool:
        return self.score > self.people if self.higher_is_better else self.score < self.people

    @property
    def ratio(self) -> float | None:
        """Bryant & Ng's (2015) ratio score; none where people score 0."""
        return self.score / self.people if self.people else None


def compare_with_people(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    resampling: Resampling | None = None,
    extractor: Edits = None,
    run: Run = HERE,
) -> list[AgainstPeople]:
    """Score every system and people under every metric; with ``resampling``, both with an interval."""
    if not metrics:
        return []
    annotators = check_annotators(corpus)
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    people = [[given[a] for given in texts] for a in range(annotators)]
    everybody = [*systems, *(corpus.system(f"annotator {a}", output) for a, output in enumerate(people))]
    corpora = prepare(corpus, everybody, metrics, extractor=extractor, run=run)
    # What is scored with each annotator left out: that annotator's own corrections, or a system's output again.
    correctors = [people, *([list(system.hypotheses)] * annotators for system in systems)]
    resampling = resampling if len(corpus) > 1 else None
    rows = []
    for m, (metric, prepared) in enumerate(zip(metrics, corpora, strict=True)):
        without = [_without(prepared, a) for a in range(annotators)]
        scores: list[tuple[float, Interval | None]] = []
        for done, outputs in enumerate(correctors, start=1):
            evaluations = [
                Evaluation.of(metric, others, System("", output), run=run.quiet())
                for others, output in zip(without, outputs, strict=True)
            ]
            mean = _MeanOverAnnotators(evaluations)
            scores.append((mean.score(), bootstrap_interval(mean, resampling) if resampling else None))
            run.progress(m * len(correctors) + done, len(metrics) * len(correctors))
        (people_score, people_interval), *system_scores = scores
        signature = Signature.of(metric, prepared, "corpus", resampling=resampling).with_study(annotators="all-but-one")
        rows += [
            AgainstPeople(
                system=system.name,
                metric=repr(metric),
                score=score,
                people=people_score,
                interval=interval,
                people_interval=people_interval,
                signature=str(signature),
                notes=tuple(note for note in prepared.notes if note not in corpus.notes),
                higher_is_better=metric.higher_is_better,
            )
            for system, (score, interval) in zip(systems, system_scores, strict=True)
        ]
    return rows


def check_annotators(corpus: Corpus) -> int:
    """Return how many annotators every sentence has; refuse a corpus where they differ."""
    counts = np.diff(corpus.reference_slots)
    largest = int(counts.max())
    if largest < 2 or counts.min() < largest:
        raise InputError(
            "to score people, every sentence needs the same two or more annotators; sentence "
            f"{int(np.argmin(counts)) + 1} has {counts.min()} of {largest}. For an .m2 file, say with missing what an "
            "annotator without a line did",
            parameter="missing",
        )
    return largest


def _without(corpus: Corpus, annotator: int) -> Corpus:
    """The corpus without the references of one annotator."""
    references = [[*listed[:annotator], *listed[annotator + 1 :]] for listed in corpus.references]
    return Corpus(corpus.sources, references, language=corpus.language)


@dataclass(frozen=True)
class _MeanOverAnnotators:
    """The mean of the scores with each annotator left out, for any list of sentences."""

    evaluations: Sequence[Evaluation]

    @property
    def scale(self) -> tuple[float, float]:
        return self.evaluations[0].scale

    def __len__(self) -> int:
        return len(self.evaluations[0])

    def score(self) -> float:
        return float(np.mean([evaluation.score() for evaluation in self.evaluations]))

    def scores_over(self, draws: Draws) -> Array:
        return np.asarray(np.mean([evaluation.scores_over(draws) for evaluation in self.evaluations], axis=0))

    def scores_without(self, blocks: list[slice]) -> Array:
        return np.asarray(np.mean([evaluation.scores_without(blocks) for evaluation in self.evaluations], axis=0))
