"""The chunks of the coverage of one's own references: all scores of a metric, and the accuracy of a system.

("people", metric)      systems beside people under the metric
("accuracy", system)    the system's accuracy, corrected for coverage
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gecval.corpus import Corpus, System
from gecval.metrics.base import Metric
from gecval.progress import Progress, announce
from gecval.stats import Resampling
from gecval.studies.checkpoint import Chunk, Kept
from gecval.studies.chunks import computed, corpus_signature, study_signature, systems_digest
from gecval.studies.coverage.agreement import Agreements
from gecval.studies.coverage.annotators import AgainstPeople, against_people, check_annotators
from gecval.studies.coverage.true_score import TrueScore, true_scores
from gecval.studies.inputs import Edits
from gecval.studies.metric_signature import finder_signature, metric_signature
from gecval.studies.preparation import check_scorable

ANSWERS = {"people": tuple[AgainstPeople, ...], "accuracy": TrueScore}


@dataclass(frozen=True, kw_only=True)
class ReferenceChunks:
    """What a worker needs for any chunk."""

    corpus: Corpus
    systems: Sequence[System]
    metrics: Mapping[str, Metric]
    agreed: Agreements
    confidence: bool
    resampling: Resampling
    extractor: Edits
    jobs: int

    def __call__(self, chunk: Chunk) -> Any:
        part, which = chunk
        if part == "people":
            return tuple(
                against_people(
                    self.corpus,
                    self.systems,
                    [self.metrics[which]],
                    resampling=self.resampling if self.confidence else None,
                    extractor=self.extractor,
                    jobs=self.jobs,
                )
            )
        [score] = true_scores(
            self.corpus, [self.systems[which]], agreed=self.agreed, resampling=self.resampling, jobs=self.jobs
        )
        return score

    def check(self) -> None:
        """Refuse what cannot be scored before anything slow begins."""
        if self.metrics:
            check_annotators(self.corpus)
            check_scorable(self.corpus, self.systems, list(self.metrics.values()), extractor=self.extractor)

    def computed(
        self, *, backend: str | None, kept: Kept, progress: Progress
    ) -> tuple[list[AgainstPeople], list[TrueScore]]:
        """Systems beside people, metric after metric; and the accuracies of all systems."""
        chunks: list[Chunk] = [("people", name) for name in self.metrics]
        chunks += [("accuracy", number) for number in range(len(self.systems))]
        announce(progress, "scoring people")
        answers = []
        for answer in computed(self, chunks, backend=backend, kept=kept):
            answers.append(answer)
            progress(len(answers), len(chunks))
        people = [row for rows in answers[: len(self.metrics)] for row in rows]
        return people, answers[len(self.metrics) :]

    def signature(self) -> str:
        """Everything that decides a chunk."""
        metrics = list(self.metrics.values())
        return study_signature(
            "reference-coverage",
            corpus_signature(self.corpus),
            f"systems:{systems_digest(self.systems)}",
            *map(metric_signature, metrics),
            *finder_signature(self.corpus, metrics, self.extractor),
            f"confidence:{self.confidence}",
            self.resampling.signature(),
        )
