"""``python -m benchmarks.language_model``: the default language model next to one sentence at a time, and a warm cache.

The naive loop is what one writes with transformers alone: a sentence through the model, its loss times its length. Both
sides have the same loaded model, sentences (of CoNLL-2014) and threads, and must agree. The warm cache is asked by a
fresh process for the Scribendi scores of all 13 outputs; it holds made-up values, as filling it takes many minutes and
reading it does not depend on them.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module

from benchmarks.conll import GOLD, systems, with_edits
from gecval.corpus.tokenization import detokenize
from gecval.models.cache import open_cache
from gecval.models.language_model import LanguageModel, _load, _Loaded, batches
from gecval.runtime.run import Run

CORES = os.cpu_count() or 1
SENTENCES = 128
BATCH = 16

OURS = """
import time
started = time.perf_counter()
from benchmarks.conll import systems, with_edits
from gecval.metrics.scribendi import Scribendi
from gecval.studies.scores.study import score
corpus = with_edits()
score(corpus, systems(corpus), [Scribendi()])
print(time.perf_counter() - started)
"""


def main() -> None:
    if not GOLD.exists():
        sys.exit(f"no {GOLD}: `gecval data fetch conll14` gets it")
    corpus = with_edits()
    outputs = [text for system in systems(corpus) for text in system.hypotheses]
    texts = [text for text in dict.fromkeys(map(_normal, [*corpus.sources, *outputs])) if text]
    model = LanguageModel(device="cpu", batch_size=BATCH)
    loaded = _load(model.files, "cpu", "float32")
    lengths = {text: len(loaded.encode(text)) for text in texts}
    area = sum(len(batch) * max(lengths[text] for text in batch) for batch in batches(lengths, BATCH))
    print(f"{model.signature}, {CORES} threads, load average {os.getloadavg()[0]:.1f}")
    print(f"padding           {1 - sum(lengths.values()) / area:8.1%} of {area} tokens, {len(texts)} sentences")
    _throughput(model, loaded, texts[:: len(texts) // SENTENCES][:SENTENCES])
    _warm(model, texts)


def _normal(sentence: str) -> str:
    return detokenize(sentence.split()).text


def _throughput(model: LanguageModel, loaded: _Loaded, sample: list[str]) -> None:
    import_module("torch").set_num_threads(CORES)
    loaded.sums([loaded.encode(sample[0])])  # the first is always slower
    started = time.perf_counter()
    theirs = [_naive(loaded, text) for text in sample]
    naive = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GECVAL_CACHE"] = folder
        started = time.perf_counter()
        ours = model.log_probabilities(sample, run=Run(jobs=CORES))
        batched = time.perf_counter() - started
    apart = max(abs(text.total - other) / text.tokens for text, other in zip(ours, theirs, strict=True))
    print(f"one at a time     {len(sample) / naive:8.1f} sentences/s")
    print(f"gecval            {len(sample) / batched:8.1f} sentences/s   {naive / batched:.1f}x; {apart:.0e} apart")


def _naive(loaded: _Loaded, text: str) -> float:
    torch = import_module("torch")
    ids = torch.tensor([loaded.encode(text)])
    with torch.inference_mode():
        loss = loaded.network(input_ids=ids, labels=ids).loss
    return -float(loss) * (ids.shape[1] - 1)


def _warm(model: LanguageModel, texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"GECVAL_CACHE": folder}
        os.environ["GECVAL_CACHE"] = folder
        cache = open_cache(f"log-probability-1|{model.signature}")
        cache.put_many({text: json.dumps([-3.0 * len(text), len(text)]) for text in texts})
        done = subprocess.run([sys.executable, "-c", OURS], env=environment, check=True, capture_output=True, text=True)
    print(f"warm cache        {float(done.stdout):8.1f} s for 13 outputs, imports and reading included")


if __name__ == "__main__":
    main()
