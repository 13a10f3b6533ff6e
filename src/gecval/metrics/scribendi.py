"""The Scribendi score (Islam & Magnani 2021): does a language model like the output better than the source?

    0   if the output is the source
   +1   if PPL(output) < PPL(source) and max(TSR, LDR) ≥ 0.8
   −1   otherwise

PPL is the perplexity. TSR is the token sort ratio and LDR the Levenshtein distance ratio of source and output. With
these, a fluent text that says something else cannot win. A system's score is the sum over its sentences, as in the
paper; the aggregate ``mean`` gives their mean. The paper's model was GPT-2. Its ratios are of tokenised text (Table 1).
Perplexities here are of normal text, which a model knows best.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Ratio, Statistics
from gecval.metrics.likelihood import LikelihoodMetric
from gecval.metrics.parameters import number, whole
from gecval.metrics.perplexity import perplexity
from gecval.metrics.similarity import levenshtein_ratios, token_sort_ratios
from gecval.progress import Progress, silent

OUTCOMES = ("better", "unchanged", "less likely", "unlike the source")


@dataclass(frozen=True, repr=False)
class Scribendi(LikelihoodMetric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file."""

    name: ClassVar[str] = "scribendi"
    summary: ClassVar[str] = "+1, 0 or -1: a language model prefers the output, which is like its source"

    threshold: float = 0.8
    replacement: int = 2  # what replacing a character costs; inserting or deleting one costs 1
    better: float = 1.0
    unchanged: float = 0.0
    worse: float = -1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.name, replacement=self.replacement)
        number(self.name, threshold=self.threshold, better=self.better, unchanged=self.unchanged, worse=self.worse)

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask the model about the outputs of all systems in one go, which fills its batches."""
        pairs = [pair for system in systems for pair in _pairs(corpus, system)]
        texts = [text for pair in pairs if pair[0] != pair[1] for text in pair]
        self.log_probabilities(texts, jobs=jobs, progress=progress)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        pairs = _pairs(corpus, system)
        changed = [source != output for source, output in pairs]
        outcomes = np.ones(len(pairs), dtype=np.int64)
        outcomes[changed] = self._outcomes([pair for pair in pairs if pair[0] != pair[1]], jobs)
        return Statistics.one_per_sentence(np.eye(len(OUTCOMES))[outcomes], self.language_notes(corpus))

    def _outcomes(self, pairs: list[tuple[str, str]], jobs: int) -> NDArray[np.int64]:
        """Which of OUTCOMES each changed sentence is."""
        sources, outputs = [source for source, _ in pairs], [output for _, output in pairs]
        perplexities = perplexity(self.log_probabilities([*sources, *outputs], jobs=jobs))
        before, after = perplexities[: len(pairs)], perplexities[len(pairs) :]
        likeness = np.maximum(
            token_sort_ratios(sources, outputs, jobs=jobs),
            levenshtein_ratios(sources, outputs, self.replacement, jobs=jobs),
        )
        return np.where(before <= after, 2, np.where(likeness >= self.threshold, 0, 3))

    def score(self, totals: Array) -> Array:
        score: Array = totals @ np.array([self.better, self.unchanged, self.worse, self.worse])
        return score

    def as_ratio(self) -> Ratio | None:
        return (self.better, self.unchanged, self.worse, self.worse), (1, 1, 1, 1)

    def parts(self, totals: Array) -> dict[str, float]:
        return {name: int(count) for name, count in zip(OUTCOMES, totals, strict=True)}


def _pairs(corpus: Corpus, system: System) -> list[tuple[str, str]]:
    """Sources and outputs with single blanks, since blanks only separate tokens."""
    pairs = zip(corpus.sources, system.hypotheses, strict=True)
    return [(" ".join(source.split()), " ".join(output.split())) for source, output in pairs]
