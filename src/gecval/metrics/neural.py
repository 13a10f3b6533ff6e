"""Metrics that ask neural networks: what they share. A sentence has a value, and a system's score is their mean."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.corpus.tokenization import close_up
from gecval.errors import InputError
from gecval.metrics.base import Array, AveragedMetric, Need, Statistics, check_text, check_whole, with_count
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.models.device import AUTO
from gecval.models.text_model import Head, Text, TextModel
from gecval.runtime.run import SERIAL, Run

NOT_SIGNED = ("device", "batch_size")  # how long it takes, not the score


@dataclass(frozen=True, repr=False)
class NeuralMetric(AveragedMetric):
    """``values`` asks the models. What the models are is a parameter, and their versions stand in the signature."""

    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    device: str = field(default=AUTO, kw_only=True)
    batch_size: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.batch_size is not None:
            check_whole(self.name, most=100_000, batch_size=self.batch_size)
        check_text(self.name, device=self.device)

    @abstractmethod
    def models(self) -> dict[str, TextModel]:
        """The models by the parameters that name them."""

    @abstractmethod
    def values(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        """The value of each output."""

    def text_model(self, model: str, head: Head) -> TextModel:
        return TextModel(model, head, device=self.device, batch_size=self.batch_size)

    def parameters(self) -> dict[str, Any]:
        decisive = {name: value for name, value in super().parameters().items() if name not in NOT_SIGNED}
        return decisive | {name: model.signature for name, model in self.models().items()}

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask the models about the outputs of all systems in one go, which fills their batches."""
        sources = [close_up(source) for _ in systems for source in corpus.sources]
        outputs = [close_up(output) for system in systems for output in system.hypotheses]
        self.values(sources, outputs, run=run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        sources, outputs = (list(map(close_up, texts)) for texts in (corpus.sources, system.hypotheses))
        return Statistics.one_per_sentence(with_count(self.values(sources, outputs, run=run.quiet())))


def only_output(model: TextModel, texts: Sequence[Text], *, run: Run = SERIAL) -> Array:
    """What a model with one output says of each text. One with several labels is another kind of metric."""
    outputs = model.numbers(texts, run=run)
    if outputs.shape[1] != 1:
        raise InputError(f"{model.model} has {outputs.shape[1]} labels, and this metric takes a model with one output")
    value: Array = outputs[:, 0]
    return value


def sigmoid(x: Array) -> Array:
    value: Array = np.exp(-np.logaddexp(0.0, -x))  # does not overflow
    return value
