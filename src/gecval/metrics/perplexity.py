"""Perplexity: how little a language model expects the output. Lower is better, unlike for all other metrics.

    PPL = exp( −log p(text) / tokens )      tokens are the model's; over several sentences both are summed first

The perplexity of an empty sentence is 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Ratio, Statistics
from gecval.metrics.likelihood import LikelihoodMetric
from gecval.metrics.ratios import ratio
from gecval.progress import Progress, silent


def perplexity(rows: Array) -> Array:
    """The perplexity of rows (−log p, tokens). The last axis goes."""
    return np.exp(ratio(rows[..., 0], rows[..., 1], empty=0.0))


@dataclass(frozen=True, repr=False)
class Perplexity(LikelihoodMetric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file."""

    name: ClassVar[str] = "perplexity"
    summary: ClassVar[str] = "how little a language model expects the output; lower is better"
    higher_is_better: ClassVar[bool] = False

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask the model about the outputs of all systems in one go, which fills its batches."""
        outputs = [text for system in systems for text in system.hypotheses]
        self.log_probabilities(outputs, jobs=jobs, progress=progress)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        rows = self.log_probabilities(system.hypotheses, jobs=jobs)
        return Statistics.one_per_sentence(rows, self.language_notes(corpus))

    def score(self, totals: Array) -> Array:
        return perplexity(totals)

    def as_ratio(self) -> Ratio | None:
        return (1, 0), (0, 1)

    def parts(self, totals: Array) -> dict[str, float]:
        surprise, tokens = totals
        return {"nats": float(surprise), "tokens": int(tokens)}
