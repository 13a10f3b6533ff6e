"""Which errors do systems leave alone? (Low-coverage paper, §3.4)

    ratio of a type = mean number of edits of that type by the systems / mean number by the references

whether they are right or not. Errors of an open class have many valid corrections, so that few of them are covered by
any references, and to correct them does not pay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.annotate import Extractor
from gecval.progress import Progress, silent

# ERRANT's types where any word may be the right one; all others have a few forms or a few words to choose from.
OPEN_CLASS = ("ADJ", "ADV", "NOUN", "OTHER", "VERB")

Edits = Sequence[tuple[Edit, ...]]  # one tuple a sentence


@dataclass(frozen=True)
class TypeRatio:
    """How often systems and references make edits of one type, in the whole corpus."""

    type: str
    systems: float
    references: float

    @property
    def ratio(self) -> float:
        return self.systems / self.references

    @property
    def word_class(self) -> str:
        """``open`` or ``closed``; nothing for types that say only what happens (M, U, R)."""
        return "open" if self.type in OPEN_CLASS else "closed" if len(self.type) > 1 else ""


def type_ratios(references: Sequence[Edits], systems: Sequence[Edits]) -> list[TypeRatio]:
    """The ratio of each type that references have, the most under-corrected last."""
    wanted, made = (_mean_counts(edits) for edits in (references, systems))
    ratios = [TypeRatio(kind, made.get(kind, 0.0), count) for kind, count in wanted.items()]
    return sorted(ratios, key=lambda one: (-one.ratio, one.type))


def frequency_correlation(ratios: Sequence[TypeRatio]) -> tuple[float, float]:
    """Spearman's ρ between how frequent a type is and its ratio, and p: are rare errors the neglected ones?"""
    result = spearmanr([one.references for one in ratios], [one.ratio for one in ratios])
    return float(result.statistic), float(result.pvalue)


def typed_edits(
    corpus: Corpus, systems: Sequence[System], extractor: Extractor, *, jobs: int = 1, progress: Progress = silent
) -> tuple[list[Edits], list[Edits]]:
    """The edits of references and of systems, all by one extractor, so that they are cut and named alike."""
    count = int(np.diff(corpus.reference_slots).min())
    listed = [corpus.texts_of(i) for i in range(len(corpus))]
    outputs = [[texts[a] for texts in listed] for a in range(count)] + [list(one.hypotheses) for one in systems]
    pairs = [pair for texts in outputs for pair in zip(corpus.sources, texts, strict=True)]
    found = extractor.edits(pairs, jobs=jobs, progress=progress)
    each: list[Edits] = [found[start : start + len(corpus)] for start in range(0, len(found), len(corpus))]
    return each[:count], each[count:]


def _mean_counts(correctors: Sequence[Edits]) -> dict[str, float]:
    counts = Counter(_category(edit) for edits in correctors for sentence in edits for edit in sentence)
    return {kind: count / len(correctors) for kind, count in counts.items()}


def _category(edit: Edit) -> str:
    """ERRANT's type without its operation: R:NOUN:NUM is NOUN:NUM."""
    operation, _, category = edit.type.partition(":")
    return category or operation
