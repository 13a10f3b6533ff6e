"""Sentence accuracy and exact index match (Choshen & Abend 2018, *Inherent Biases*, §2.2).

accuracy    = share of sentences whose hypothesis equals one of the references, word by word
index match = share of sentences that change exactly the source words which one of the references changes,
              whatever they are changed to
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Encoded
from gecval.metrics.base import Array, AveragedMetric, Statistics, with_count
from gecval.metrics.reference_rules import Best, ReferenceRule
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class Accuracy(AveragedMetric):
    name: ClassVar[str] = "accuracy"
    title: ClassVar[str] = "Accuracy"
    summary: ClassVar[str] = "share of sentences equal to a reference"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Choshen & Abend 2018"
    rule: ClassVar[ReferenceRule] = Best()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        return Statistics(with_count(self.matches(corpus, system, run=run)), corpus.reference_slots)

    def matches(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Array:
        """1.0 for every reference with which the hypothesis agrees, 0.0 for the others."""
        counts = np.diff(corpus.reference_slots).tolist()
        repeated = (text for text, count in zip(_words(system.hypotheses), counts, strict=True) for _ in range(count))
        references = corpus.derive(_words_of_references)
        return np.array([a == b for a, b in zip(repeated, references, strict=True)], dtype=np.float64)


def _words_of_references(corpus: Corpus) -> list[str]:
    return _words(corpus.reference_texts)


def _words(texts: Sequence[str]) -> list[str]:
    """Texts whose words are one blank apart."""
    return [" ".join(text.split()) for text in texts]


@dataclass(frozen=True, repr=False)
class IndexMatch(Accuracy):
    name: ClassVar[str] = "index-match"
    title: ClassVar[str] = "Index match"
    summary: ClassVar[str] = "share of sentences that change the same words as a reference"

    def matches(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Array:
        encoded = Encoded.of(corpus)
        return _native.index_match(
            *encoded.source_tokens(run=run),
            *encoded.hypothesis_tokens(system, run=run),
            *encoded.reference_tokens(run=run),
            corpus.reference_slots,
            jobs=run.threads,
        )
