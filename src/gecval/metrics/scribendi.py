"""The Scribendi score (Islam & Magnani 2021): does a language model like the output better than the source?

    0   if the output is the source
   +1   if PPL(output) < PPL(source) and max(TSR, LDR) ≥ 0.8
   −1   otherwise

PPL is the perplexity. TSR is the token sort ratio and LDR the Levenshtein distance ratio of source and output. With
these, a fluent text that says something else cannot win. A system's score is the sum over its sentences, as in the
paper; the aggregate ``mean`` gives their mean. The paper's model was GPT-2. Its ratios are of tokenised text (Table 1).
Perplexities here are of normal text, which a model knows best.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.utils import default_process

from gecval.corpus import Corpus, System
from gecval.metrics.base import (
    Array,
    AveragedMetric,
    Need,
    PageFormula,
    Ratio,
    Statistics,
    number,
    ratio,
    whole,
    with_count,
)
from gecval.metrics.perplexity import LikelihoodMetric, perplexity
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run

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

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask the model about the outputs of all systems in one go, which fills its batches."""
        pairs = [pair for system in systems for pair in _pairs(corpus, system)]
        texts = [text for pair in pairs if pair[0] != pair[1] for text in pair]
        self.log_probabilities(texts, run=run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        pairs = _pairs(corpus, system)
        changed = [source != output for source, output in pairs]
        outcomes = np.ones(len(pairs), dtype=np.int64)
        outcomes[changed] = self._outcomes([pair for pair in pairs if pair[0] != pair[1]], run)
        return Statistics.one_per_sentence(np.eye(len(OUTCOMES))[outcomes], self.language_notes(corpus))

    def _outcomes(self, pairs: list[tuple[str, str]], run: Run) -> NDArray[np.int64]:
        """Which of OUTCOMES each changed sentence is."""
        sources, outputs = [source for source, _ in pairs], [output for _, output in pairs]
        perplexities = perplexity(self.log_probabilities([*sources, *outputs], run=run.quiet()))
        before, after = perplexities[: len(pairs)], perplexities[len(pairs) :]
        likeness = np.maximum(
            token_sort_ratios(sources, outputs, run=run),
            levenshtein_ratios(sources, outputs, self.replacement, run=run),
        )
        return np.where(before <= after, 2, np.where(likeness >= self.threshold, 0, 3))

    def score(self, totals: Array) -> Array:
        score: Array = totals @ np.array([self.better, self.unchanged, self.worse, self.worse])
        return score

    def as_ratio(self) -> Ratio | None:
        return (self.better, self.unchanged, self.worse, self.worse), (1, 1, 1, 1)

    def page_formula(self) -> PageFormula | None:
        return {"name": "scribendi", "values": [self.better, self.unchanged, self.worse, self.worse]}

    def parts(self, totals: Array) -> dict[str, float]:
        return {name: int(count) for name, count in zip(OUTCOMES, totals, strict=True)}


def _pairs(corpus: Corpus, system: System) -> list[tuple[str, str]]:
    """Sources and outputs with single blanks, since blanks only separate tokens."""
    pairs = zip(corpus.sources, system.hypotheses, strict=True)
    return [(" ".join(source.split()), " ".join(output.split())) for source, output in pairs]


# How like the source an output is (Islam & Magnani 2021, §4.1 and §4.2): ratios of characters between 0 and 1.
#
#     LDR = 1 − LD / (|S| + |O|)       inserting or deleting a character costs 1, replacing it 2
#     TSR = LDR of the sorted words of S and of O, in lower case and without punctuation
#
# For two empty texts both are 1.


def levenshtein_ratios(
    sources: Sequence[str], outputs: Sequence[str], replacement: int = 2, *, run: Run = SERIAL
) -> Array:
    """LDR, pair by pair.

    >>> levenshtein_ratios(["We can not let it go ."], ["We cannot let it go ."]).round(4).tolist()
    [0.9767]
    """
    # Deleting and inserting cost 2 together, so replacing never costs more.
    scorer = Levenshtein.distance if replacement == 1 else Indel.distance
    distances = process.cpdist(sources, outputs, scorer=scorer, dtype=np.int64, workers=run.threads)
    lengths = [len(source) + len(output) for source, output in zip(sources, outputs, strict=True)]
    return 1 - ratio(distances.astype(np.float64), np.array(lengths, dtype=np.float64), empty=0.0)


def token_sort_ratios(sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
    """TSR, pair by pair.

    >>> token_sort_ratios(["We can not let it go ."], ["We cannot let it go ."]).round(4).tolist()
    [0.8205]
    """
    return levenshtein_ratios(
        [_sorted_words(text) for text in sources], [_sorted_words(text) for text in outputs], run=run
    )


def _sorted_words(text: str) -> str:
    return " ".join(sorted(default_process(text).split()))


class SimilarityMetric(AveragedMetric):
    """The mean over sentences of a ratio of source and output."""

    needs: ClassVar[Need | None] = None
    paper: ClassVar[str] = "Islam & Magnani 2021"
    rule: ClassVar[ReferenceRule] = Pooled()

    @abstractmethod
    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        """The ratio of each pair."""

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        return Statistics.one_per_sentence(with_count(self.ratios(corpus.sources, system.hypotheses, run=run)))


@dataclass(frozen=True, repr=False)
class LevenshteinRatio(SimilarityMetric):
    name: ClassVar[str] = "levenshtein"
    summary: ClassVar[str] = "Levenshtein distance ratio of source and output, over characters"

    replacement: int = 2

    def __post_init__(self) -> None:
        whole(self.name, replacement=self.replacement)

    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        return levenshtein_ratios(sources, outputs, self.replacement, run=run)


@dataclass(frozen=True, repr=False)
class TokenSortRatio(SimilarityMetric):
    name: ClassVar[str] = "token-sort"
    summary: ClassVar[str] = "Levenshtein distance ratio of the sorted words of source and output"

    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        return token_sort_ratios(sources, outputs, run=run)
