"""Causal language models: texts in, summed log-probabilities and token counts out. The cache keeps every answer.

    log p(text) = Σ_t log p(token_t | prefix, token_1 … token_t−1)

The prefix is <|endoftext|>, or else the model's own first token. It is not predicted, and no end is. In float32 texts
go through the model as a tree, which reads what they share once (``packed_texts.py``). Models that do not fit, and
other types of numbers, go the plain way: texts of similar length together, padded on the right, which a causal model
cannot see. So batch and order do not matter: in float32 a token differs by less than 1e-4 between batches and
threads, and by less than 1e-3 between devices. bfloat16 shifts it by several hundredths. A text that is longer than a
window is read in windows that overlap by half.

Reading a .gguf file takes half a minute. What was read is stored in the cache's folder, and loaded from there later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from importlib import import_module
from io import StringIO
from math import dist
from pathlib import Path
from typing import Any, NamedTuple

from gecval.errors import InputError, first_line
from gecval.models.cache import open_cache
from gecval.models.device import AUTO, resolve_devices, share_among
from gecval.models.llama import Llama
from gecval.models.model_files import (
    DEFAULT_MODEL,
    ModelFiles,
    check_text_lengths,
    find_converted,
    find_model,
    is_checked,
    mark_checked,
    store_converted,
)
from gecval.models.packed_texts import Packed, pack_network
from gecval.runtime.run import SERIAL, Run, announce

PREFIX = "<|endoftext|>"
WINDOW = 1024  # tokens
CPU_TOKENS = 256  # for each text of a full batch on a CPU, where more go no faster
TOKENS_PER_TEXT = 64  # tokens for each text of a full batch: of longer texts fewer go together, as memory is for tokens
WASTE = 0.1  # share of a batch that may be padding
MANY = 600_000  # texts for which it pays to let a GPU's steps be compiled
AHEAD = 8192  # texts that become tokens while a GPU is at work
ALONE = 1e-3  # nats of a probe: what the order of sums may cost
PROBES = ("He go home .", "She likes it , and so do we all .")  # asked in both ways

Encoded = dict[str, list[int]]  # texts and their tokens


class LogProbability(NamedTuple):
    """The log-probability of a whole text, in nats, and the number of its tokens."""

    total: float
    tokens: int


@dataclass(frozen=True)
class LanguageModel:
    """A model of transformers by its name on the hub or its folder, a .gguf file, or ``smollm2``."""

    model: str = DEFAULT_MODEL
    device: str = AUTO
    dtype: str = "float32"
    batch_size: int | None = None

    @cached_property
    def files(self) -> ModelFiles:
        return find_model(self.model)

    @property
    def signature(self) -> str:
        return self.files.signature if self.dtype == "float32" else f"{self.files.signature}|{self.dtype}"

    def log_probabilities(self, texts: Sequence[str], *, run: Run = SERIAL) -> list[LogProbability]:
        """The log-probability of each text; ``jobs`` is the number of threads on a CPU."""
        check_text_lengths("a language model", texts)
        cache = open_cache(f"log-probability-1|{self.signature}")
        known = cache.answers(filter(None, texts), lambda new: self._ask(new, run), run=run)
        return [LogProbability(*json.loads(known[text])) if text else LogProbability(0.0, 0) for text in texts]

    def _ask(self, texts: list[str], run: Run) -> Iterator[dict[str, str]]:
        """Texts with their log-probabilities as text, batch after batch."""
        devices, size = resolve_devices(self.device, self.batch_size)
        announce(run.progress, f"asking {Path(self.model).name} on {', '.join(devices)}")
        ask = partial(
            self._ask_on,
            size=size,
            run=Run(jobs=max(1, run.threads // len(devices))),
            many=len(texts) >= MANY * len(devices),
        )
        if len(devices) == 1:
            yield from ask(devices[0], texts)
        else:
            yield from share_among(devices, texts, ask, least=size, most=AHEAD)

    def _ask_on(self, device: str, texts: list[str], *, size: int, run: Run, many: bool) -> Iterator[dict[str, str]]:
        loaded = _load(self.files, device, self.dtype)
        compiled = loaded.packed is not None and loaded.packed.pieces and many
        if loaded.packed and compiled:
            loaded.packed.compile()
        room = size * (CPU_TOKENS if device == "cpu" else WINDOW)  # tokens of packed texts that go together
        waiting: tuple[Encoded, Any] | None = None  # a batch that a GPU still works on while the next is prepared
        for batch in _packed_batches(loaded, texts, room) if loaded.packed else _padded_batches(loaded, texts, size):
            # A compiled model would be compiled again for another number of threads.
            with nullcontext() if compiled else threads(run), enough_memory(device, size):
                sums = loaded.sums(list(batch.values()))
            if waiting:
                yield _answers(*waiting)
            waiting = None if isinstance(sums, list) else (batch, sums)
            if waiting is None:
                yield _answers(batch, sums)
        if waiting:
            yield _answers(*waiting)


def _answers(batch: Encoded, sums: Any) -> dict[str, str]:
    """What the cache keeps of each text: its log-probability and the number of its tokens."""
    totals = sums if isinstance(sums, list) else sums.tolist()
    return {text: json.dumps([total, len(batch[text]) - 1]) for text, total in zip(batch, totals, strict=True)}


def _padded_batches(loaded: _Loaded, texts: list[str], size: int) -> Iterator[Encoded]:
    encoded = dict(zip(texts, loaded.encoded(texts), strict=True))
    for batch in batches({text: len(ids) for text, ids in encoded.items()}, size):
        yield {text: encoded[text] for text in batch}


def _packed_batches(loaded: _Loaded, texts: list[str], room: int) -> Iterator[Encoded]:
    """Some thousand texts become tokens at a time: meanwhile a GPU works on those before them.

    Texts that begin alike go together, as what they share is read once.
    """
    in_order = sorted(texts)
    for start in range(0, len(texts), AHEAD):
        some = in_order[start : start + AHEAD]
        encoded = dict(zip(some, loaded.encoded(some), strict=True))
        lengths = {text: len(ids) for text, ids in encoded.items()}
        long = [[text] for text in some if lengths[text] > loaded.window]  # alone: they are read in windows
        short = {text: length for text, length in lengths.items() if length <= loaded.window}
        for batch in [*long, *packs(short, room)]:
            yield {text: encoded[text] for text in batch}


def packs(lengths: dict[str, int], tokens: int) -> Iterator[list[str]]:
    """Texts that have so many tokens together, in their order. A text that has more goes alone.

    >>> list(packs({"a": 10, "b": 3, "c": 10, "d": 29}, 20))
    [['a', 'b'], ['c'], ['d']]
    """
    pack: list[str] = []
    held = 0
    for text, length in lengths.items():
        if pack and held + length > tokens:
            yield pack
            pack, held = [], 0
        pack.append(text)
        held += length
    if pack:
        yield pack


def batches(lengths: dict[str, int], size: int) -> Iterator[list[str]]:
    """Texts of similar length together. The longest come first, so the time left is never underestimated.

    >>> list(batches({"a": 10, "b": 3, "c": 10, "d": 9}, 3))
    [['a', 'c', 'd'], ['b']]
    """
    batch: list[str] = []
    held = longest = 0
    for text in sorted(lengths, key=lambda text: -lengths[text]):
        area = longest * (len(batch) + 1)
        full = len(batch) == size or area > max(longest, TOKENS_PER_TEXT * size)
        if batch and (full or held + lengths[text] < (1 - WASTE) * area):
            yield batch
            batch, held = [], 0
        if not batch:
            longest = lengths[text]
        batch.append(text)
        held += lengths[text]
    if batch:
        yield batch


@dataclass(frozen=True, kw_only=True)
class _Loaded:
    """A model that is ready to be asked."""

    network: Any
    tokenizer: Any
    device: str
    first: int
    window: int
    packed: Packed | None = None

    def encoded(self, texts: list[str]) -> list[list[int]]:
        """The prefix and the tokens of each text, in one go, which is several times faster than one by one."""
        try:
            if hasattr(self.tokenizer, "encode_batch"):  # only tokens are asked for, nothing else
                said = [found.ids for found in self.tokenizer.encode_batch(texts, add_special_tokens=False)]
            else:
                said = self.tokenizer(texts, add_special_tokens=False)["input_ids"]
        except (TypeError, UnicodeEncodeError):
            if len(texts) > 1:  # which one is it?
                return [ids for text in texts for ids in self.encoded([text])]
            raise InputError(f"{texts[0][:60]!r} is not text that a tokenizer can read") from None
        return [[self.first, *ids] for ids in said]

    def sums(self, batch: list[list[int]]) -> Any:
        """The summed log-probabilities of each list of tokens: a list, or a tensor that is still being computed."""
        longest = max(map(len, batch))
        if longest > self.window:
            return [sum(self._windows(ids)) for ids in batch]
        starts = [1] * len(batch)
        if self.packed and self.packed.pieces:
            return self.packed.log_probabilities(batch, starts)  # a GPU's tensor: nobody waits for it yet
        return self._forward(batch, starts)

    def _windows(self, ids: list[int]) -> Iterator[float]:
        """The log-probability of each window's own tokens: those that no window before it predicts.

        A window sees half a window of the text before its own tokens.
        """
        half = self.window // 2
        yield self._forward([ids[: self.window]], [1])[0]
        for start in range(half, len(ids) - half, half):
            yield self._forward([ids[start : start + self.window]], [half])[0]

    def _forward(self, batch: list[list[int]], predicted_from: list[int]) -> list[float]:
        torch = import_module("torch")
        if self.packed:
            answers: list[float] = self.packed.log_probabilities(batch, predicted_from).tolist()
            return answers
        longest = max(map(len, batch))
        padded = [[*tokens, *[self.first] * (longest - len(tokens))] for tokens in batch]
        ids = torch.tensor(padded, device=self.device)
        with torch.inference_mode():
            logits = self.network(input_ids=ids, use_cache=False).logits[:, :-1].float()
            losses = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        by_text = losses.view(len(batch), -1).double().cpu().numpy()
        return [
            -float(by_text[i, start - 1 : len(tokens) - 1].sum())
            for i, (tokens, start) in enumerate(zip(batch, predicted_from, strict=True))
        ]


@lru_cache(maxsize=2)
def _load(files: ModelFiles, device: str, dtype: str) -> _Loaded:
    """A model, packed where it is in float32, on a CPU or GPU, and can be."""
    gpu = device.startswith("cuda")
    packable = dtype == "float32" and (gpu or device == "cpu")
    ways = f"torch {import_module('torch').__version__}, {device.partition(':')[0]}"
    alone = f"{ways}, without transformers"
    if packable and is_checked(files, alone):
        with suppress(*_unloadable()):  # damaged since: transformers says what is wrong
            return _load_alone(files)
    loaded = _load_plain(files, device, dtype)
    if not packable:
        return loaded
    if is_checked(files, ways):
        return replace(loaded, packed=Packed(loaded.network, pieces=gpu))
    probes = loaded.encoded(list(PROBES))
    ours = pack_network(loaded.network, loaded._forward, probes, window=loaded.window, pieces=gpu)
    if ours is None:
        return _load_plain(files, device, dtype)
    loaded = replace(loaded, packed=ours)
    if not gpu and _says_the_same_alone(files, loaded):
        mark_checked(files, alone)
    mark_checked(files, ways)
    return loaded


def _says_the_same_alone(files: ModelFiles, loaded: _Loaded) -> bool:
    """Whether the stored model gives the same tokens and log-probabilities where it is loaded without transformers."""
    try:
        alone = _load_alone(files)
        ids, starts = alone.encoded(list(PROBES)), [1] * len(PROBES)
        apart = dist(alone._forward(ids, starts), loaded._forward(ids, starts))
        return ids == loaded.encoded(list(PROBES)) and alone.window == loaded.window and apart < ALONE
    except _unloadable():
        return False


def _unloadable() -> tuple[type[Exception], ...]:
    """What another kind of model raises, or a damaged file."""
    unreadable: type[Exception] = import_module("safetensors").SafetensorError
    return (
        unreadable,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        ImportError,
        RuntimeError,
        AttributeError,
        AssertionError,
    )


def _load_alone(files: ModelFiles) -> _Loaded:
    """A stored model of a known kind, without transformers, which takes longer to import than to answer."""
    folder = find_converted(files)
    if folder is None:
        raise FileNotFoundError(files.gguf)
    network = Llama(folder)
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    first, window = tokenizer.token_to_id(PREFIX), min(network.longest, WINDOW)
    if first is None:
        raise ValueError("a model whose first token is its own")
    packed = Packed(network, pieces=False)
    return _Loaded(network=network, tokenizer=tokenizer, device="cpu", first=first, window=window, packed=packed)


def _load_plain(files: ModelFiles, device: str, dtype: str) -> _Loaded:
    torch, transformers = import_module("torch"), import_module("transformers")
    stored = find_converted(files) if files.gguf else None
    options = {"gguf_file": files.gguf} if files.gguf and not stored else {}
    place = stored or files.place
    try:
        with redirect_stderr(StringIO()):  # bars and advice of the library's own
            tokenizer = transformers.AutoTokenizer.from_pretrained(place, **options)
            network = transformers.AutoModelForCausalLM.from_pretrained(
                place, dtype=getattr(torch, "float32" if options else dtype), **options
            )
            if options:
                store_converted(files, network, tokenizer)
            network = network.to(device, getattr(torch, dtype)).eval()
    except _unloadable() as error:
        remedy = f"; its copy is in {stored}: gecval files cache --clear removes it" if stored else ""
        raise InputError(
            f"cannot load the language model {files.place!r} on {device}: {first_line(error)}{remedy}"
        ) from None
    first = tokenizer.get_vocab().get(PREFIX, tokenizer.bos_token_id)
    if first is None:
        raise InputError(f"the language model {files.place!r} has neither {PREFIX} nor a first token of its own")
    if (fast := getattr(tokenizer, "backend_tokenizer", None)) is not None:
        fast.no_truncation()  # which a tokenizer's file may ask for
        fast.no_padding()
        tokenizer = fast
    context = getattr(network.config, "max_position_embeddings", None) or WINDOW
    window = min(context, WINDOW)
    return _Loaded(network=network, tokenizer=tokenizer, device=device, first=first, window=window)


@contextmanager
def threads(run: Run) -> Iterator[None]:
    """PyTorch works with so many threads in this block."""
    torch = import_module("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(run.threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def enough_memory(device: str, size: int) -> Iterator[None]:
    """A GPU that is too small for a batch is told in one line."""
    try:
        yield
    except import_module("torch").cuda.OutOfMemoryError:
        raise InputError(
            f"{device} has too little memory for batches of {size}: choose a smaller batch size, or the device cpu; "
            "what was found before is kept",
            parameter=("batch_size", "device"),
        ) from None
