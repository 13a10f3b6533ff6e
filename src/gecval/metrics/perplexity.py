"""Perplexity: how little a language model expects the output. Lower is better, unlike for all other metrics.

    PPL = exp( −log p(text) / tokens )      tokens are the model's; over several sentences both are summed first

The perplexity of an empty sentence is 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.corpus.tokenization import detokenize
from gecval.metrics.base import (
    Array,
    Metric,
    Need,
    PageFormula,
    Ratio,
    Statistics,
    check_flag,
    check_text,
    check_whole,
    ratio,
)
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.models.device import AUTO
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import DEFAULT_MODEL, language_notes
from gecval.runtime.run import SERIAL, Run

# Metrics that ask a language model how likely texts are: the parameters that choose the model and how it runs.


# These decide how long it takes, not the score. The model's signature names a type other than float32.
NOT_SIGNED = ("device", "dtype", "batch_size")


@dataclass(frozen=True, repr=False)
class LikelihoodMetric(Metric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file; what follows it goes by name only."""

    paper: ClassVar[str] = "Islam & Magnani 2021"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    model: str = DEFAULT_MODEL
    detokenize: bool = field(default=True, kw_only=True)
    device: str = field(default=AUTO, kw_only=True)
    dtype: str = field(default="float32", kw_only=True)
    batch_size: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.batch_size is not None:
            check_whole(self.name, most=100_000, batch_size=self.batch_size)
        check_text(self.name, model=self.model, device=self.device, dtype=self.dtype)
        check_flag(self.name, detokenize=self.detokenize)

    @property
    def language_model(self) -> LanguageModel:
        return LanguageModel(self.model, device=self.device, dtype=self.dtype, batch_size=self.batch_size)

    def parameters(self) -> dict[str, Any]:
        decisive = {name: value for name, value in super().parameters().items() if name not in NOT_SIGNED}
        return decisive | {"model": self.language_model.signature}

    def language_notes(self, corpus: Corpus) -> tuple[str, ...]:
        return language_notes(self.name, self.model, corpus)

    def log_probabilities(self, sentences: Sequence[str], *, run: Run = SERIAL) -> Array:
        """Rows (−log p, tokens) of the sentences, as normal text or as they are."""
        texts = [detokenize(sentence.split()).text for sentence in sentences] if self.detokenize else sentences
        answers = self.language_model.log_probabilities(texts, run=run)
        return np.array([(-total, tokens) for total, tokens in answers], dtype=np.float64).reshape(-1, 2)


def perplexity(rows: Array) -> Array:
    """The perplexity of rows (−log p, tokens). The last axis goes."""
    return np.exp(ratio(rows[..., 0], rows[..., 1], empty=0.0))


@dataclass(frozen=True, repr=False)
class Perplexity(LikelihoodMetric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file."""

    name: ClassVar[str] = "perplexity"
    title: ClassVar[str] = "Perplexity"
    summary: ClassVar[str] = "how little a language model expects the output; lower is better"
    higher_is_better: ClassVar[bool] = False
    scale: ClassVar[tuple[float, float]] = (1.0, math.inf)

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask the model about the outputs of all systems in one go, which fills its batches."""
        outputs = [text for system in systems for text in system.hypotheses]
        self.log_probabilities(outputs, run=run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        rows = self.log_probabilities(system.hypotheses, run=run.quiet())
        return Statistics.one_per_sentence(rows, self.language_notes(corpus))

    def score(self, totals: Array) -> Array:
        return perplexity(totals)

    def as_ratio(self) -> Ratio | None:
        return (1, 0), (0, 1)

    def page_formula(self) -> PageFormula | None:
        return {"name": "perplexity"}

    def parts(self, totals: Array) -> dict[str, float]:
        surprise, tokens = totals
        return {"nats": float(surprise), "tokens": int(tokens)}
