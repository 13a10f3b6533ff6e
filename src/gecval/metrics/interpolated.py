"""Two metrics as one (Napoles, Sakaguchi & Tetreault 2016): a reference-based one R and a reference-less one G.

    S_I = λ·S_R + (1 − λ)·S_G      for a sentence; the system's score is the mean over its sentences

The row of a sentence is (S_R, S_G, 1), whatever statistics and rules the two metrics have. λ is not in the row, so one
array serves every λ. ``interpolated(m2, ld, 1.0)`` is therefore the mean of M²'s sentence scores, not its corpus score.
No part is rescaled. LanguageTool's scores vary far less than GLEU's, so λ has to make up for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edits.extractors import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, PageFormula, Ratio, Statistics
from gecval.metrics.distance import LD
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.gleu import GLEU
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run

_GLEU, _LD = GLEU(), LD()


@dataclass(frozen=True, repr=False)
class Interpolated(Metric):
    """Spelled ``interpolated(gleu, ld, 0.2)``, or with metrics of the user's own, ``my_module:my_metric``.

    >>> Interpolated(GLEU(), LD(), 0.2)
    interpolated(gleu, ld, 0.2)
    """

    name: ClassVar[str] = "interpolated"
    summary: ClassVar[str] = "weighted mean of two metrics, sentence by sentence"
    paper: ClassVar[str] = "Napoles et al. 2016"
    rule: ClassVar[ReferenceRule] = Pooled()

    with_references: Metric = _GLEU
    without: Metric = _LD
    weight: float = 0.5

    def __post_init__(self) -> None:
        for part in ("with_references", "without"):
            if not isinstance(given := getattr(self, part), Metric):
                raise InputError(f"{self.name} needs two metrics, not {given!r}")
        if self.with_references.higher_is_better != self.without.higher_is_better:
            raise mixed_directions(self.with_references, self.without)
        extractors = {part.extractor.signature for part in (self.with_references, self.without) if part.extractor}
        if len(extractors) > 1:
            both = " and ".join(extractors)
            raise InputError(f"{self!r}: both parts must look at the same edits, not at those of {both}")
        if isinstance(self.weight, bool) or not isinstance(self.weight, int | float) or not 0 <= self.weight <= 1:
            raise InputError(f"{self.name}: weight must lie between 0 and 1, not {self.weight!r}")

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]  # as of both parts
        return self.with_references.higher_is_better

    @property
    def pays(self) -> bool:  # type: ignore[override]
        return self.with_references.pays or self.without.pays

    @property
    def needs(self) -> Need | None:  # type: ignore[override]  # what the parts need together
        both = {self.with_references.needs, self.without.needs}
        return next((need for need in ("edits", "references", "optional") if need in both), None)

    @property
    def extractor(self) -> Extractor | None:
        """That of a part: both look at the same edits."""
        return self.with_references.extractor or self.without.extractor

    @property
    def finds_edits(self) -> bool:
        return self.with_references.finds_edits or self.without.finds_edits

    def extractor_for(self, corpus: Corpus) -> Extractor | None:
        return self.with_references.extractor_for(corpus) or self.without.extractor_for(corpus)

    def data_signature(self, corpus: Corpus) -> list[str]:
        return [*self.with_references.data_signature(corpus), *self.without.data_signature(corpus)]

    @property
    def language(self) -> str | None:
        """That of a part that knows only one."""
        return self.with_references.language or self.without.language

    @property
    def compares_types(self) -> bool:
        return self.with_references.compares_types or self.without.compares_types

    @property
    def whole_corpus(self) -> str | None:
        return self.with_references.whole_corpus or self.without.whole_corpus

    def check(self, corpus: Corpus) -> None:
        self.with_references.check(corpus)
        self.without.check(corpus)

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        for part in (self.with_references, self.without):
            part.prepare(corpus, systems, run=run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        parts = [Evaluation.of(part, corpus, system, run=run.quiet()) for part in (self.with_references, self.without)]
        rows = np.column_stack([*(part.sentence_scores() for part in parts), np.ones(len(corpus))])
        return Statistics.one_per_sentence(rows, tuple(note for part in parts for note in part.statistics.notes))

    def score(self, totals: Array) -> Array:
        means = totals[..., :2] / totals[..., 2:]
        score: Array = self.weight * means[..., 0] + (1 - self.weight) * means[..., 1]
        return score

    def as_ratio(self) -> Ratio | None:
        return (self.weight, 1 - self.weight, 0), (0, 0, 1)

    def page_formula(self) -> PageFormula | None:
        parts = [repr(self.with_references), repr(self.without)]
        return {"name": "interpolated", "weight": self.weight, "parts": parts}

    @property
    def exact_on_subsets(self) -> bool:
        parts = self.with_references, self.without
        return super().exact_on_subsets and all(part.exact_on_subsets for part in parts)

    def parts(self, totals: Array) -> dict[str, float]:
        first, second, sentences = totals
        return {repr(self.with_references): float(first / sentences), repr(self.without): float(second / sentences)}

    def parameters(self) -> dict[str, Any]:
        parts = {"with": self.with_references, "without": self.without}
        return {name: part.in_full() for name, part in parts.items()} | {"weight": self.weight}

    def __repr__(self) -> str:
        return f"{self.name}({self.with_references!r}, {self.without!r}, {self.weight!r})"


def mixed_directions(first: Metric, second: Metric) -> InputError:
    """Why two metrics cannot be one."""
    higher, lower = (first, second) if first.higher_is_better else (second, first)
    return InputError(
        f"a hybrid of {first!r} and {second!r} has no direction: higher is better for {higher!r}, lower for {lower!r}"
    )
