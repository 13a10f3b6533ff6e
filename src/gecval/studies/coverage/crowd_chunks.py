"""The chunks of the coverage of a crowd's corrections: the estimate of each sentence, and each score.

("estimate", i)          UnseenEst for sentence i
("score", metric, M)     a perfect system with M references
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gecval.formats.corrections import Corrections
from gecval.metrics.base import Metric
from gecval.progress import Progress, announce
from gecval.stats import Resampling
from gecval.studies.checkpoint import Chunk, Kept
from gecval.studies.chunks import computed, digest, study_signature
from gecval.studies.coverage.perfect_system import PerfectScore, Simulation, perfect_score
from gecval.studies.coverage.variants import Unit, VariantEstimate, estimate_sentence
from gecval.studies.metric_signature import metric_signature

ANSWERS = {"estimate": VariantEstimate, "score": PerfectScore}


@dataclass(frozen=True, kw_only=True)
class CrowdChunks:
    """What a worker needs for any chunk."""

    corrections: Sequence[Corrections]
    unit: Unit
    simulation: Simulation | None
    metrics: Mapping[str, Metric]
    resampling: Resampling
    jobs: int

    def __call__(self, chunk: Chunk) -> Any:
        part, *which = chunk
        if part == "estimate":
            return estimate_sentence(self.corrections[which[0]], self.unit)
        assert self.simulation is not None
        name, references = which
        return perfect_score(
            self.simulation, self.metrics[name], references, resampling=self.resampling, jobs=self.jobs
        )

    def computed(self, most: int, *, backend: str | None, kept: Kept, progress: Progress) -> Iterator[Any]:
        """The estimates of all sentences, then the scores of all metrics with 1, 2, … ``most`` references."""
        chunks: list[Chunk] = [("estimate", i) for i in range(len(self.corrections))]
        chunks += [("score", name, references) for name in self.metrics for references in range(1, most + 1)]
        announce(progress, "estimating")
        for done, answer in enumerate(computed(self, chunks, backend=backend, kept=kept), start=1):
            yield answer
            progress(done, len(chunks))
            part, *which = chunks[min(done, len(chunks) - 1)]
            if part == "score":
                announce(progress, f"scoring a perfect system by {which[0]}")

    def signature(self) -> str:
        """Everything that decides a chunk."""
        texts = (text for sentence in self.corrections for text in (sentence.source, "", *sentence.texts, ""))
        parts = [f"corrections:{digest(texts)}", f"unit:{self.unit}", *map(metric_signature, self.metrics.values())]
        if drawn := self.simulation:
            parts += [f"sentences:{drawn.sentences}", f"correct:{drawn.correct}", f"references:{drawn.most_references}"]
            parts += [f"replacement:{drawn.replacement}", self.resampling.signature()]
        return study_signature("crowd-coverage", *parts)
