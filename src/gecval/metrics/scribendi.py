"""The Scribendi score (Islam & Magnani 2021): does a language model like the output better than the source?

    0   if the output is the source
   +1   if PPL(output) < PPL(source) and max(TSR, LDR) ≥ 0.8
   −1   otherwise

Graded Scribendi says how much better, and is the mean over sentences:

    gain = log PPL(source) − log PPL(output)

    0                      if the output is the source
    gain                   if max(TSR, LDR) ≥ threshold
    min(gain, 0) − penalty otherwise

PPL is the perplexity. TSR is the token sort ratio and LDR the Levenshtein distance ratio of source and output. With
these, a fluent text that says something else cannot win. A system's score is the sum over its sentences, as in the
paper; the aggregate ``mean`` gives their mean. The paper's model was GPT-2. Its ratios are of tokenised text (Table 1).
Perplexities here are of normal text, which a model knows best.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

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
    check_number,
    check_whole,
    ratio,
    with_count,
)
from gecval.metrics.perplexity import LikelihoodMetric, perplexity
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run

OUTCOMES = ("better", "unchanged", "less likely", "unlike the source")


@dataclass(frozen=True, repr=False)
class GainMetric(LikelihoodMetric):
    """Compares the perplexity of each output with that of its source, and asks whether the two are alike."""

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask the model about the outputs of all systems in one go, which fills its batches."""
        pairs = [pair for system in systems for pair in _pairs(corpus, system)]
        texts = [text for pair in pairs if pair[0] != pair[1] for text in pair]
        self.log_probabilities(texts, run=run)

    def changes(
        self, pairs: Sequence[tuple[str, str]], *, replacement: int, cased: bool = False, run: Run = SERIAL
    ) -> Likelihoods:
        """What the model makes of sentences that were changed, and how like their sources they are."""
        sources, outputs = [source for source, _ in pairs], [output for _, output in pairs]
        perplexities = perplexity(self.log_probabilities([*sources, *outputs], run=run.quiet()))
        likeness = np.maximum(
            token_sort_ratios(sources, outputs, cased=cased, run=run),
            levenshtein_ratios(sources, outputs, replacement, run=run),
        )
        return Likelihoods(perplexities[: len(pairs)], perplexities[len(pairs) :], likeness)


class Likelihoods(NamedTuple):
    """Perplexities of sources and of outputs, and max(TSR, LDR), sentence by sentence."""

    before: Array
    after: Array
    likeness: Array

    def outcomes(self, threshold: float) -> NDArray[np.int64]:
        """Which of OUTCOMES each sentence is."""
        return np.where(self.before <= self.after, 2, np.where(self.likeness >= threshold, 0, 3))


@dataclass(frozen=True, repr=False)
class Scribendi(GainMetric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file."""

    name: ClassVar[str] = "scribendi"
    title: ClassVar[str] = "Scribendi"
    summary: ClassVar[str] = "+1, 0 or -1: a language model prefers the output, which is like its source"

    threshold: float = 0.8
    replacement: int = 2  # what replacing a character costs; inserting or deleting one costs 1
    better: float = 1.0
    unchanged: float = 0.0
    worse: float = -1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self.name, replacement=self.replacement)
        check_number(
            self.name, threshold=self.threshold, better=self.better, unchanged=self.unchanged, worse=self.worse
        )

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        pairs = _pairs(corpus, system)
        changed = np.array([source != output for source, output in pairs], dtype=np.bool_)
        outcomes = np.ones(len(pairs), dtype=np.int64)
        changes = self.changes([pair for pair in pairs if pair[0] != pair[1]], replacement=self.replacement, run=run)
        outcomes[changed] = changes.outcomes(self.threshold)
        return Statistics.one_per_sentence(np.eye(len(OUTCOMES))[outcomes], self.language_notes(corpus))

    def score(self, totals: Array) -> Array:
        score: Array = totals @ np.array([self.better, self.unchanged, self.worse, self.worse])
        return score

    def as_ratio(self) -> Ratio | None:
        return (self.better, self.unchanged, self.worse, self.worse), (1, 1, 1, 1)

    def page_formula(self) -> PageFormula | None:
        return {"name": "scribendi", "values": [self.better, self.unchanged, self.worse, self.worse]}

    def parts(self, totals: Array) -> dict[str, float]:
        return {name: int(count) for name, count in zip(OUTCOMES, totals, strict=True)}


@dataclass(frozen=True, repr=False)
class GradedScribendi(GainMetric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file."""

    name: ClassVar[str] = "graded-scribendi"
    title: ClassVar[str] = "Graded Scribendi"
    summary: ClassVar[str] = "how much likelier than the source a language model finds the output"
    paper: ClassVar[str] = "after Islam & Magnani 2021"

    threshold: float = 0.8
    penalty: float = 1.0  # nats a token, for an output that is unlike its source
    replacement: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self.name, replacement=self.replacement)
        check_number(self.name, threshold=self.threshold)
        check_number(self.name, least=0, penalty=self.penalty)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        pairs = _pairs(corpus, system)
        changed = np.array([source != output for source, output in pairs], dtype=np.bool_)
        changed_pairs = [pair for pair in pairs if pair[0] != pair[1]]
        # Cased: a model may find a source in capitals more likely, token by token, and the paper's ratio cannot see it.
        changes = self.changes(changed_pairs, replacement=self.replacement, cased=True, run=run)
        gains = np.log(changes.before) - np.log(changes.after)
        values, outcomes = np.zeros(len(pairs)), np.ones(len(pairs), dtype=np.int64)
        values[changed] = np.where(changes.likeness >= self.threshold, gains, np.minimum(gains, 0.0) - self.penalty)
        outcomes[changed] = np.where(changes.likeness >= self.threshold, np.where(gains > 0, 0, 2), 3)
        rows = np.column_stack([with_count(values), np.eye(len(OUTCOMES))[outcomes]])
        return Statistics.one_per_sentence(rows, self.language_notes(corpus))

    def score(self, totals: Array) -> Array:
        mean: Array = totals[..., 0] / totals[..., 1]
        return mean

    def as_ratio(self) -> Ratio | None:
        return (1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)

    def page_formula(self) -> PageFormula | None:
        return {"name": "mean", "parts": list(OUTCOMES)}

    def parts(self, totals: Array) -> dict[str, float]:
        return {name: int(count) for name, count in zip(OUTCOMES, totals[2:], strict=True)}


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


def token_sort_ratios(
    sources: Sequence[str], outputs: Sequence[str], *, cased: bool = False, run: Run = SERIAL
) -> Array:
    """TSR, pair by pair; cased: of the words as they are, with their capitals and punctuation.

    >>> token_sort_ratios(["We can not let it go ."], ["We cannot let it go ."]).round(4).tolist()
    [0.8205]
    """
    ours, theirs = ([_sort_words(text, cased) for text in texts] for texts in (sources, outputs))
    return levenshtein_ratios(ours, theirs, run=run)


def _sort_words(text: str, cased: bool) -> str:
    return " ".join(sorted((text if cased else default_process(text)).split()))


class SimilarityMetric(AveragedMetric):
    """The mean over sentences of a ratio of source and output."""

    needs: ClassVar[Need | None] = None
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
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
    title: ClassVar[str] = "Levenshtein ratio"
    summary: ClassVar[str] = "Levenshtein distance ratio of source and output, over characters"

    replacement: int = 2

    def __post_init__(self) -> None:
        check_whole(self.name, replacement=self.replacement)

    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        return levenshtein_ratios(sources, outputs, self.replacement, run=run)


@dataclass(frozen=True, repr=False)
class TokenSortRatio(SimilarityMetric):
    name: ClassVar[str] = "token-sort"
    title: ClassVar[str] = "Token sort ratio"
    summary: ClassVar[str] = "Levenshtein distance ratio of the sorted words of source and output"

    def ratios(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        return token_sort_ratios(sources, outputs, run=run)
