"""IMPARA (Maeda et al. 2022): a network that ranks corrections, and a gate that asks whether the meaning is kept.

    IMPARA = σ(QE(output))   if cos(v(source), v(output)) ≥ 0.9,   else 0

QE is a classifier with one output, v the mean vector of the last layer over all tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.metrics.base import Array, check_number, check_text
from gecval.metrics.neural import NeuralMetric, only_output, sigmoid
from gecval.models.text_model import TextModel
from gecval.models.text_similarity import cosine
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class IMPARA(NeuralMetric):
    """``qe`` and ``similarity`` are names on the model hub, or folders."""

    name: ClassVar[str] = "impara"
    title: ClassVar[str] = "IMPARA"
    summary: ClassVar[str] = "a network's estimate of quality, 0 where the meaning is not kept"
    paper: ClassVar[str] = "Maeda et al. 2022"

    qe: str = "gotutiyan/IMPARA-QE"
    similarity: str = "bert-base-cased"
    threshold: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        check_text(self.name, qe=self.qe, similarity=self.similarity)
        check_number(self.name, threshold=self.threshold)

    def models(self) -> dict[str, TextModel]:
        return {
            "qe": self.text_model(self.qe, "classifier"),
            "similarity": self.text_model(self.similarity, "mean-pooled"),
        }

    def values(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        models = self.models()
        quality = sigmoid(only_output(models["qe"], outputs, run=run))
        vectors = models["similarity"].numbers([*sources, *outputs], run=run)
        kept = cosine(vectors[: len(sources)], vectors[len(sources) :]) >= self.threshold
        return np.where(kept, quality, 0.0)
