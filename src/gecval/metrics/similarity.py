"""How like the source an output is (Islam & Magnani 2021, §4.1 and §4.2): ratios of characters between 0 and 1.

    LDR = 1 − LD / (|S| + |O|)       inserting or deleting a character costs 1, replacing it 2
    TSR = LDR of the sorted words of S and of O, in lower case and without punctuation

For two empty texts both are 1.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.utils import default_process

from gecval.corpus import Corpus, System
from gecval.metrics.averaged import AveragedMetric, with_count
from gecval.metrics.base import Array, Need, Statistics
from gecval.metrics.parameters import whole
from gecval.metrics.ratios import ratio
from gecval.metrics.rules import Pooled, ReferenceRule


def levenshtein_ratios(sources: Sequence[str], outputs: Sequence[str], replacement: int = 2, *, jobs: int = 1) -> Array:
    """LDR, pair by pair.

    >>> levenshtein_ratios(["We can not let it go ."], ["We cannot let it go ."]).round(4).tolist()
    [0.9767]
    """
    # Deleting and inserting cost 2 together, so replacing never costs more.
    scorer = Levenshtein.distance if replacement == 1 else Indel.distance
    distances = process.cpdist(sources, outputs, scorer=scorer, dtype=np.int64, workers=jobs)
    lengths = [len(source) + len(output) for source, output in zip(sources, outputs, strict=True)]
    return 1 - ratio(distances.astype(np.float64), np.array(lengths, dtype=np.float64), empty=0.0)


def token_sort_ratios(sources: Sequence[str], outputs: Sequence[str], *, jobs: int = 1) -> Array:
    """TSR, pair by pair.

    >>> token_sort_ratios(["We can not let it go ."], ["We cannot let it go ."]).round(4).tolist()
    [0.8205]
    """
    return levenshtein_ratios(
        [_sorted_words(text) for text in sources], [_sorted_words(text) for text in outputs], jobs=jobs
    )


def _sorted_words(text: str) -> str:
    return " ".join(sorted(default_process(text).split()))


class SimilarityMetric(AveragedMetric):
    """The mean over sentences of a ratio of source and output."""

    needs: ClassVar[Need | None] = None
    paper: ClassVar[str] = "Islam & Magnani 2021"
    rule: ClassVar[ReferenceRule] = Pooled()

    @abstractmethod
    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, jobs: int = 1) -> Array:
        """The ratio of each pair."""

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        return Statistics.one_per_sentence(with_count(self.ratios(corpus.sources, system.hypotheses, jobs=jobs)))


@dataclass(frozen=True, repr=False)
class LevenshteinRatio(SimilarityMetric):
    name: ClassVar[str] = "levenshtein"
    summary: ClassVar[str] = "Levenshtein distance ratio of source and output, over characters"

    replacement: int = 2

    def __post_init__(self) -> None:
        whole(self.name, replacement=self.replacement)

    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, jobs: int = 1) -> Array:
        return levenshtein_ratios(sources, outputs, self.replacement, jobs=jobs)


@dataclass(frozen=True, repr=False)
class TokenSortRatio(SimilarityMetric):
    name: ClassVar[str] = "token-sort"
    summary: ClassVar[str] = "Levenshtein distance ratio of the sorted words of source and output"

    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, jobs: int = 1) -> Array:
        return token_sort_ratios(sources, outputs, jobs=jobs)
