"""``python -m benchmarks.packed MODEL TEXTS``: a language model on a GPU, step by step, next to the plain way.

MODEL is a .gguf file or a folder; TEXTS has a sentence a line. All steps run in one process on the same texts. The
share of the peak is of what an H200's matrix units do: 51 TFLOP/s in float32, 263 in three pieces of bfloat16 (790/3).
Errors are against float64, in nats a token, for every fifteenth text.
"""

import copy
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from gecval.models import language_model
from gecval.models.language_model import LanguageModel, batches, packs
from gecval.models.packed_texts import PrefixTree
from gecval.runtime.run import silent

PEAK, PEAK_IN_PIECES = 51.2e12, 790e12 / 3
EVERY = 15


def main(model: str, texts_file: str) -> None:
    torch = import_module("torch")
    texts = list(dict.fromkeys(filter(None, Path(texts_file).read_text(encoding="utf-8").split("\n"))))
    asked = LanguageModel(model, device="cuda")
    plain = language_model._load_plain(asked.files, "cuda", "float32")
    encoded = dict(zip(texts, plain.encoded(texts), strict=True))
    lengths = {text: len(ids) for text, ids in encoded.items()}
    exact = _exact(copy.deepcopy(plain.network).double(), encoded)
    sizes = plain.network.config
    each = 2.0 * (sum(p.numel() for p in plain.network.parameters()) - sizes.vocab_size * sizes.hidden_size)
    if sizes.tie_word_embeddings:
        each += 2.0 * sizes.vocab_size * sizes.hidden_size
    tokens = sum(lengths.values())

    def report(
        step: str, peak: float, run: Callable[[], Iterable[tuple[list[str], Any]]], *, through: int = tokens
    ) -> None:
        for _ in zip(range(3), run(), strict=False):  # the first batches are slower
            pass
        torch.cuda.synchronize()
        started = time.perf_counter()
        found = {text: total for batch, sums in list(run()) for text, total in zip(batch, _listed(sums), strict=True)}
        torch.cuda.synchronize()
        seconds = time.perf_counter() - started
        errors = sorted(abs(found[text] - total) / lengths[text] for text, total in exact.items())
        share, worst = each * through / seconds / peak, f"{errors[len(errors) * 99 // 100]:.1e}, worst {errors[-1]:.1e}"
        print(
            f"{step:32} {len(texts) / seconds:8.0f} texts/s  {share:4.0%} of peak  99% below {worst} nats", flush=True
        )

    def plain_way(size: int) -> Iterator[tuple[list[str], Any]]:
        return ((batch, plain.sums([encoded[text] for text in batch])) for batch in batches(lengths, size))

    report("plain, 64 texts at a time", PEAK, partial(plain_way, 64))
    report("plain, 256 texts at a time", PEAK, partial(plain_way, 256))
    loaded = language_model._load(asked.files, "cuda", "float32")
    assert loaded.packed is not None

    by_length = dict(sorted(lengths.items(), key=lambda text: -text[1]))
    in_order = dict(sorted(lengths.items()))

    def packed_way(texts: dict[str, int], size: int = 64) -> Iterator[tuple[list[str], Any]]:
        for batch in packs(texts, size * language_model.WINDOW):
            yield batch, loaded.sums([encoded[text] for text in batch])

    def nodes(texts: dict[str, int], size: int = 64) -> int:
        ids = ([encoded[text] for text in batch] for batch in packs(texts, size * language_model.WINDOW))
        return sum(len(PrefixTree(pack, [1] * len(pack)).ids) for pack in ids)

    def tree_steps(step: str) -> None:
        report(f"{step}, texts by length", PEAK_IN_PIECES, partial(packed_way, by_length), through=nodes(by_length))
        for size in (64, 128, 256):
            through = nodes(in_order, size)
            print(f"in packs of {size * language_model.WINDOW} tokens {through} of {tokens} go through", flush=True)
            report(f"{step}, in order", PEAK_IN_PIECES, partial(packed_way, in_order, size), through=through)

    tree_steps("packed")
    _from_text(asked, texts)
    started = time.perf_counter()
    loaded.packed.compile()
    for _ in zip(range(3), packed_way(in_order), strict=False):
        torch.cuda.synchronize()
    print(f"compiling took {time.perf_counter() - started:.0f} s", flush=True)
    tree_steps("compiled")
    _from_text(asked, texts)


def _from_text(model: LanguageModel, texts: list[str]) -> None:
    started = time.perf_counter()
    answers = sum(len(kept) for kept in model._ask(texts, 8, silent))
    rate = answers / (time.perf_counter() - started)
    print(f"{'the same with tokens and JSON':32} {rate:8.0f} texts/s", flush=True)


def _listed(sums: Any) -> list[float]:
    totals: list[float] = sums if isinstance(sums, list) else sums.tolist()
    return totals


def _exact(network: Any, encoded: dict[str, list[int]]) -> dict[str, float]:
    torch = import_module("torch")
    exact = {}
    for text, ids in list(encoded.items())[::EVERY]:
        given = torch.tensor([ids], device="cuda")
        with torch.inference_mode():
            logs = network(input_ids=given, use_cache=False).logits[0, :-1].log_softmax(-1)
        exact[text] = float(logs.gather(1, given[0, 1:, None]).sum())
    return exact


if __name__ == "__main__":
    main(*sys.argv[1:])
