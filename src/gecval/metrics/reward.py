"""Any network for sequence classification as a metric: a reward model, a model of acceptability, a regression.

    one output       the output itself, or σ of it with squash=True
    several labels   the probability (softmax) of ``label``

``reads`` says what the network sees: the output alone, or the source and the output as a pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.errors import InputError
from gecval.metrics.base import Array, check_flag, check_one_of, check_text, check_whole
from gecval.metrics.neural import NeuralMetric, sigmoid
from gecval.models.text_model import Text, TextModel
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class Reward(NeuralMetric):
    """``model`` is a name on the model hub, or a folder."""

    name: ClassVar[str] = "reward"
    title: ClassVar[str] = "Reward model"
    summary: ClassVar[str] = "what a network for sequence classification of your choice says"
    paper: ClassVar[str] = "the model's own"

    model: str = ""
    reads: str = "output"
    label: int = 1
    squash: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_text(self.name, model=self.model)
        check_one_of(self.name, ("output", "pair"), reads=self.reads)
        check_whole(self.name, least=0, label=self.label)
        check_flag(self.name, squash=self.squash)

    def models(self) -> dict[str, TextModel]:
        if not self.model:
            raise InputError('reward needs a model: reward(model="FOLDER"), or a name on the model hub')
        return {"model": self.text_model(self.model, "classifier")}

    def values(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        texts: Sequence[Text] = outputs if self.reads == "output" else list(zip(sources, outputs, strict=True))
        logits = self.models()["model"].numbers(texts, run=run)
        if logits.shape[1] == 1:
            return sigmoid(logits[:, 0]) if self.squash else logits[:, 0]
        if self.label >= logits.shape[1]:
            raise InputError(f"reward: {self.model} has labels 0 to {logits.shape[1] - 1}, and no {self.label}")
        likelihoods = np.exp(logits - logits.max(axis=1, keepdims=True))
        probability: Array = likelihoods[:, self.label] / likelihoods.sum(axis=1)
        return probability
