"""BERTScore (Zhang et al. 2020): each token of a text, and the token of the reference that is most like it.

    P = mean over tokens of the text of max cos(token, token of the reference)      F1 = 2PR / (P + R)
    R = mean over tokens of the reference of max cos(token, token of the text)

Vectors are those of one layer: by default of the one at three quarters, which is 9 of 12 in bert-base-uncased and 18 of
24 in the large one. Tokens that the tokenizer adds take no part. There are no idf weights, and nothing is rescaled: the
baseline of the public tool multiplies all differences of scores by the same number. With no tokens on one side the
similarity is 0, with none on both 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.models.cache import open_cache
from gecval.models.device import resolve_device
from gecval.models.language_model import batches, enough_memory, threads
from gecval.models.lengths import check_lengths_for
from gecval.models.model_files import ModelFiles, find_model
from gecval.models.text_model import Loaded, load
from gecval.progress import Progress, announce, silent

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

    def of(
        self, texts: Sequence[str], references: Sequence[str], *, jobs: int = 1, progress: Progress = silent
    ) -> NDArray[np.float64]:
        """BERTScore of each text and the reference at its place."""
        check_lengths_for("a language model", [*texts, *references])
        cache = open_cache(f"bert-score-1|{self.layer}|{self.files.signature}")
        keys = [json.dumps(pair) for pair in zip(texts, references, strict=True)]
        known = cache.answers(keys, lambda new: self._asked(new, jobs, progress), progress=progress)
        return np.array([json.loads(known[key])[NUMBERS.index(self.number)] for key in keys], dtype=np.float64)

    def _asked(self, keys: list[str], jobs: int, progress: Progress) -> Iterator[dict[str, str]]:
        """Pairs with their three numbers as text, some pairs at a time: vectors of all tokens take much memory."""
        device, size = resolve_device()
        announce(progress, f"asking {Path(self.model).name} on {device}")
        loaded = load(self.files, device, "mean-pooled")
        layer = self._layer(loaded)
        for start in range(0, len(keys), PAIRS * size):
            part = keys[start : start + PAIRS * size]
            pairs = {key: json.loads(key) for key in part}
            with threads(jobs), enough_memory(device, size):
                vectors = _token_vectors(
                    loaded, sorted({text for pair in pairs.values() for text in pair}), layer, size
                )
            yield {key: json.dumps(compared(vectors[text], vectors[gold])) for key, (text, gold) in pairs.items()}

    def _layer(self, loaded: Loaded) -> int:
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


def _token_vectors(loaded: Loaded, texts: list[str], layer: int, size: int) -> dict[str, NDArray[np.float32]]:
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
