"""Perplexity: how little a language model expects the output. Lower is better, other than with all other metrics.

    PPL = exp( −log p(text) / tokens )      tokens are the model's; over several sentences both are summed first

An empty sentence leaves nothing to expect: 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Metric, Need, Statistics, flag, whole
from gecval.metrics.ratios import ratio
from gecval.metrics.rules import Pooled
from gecval.models.detokenize import detokenize
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import DEFAULT_MODEL
from gecval.progress import Progress, silent

# They decide the time it takes; a type other than float32 is named by the model's signature.
NOT_SIGNED = ("device", "dtype", "batch_size")


def log_probabilities(
    model: LanguageModel, sentences: Sequence[str], detokenized: bool, *, jobs: int = 1, progress: Progress = silent
) -> Array:
    """Rows (−log p, tokens); of normal text, or of the sentences as they are."""
    texts = [detokenize(sentence.split()).text for sentence in sentences] if detokenized else sentences
    found = model.log_probabilities(texts, jobs=jobs, progress=progress)
    return np.array([(-one.total, one.tokens) for one in found], dtype=np.float64).reshape(-1, 2)


def perplexities(
    model: LanguageModel, sentences: Sequence[str], detokenized: bool, *, jobs: int = 1, progress: Progress = silent
) -> Array:
    """The perplexity of each sentence."""
    return _perplexity(log_probabilities(model, sentences, detokenized, jobs=jobs, progress=progress))


def _perplexity(rows: Array) -> Array:
    return np.exp(ratio(rows[..., 0], rows[..., 1], empty=0.0))


@dataclass(frozen=True, repr=False)
class Perplexity(Metric):
    """``model`` is smollm2, a name on the model hub, a folder, or a .gguf file."""

    name: ClassVar[str] = "perplexity"
    summary: ClassVar[str] = "how little a language model expects the output; lower is better"
    paper: ClassVar[str] = "Islam & Magnani 2021"
    needs: ClassVar[Need | None] = None

    model: str = DEFAULT_MODEL
    detokenize: bool = True
    device: str = "cpu"
    dtype: str = "float32"
    batch_size: int = 16

    def __post_init__(self) -> None:
        whole(self.name, most=100_000, batch_size=self.batch_size)
        flag(self.name, detokenize=self.detokenize)

    @property
    def rule(self) -> Pooled:
        return Pooled()

    @property
    def language_model(self) -> LanguageModel:
        return LanguageModel(self.model, self.device, self.dtype, self.batch_size)

    def parameters(self) -> dict[str, Any]:
        decisive = {name: value for name, value in super().parameters().items() if name not in NOT_SIGNED}
        return decisive | {"model": self.language_model.signature}

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask the model about the outputs of all systems in one go, so that batches are full."""
        self._rows([text for system in systems for text in system.hypotheses], jobs, progress)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        return Statistics.one_per_sentence(self._rows(system.hypotheses, jobs))

    def _rows(self, sentences: Sequence[str], jobs: int, progress: Progress = silent) -> Array:
        return log_probabilities(self.language_model, sentences, self.detokenize, jobs=jobs, progress=progress)

    def score(self, totals: Array) -> Array:
        return _perplexity(totals)

    def parts(self, totals: Array) -> dict[str, float]:
        surprise, tokens = totals
        return {"nats": float(surprise), "tokens": int(tokens)}
