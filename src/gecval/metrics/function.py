"""A user's own metric as a plain function ``f(source, hypothesis, references) -> float``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.averaged import AveragedMetric, with_count
from gecval.metrics.base import Need, Statistics
from gecval.metrics.rules import Pooled, ReferenceRule

SentenceFunction = Callable[[str, str, Sequence[str]], float]


@dataclass(frozen=True, repr=False)
class FunctionMetric(AveragedMetric):
    """The sentence scores are what the function gives. The corpus score is their mean.

    >>> shorter = FunctionMetric(lambda source, hypothesis, references: len(source) / len(hypothesis), "shorter")
    >>> corpus = Corpus.from_texts(["very very good"])
    >>> shorter.statistics(corpus, corpus.system("mine", ["very good"])).rows.tolist()
    [[1.5555555555555556, 1.0]]
    """

    function: SentenceFunction
    spelling: str

    name: ClassVar[str] = "function"
    summary: ClassVar[str] = "a function of source, hypothesis and references"
    paper: ClassVar[str] = ""
    needs: ClassVar[Need | None] = "optional"
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        values = np.empty(len(corpus))
        for i, (source, hypothesis) in enumerate(zip(corpus.sources, system.hypotheses, strict=True)):
            try:
                value = self.function(source, hypothesis, corpus.texts_of(i))
            except Exception as error:
                raise InputError(
                    f"{self.spelling} failed on sentence {i + 1} of {system.name}: {type(error).__name__}: {error}"
                ) from error
            if not isinstance(value, Real) or not isfinite(value):
                raise InputError(f"{self.spelling} gave {value!r}, not a number, on sentence {i + 1} of {system.name}")
            values[i] = value
        return Statistics.one_per_sentence(with_count(values))

    def __repr__(self) -> str:
        return self.spelling

    def parameters(self) -> dict[str, Any]:
        return {"function": self.spelling}
