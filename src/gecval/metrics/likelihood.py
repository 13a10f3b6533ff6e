"""Metrics that ask a language model how likely texts are: the parameters that choose the model and how it runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus
from gecval.metrics.base import Array, Metric, Need
from gecval.metrics.model_notes import language_notes
from gecval.metrics.parameters import flag, text, whole
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.models.detokenize import detokenize
from gecval.models.device import AUTO
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import DEFAULT_MODEL
from gecval.progress import Progress, silent

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
            whole(self.name, most=100_000, batch_size=self.batch_size)
        text(self.name, model=self.model, device=self.device, dtype=self.dtype)
        flag(self.name, detokenize=self.detokenize)

    @property
    def language_model(self) -> LanguageModel:
        return LanguageModel(self.model, device=self.device, dtype=self.dtype, batch_size=self.batch_size)

    def parameters(self) -> dict[str, Any]:
        decisive = {name: value for name, value in super().parameters().items() if name not in NOT_SIGNED}
        return decisive | {"model": self.language_model.signature}

    def language_notes(self, corpus: Corpus) -> tuple[str, ...]:
        return language_notes(self.name, self.model, corpus)

    def log_probabilities(self, sentences: Sequence[str], *, jobs: int = 1, progress: Progress = silent) -> Array:
        """Rows (−log p, tokens) of the sentences, as normal text or as they are."""
        texts = [detokenize(sentence.split()).text for sentence in sentences] if self.detokenize else sentences
        answers = self.language_model.log_probabilities(texts, jobs=jobs, progress=progress)
        return np.array([(-total, tokens) for total, tokens in answers], dtype=np.float64).reshape(-1, 2)
