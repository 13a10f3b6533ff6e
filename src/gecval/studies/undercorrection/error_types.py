"""Which errors do systems leave alone? (Low-coverage paper, §3.4)

    ratio of a type = mean number of edits of that type by the systems / mean number by the references

Edits count whether they are right or not. Errors of an open class have many valid corrections. Any references cover few
of them, so correcting them does not pay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.stats import spearmanr

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.extractors import Extractor
from gecval.progress import Progress, silent
from gecval.result import MaybeUndefined

# ERRANT's types where any word may be the right one. All others have a few forms or a few words to choose from.
OPEN_CLASS = ("ADJ", "ADV", "NOUN", "OTHER", "VERB")
FEWEST_TYPES = 4  # fewer are not correlated

Edits = Sequence[tuple[Edit, ...]]  # one tuple a sentence


@dataclass(frozen=True, kw_only=True)
class TypeRatio:
    """How often systems and references make edits of one type, in the whole corpus."""

    derived: ClassVar[tuple[str, ...]] = ("ratio", "word_class")

    type: str
    systems: float
    references: float

    @property
    def ratio(self) -> float:
        return self.systems / self.references

    @property
    def word_class(self) -> Literal["open", "closed", ""]:
        """``open`` or ``closed``; empty for types that only say what happens (M, U, R)."""
        return "open" if self.type in OPEN_CLASS else "closed" if len(self.type) > 1 else ""


@dataclass(frozen=True, kw_only=True)
class FrequencyCorrelation:
    """Spearman's ρ between how frequent a type is and its ratio, and its p. Undefined where one of them is constant."""

    rho: MaybeUndefined
    p: MaybeUndefined


def type_ratios(references: Sequence[Edits], systems: Sequence[Edits]) -> list[TypeRatio]:
    """The ratio of each type that references have. The type that is corrected least comes last."""
    wanted, made = (_mean_counts(edits) for edits in (references, systems))
    ratios = [TypeRatio(type=kind, systems=made.get(kind, 0.0), references=count) for kind, count in wanted.items()]
    return sorted(ratios, key=lambda row: (-row.ratio, row.type))


def frequency_correlation(ratios: Sequence[TypeRatio]) -> FrequencyCorrelation:
    """Do systems neglect rare errors? A positive ρ says so."""
    frequencies, made = [row.references for row in ratios], [row.ratio for row in ratios]
    if min(len(set(frequencies)), len(set(made))) < 2:
        return FrequencyCorrelation(rho=float("nan"), p=float("nan"))
    result = spearmanr(frequencies, made)
    return FrequencyCorrelation(rho=float(result.statistic), p=float(result.pvalue))


def typed_edits(
    corpus: Corpus, systems: Sequence[System], extractor: Extractor, *, jobs: int = 1, progress: Progress = silent
) -> tuple[list[Edits], list[Edits]]:
    """The edits of references and of systems. One extractor finds both, so they are cut and named alike."""
    annotators = int(np.diff(corpus.reference_slots).min())
    references = [corpus.texts_of(i) for i in range(len(corpus))]
    outputs = [[texts[a] for texts in references] for a in range(annotators)]
    outputs += [list(system.hypotheses) for system in systems]
    pairs = [pair for texts in outputs for pair in zip(corpus.sources, texts, strict=True)]
    edits = extractor.edits(pairs, jobs=jobs, progress=progress)
    of_correctors: list[Edits] = [edits[start : start + len(corpus)] for start in range(0, len(edits), len(corpus))]
    return of_correctors[:annotators], of_correctors[annotators:]


def _mean_counts(correctors: Sequence[Edits]) -> dict[str, float]:
    counts = Counter(_category(edit) for edits in correctors for sentence in edits for edit in sentence)
    return {kind: count / len(correctors) for kind, count in counts.items()}


def _category(edit: Edit) -> str:
    """ERRANT's type without its operation: R:NOUN:NUM is NOUN:NUM."""
    operation, _, category = edit.type.partition(":")
    return category or operation
