"""Metrics as one (Napoles, Sakaguchi & Tetreault 2016): a reference-based one R and a reference-less one G, or more.

    S_I = λ·S_R + (1 − λ)·S_G      for a sentence; the system's score is the mean over its sentences

The row of a sentence is (S_R, S_G, 1), whatever statistics and rules the metrics have. λ is not in the row, so one
array serves every λ. ``interpolated(m2, ld, 1.0)`` is therefore the mean of M²'s sentence scores, not its corpus score.

Each score is divided by its part's scale; without scales none is. LanguageTool's scores vary far less than GLEU's, so λ
has to make up for it. Of k parts k − 1 weights are given, and the last part gets what is left. Where parts differ in
direction, those that are better if lower count negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
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


@dataclass(frozen=True, repr=False, init=False)
class Interpolated(Metric):
    """Spelled ``interpolated(gleu, ld, 0.2)``, or with metrics of the user's own, ``my_module:my_metric``.

    >>> Interpolated(GLEU(), LD(), 0.2)
    interpolated(gleu, ld, 0.2)
    >>> Interpolated(GLEU(), LD(), GLEU(2), 0.5, 0.3, scales=(0.2, 0.1, 0.2))
    interpolated(gleu, ld, gleu(n=2), 0.5, 0.3, scales=(0.2, 0.1, 0.2))
    """

    name: ClassVar[str] = "interpolated"
    title: ClassVar[str] = "Interpolated"
    summary: ClassVar[str] = "weighted mean of two metrics or more, sentence by sentence"
    paper: ClassVar[str] = "Napoles et al. 2016"
    rule: ClassVar[ReferenceRule] = Pooled()

    with_references: Metric = _GLEU
    without: Metric = _LD
    weight: float | tuple[float, ...] = 0.5  # of each part but the last
    more: tuple[Metric, ...] = field(default=(), kw_only=True)
    scales: tuple[float, ...] = field(default=(), kw_only=True)

    def __init__(
        self,
        *given: Metric | float,
        with_references: Metric = _GLEU,
        without: Metric = _LD,
        weight: float | Sequence[float] = (),  # none given: equal ones
        more: Sequence[Metric] = (),
        scales: Sequence[float] = (),
    ) -> None:
        for name, values in (("more", more), ("scales", scales)):
            if not isinstance(values, tuple | list):
                raise InputError(f"{self.name}: {name} must be a list, not {values!r}")
        count = next((place for place, part in enumerate(given) if isinstance(part, Real)), len(given))
        listed, weights = [with_references, without, *more], given[count:]
        if count == 1 and weights:
            raise InputError(f"{self.name} needs two metrics, not {weights[0]!r}")
        listed[:count] = given[:count]  # type: ignore[assignment]  # checked below
        if weights and weight != ():
            raise InputError(f"{self.name}: the weight is given twice")
        named: tuple[Any, ...] = tuple(weight) if isinstance(weight, tuple | list) else (weight,)
        equal = (1 / len(listed),) * (len(listed) - 1)
        self._set(listed, weights or named or equal, tuple(scales))

    def _set(self, metrics: Sequence[Any], weights: tuple[Any, ...], scales: tuple[float, ...]) -> None:
        for part in metrics:
            if not isinstance(part, Metric):
                raise InputError(f"{self.name} needs two metrics, not {part!r}")
        for weight in weights:
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
                raise InputError(f"{self.name}: weight must lie between 0 and 1, not {weight!r}")
        if len(weights) != len(metrics) - 1 or sum(weights) > 1 + 1e-9:
            raise InputError(
                f"{self.name}: {len(metrics)} metrics take {len(metrics) - 1} weights of 1 in all at most, as the last "
                f"metric gets what is left; there is {', '.join(map(str, weights))}"
            )
        sound = all(isinstance(scale, int | float) and 0 < scale < np.inf for scale in scales)
        if scales and not (sound and len(scales) == len(metrics)):
            raise InputError(f"{self.name}: scales must be a number above 0 for each metric, not {scales}")
        extractors = {part.extractor.signature for part in metrics if part.extractor}
        values = {
            "with_references": metrics[0],
            "without": metrics[1],
            "weight": weights[0] if len(weights) == 1 else weights,
            "more": tuple(metrics[2:]),
            "scales": scales,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if len(extractors) > 1:
            both = " and ".join(extractors)
            raise InputError(f"{self!r}: all parts must look at the same edits, not at those of {both}")

    @property
    def components(self) -> tuple[Metric, ...]:
        """The metrics that it is made of."""
        return (self.with_references, self.without, *self.more)

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each part but the last."""
        return self.weight if isinstance(self.weight, tuple) else (self.weight,)

    @cached_property
    def factors(self) -> tuple[float, ...]:
        """What the score of each part is multiplied by."""
        weights = (*self.weights, max(0.0, 1 - sum(self.weights)))
        signs = [part.direction * self.direction for part in self.components]
        scales = self.scales or (1.0,) * len(weights)
        return tuple(weight * sign / scale for weight, sign, scale in zip(weights, signs, scales, strict=True))

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]  # lower only where it is for all parts
        return any(part.higher_is_better for part in self.components)

    @property
    def pays(self) -> bool:  # type: ignore[override]
        return any(part.pays for part in self.components)

    @property
    def needs(self) -> Need | None:  # type: ignore[override]  # what the parts need together
        needed = {part.needs for part in self.components}
        return next((need for need in ("edits", "references", "optional") if need in needed), None)

    @property
    def extractor(self) -> Extractor | None:
        """That of a part: all look at the same edits."""
        return next((part.extractor for part in self.components if part.extractor), None)

    @property
    def finds_edits(self) -> bool:
        return any(part.finds_edits for part in self.components)

    def extractor_for(self, corpus: Corpus) -> Extractor | None:
        found = (part.extractor_for(corpus) for part in self.components)
        return next((finder for finder in found if finder), None)

    def data_signature(self, corpus: Corpus) -> list[str]:
        return [line for part in self.components for line in part.data_signature(corpus)]

    @property
    def language(self) -> str | None:
        """That of a part that knows only one."""
        return next((part.language for part in self.components if part.language), None)

    @property
    def compares_types(self) -> bool:
        return any(part.compares_types for part in self.components)

    @property
    def whole_corpus(self) -> str | None:
        return next((part.whole_corpus for part in self.components if part.whole_corpus), None)

    def check(self, corpus: Corpus) -> None:
        for part in self.components:
            part.check(corpus)

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        for part in self.components:
            part.prepare(corpus, systems, run=run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        evaluations = [Evaluation.of(part, corpus, system, run=run.quiet()) for part in self.components]
        rows = np.column_stack([*(part.sentence_scores() for part in evaluations), np.ones(len(corpus))])
        return Statistics.one_per_sentence(rows, tuple(note for part in evaluations for note in part.statistics.notes))

    def score(self, totals: Array) -> Array:
        means = totals[..., :-1] / totals[..., -1:]
        score: Array = sum(factor * means[..., place] for place, factor in enumerate(self.factors))  # type: ignore[assignment]
        return score

    def as_ratio(self) -> Ratio | None:
        return (*self.factors, 0), ((0,) * len(self.factors) + (1,))

    def page_formula(self) -> PageFormula | None:
        return {
            "name": "interpolated",
            "factors": list(self.factors),
            "parts": [repr(part) for part in self.components],
        }

    @property
    def exact_on_subsets(self) -> bool:
        return super().exact_on_subsets and all(part.exact_on_subsets for part in self.components)

    def parts(self, totals: Array) -> dict[str, float]:
        sums = zip(self.components, totals, strict=False)  # the last total counts sentences
        return {repr(part): float(total / totals[-1]) for part, total in sums}

    def parameters(self) -> dict[str, Any]:
        names = ["with", "without", *(f"part{number}" for number in range(3, len(self.components) + 1))]
        parts = {name: part.spell_in_full() for name, part in zip(names, self.components, strict=True)}
        weight = self.weight if isinstance(self.weight, int | float) else "+".join(map(repr, self.weight))
        scales = {"scales": "+".join(map(repr, self.scales))} if self.scales else {}
        return parts | {"weight": weight} | scales

    def __repr__(self) -> str:
        scales = [f"scales={self.scales!r}"] if self.scales else []
        return f"{self.name}({', '.join([*map(repr, (*self.components, *self.weights)), *scales])})"
