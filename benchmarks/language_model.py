"""The default language model next to what one writes with transformers alone: a sentence at a time."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from benchmarks import conll
from benchmarks.measure import Run, run
from gecval.corpus.tokenization import detokenize
from gecval.models.model_files import DEFAULT_MODEL, find_model

SOURCES = 40  # of the 1,312, with all their outputs
LOOPED = 80  # distinct texts that the loop reads
FIRST, SECOND = ("He go home .", "He goes home ."), ("She go home .", "She goes home .")

# The arguments: the folder and name of a .gguf file, and texts as JSON. Printed: the log-probability of each text, and
# CPU seconds without loading.
PLAIN = """
import json, sys, time, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
folder, file, texts = *sys.argv[1:3], json.load(open(sys.argv[3]))
tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
network = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32).eval()
first = tokenizer.get_vocab()["<|endoftext|>"]
found, started = [], time.process_time()
with torch.inference_mode():
    for text in texts:
        ids = torch.tensor([[first, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
        found.append([-float(network(input_ids=ids, labels=ids).loss) * (ids.shape[1] - 1), ids.shape[1] - 1])
print(json.dumps([found, time.process_time() - started]))
"""
OURS = """
import json, sys, time
from gecval.models.language_model import LanguageModel
model, texts = LanguageModel(device="cpu"), json.load(open(sys.argv[1]))
model.log_probabilities(["Loads the model ."])
started = time.process_time()
found = model.log_probabilities(texts)
print(json.dumps([found, time.process_time() - started]))
"""


def new_sentence() -> tuple[Run, Run]:
    """One sentence and its correction: transformers alone, and `gecval score` after its first use."""
    with tempfile.TemporaryDirectory() as folder:
        theirs = run([sys.executable, "-c", PLAIN, *_model(), _write(Path(folder, "texts.json"), list(FIRST))])
        for source, output in (FIRST, SECOND):
            for name, text in (("source.txt", source), ("output.txt", output)):
                Path(folder, name).write_text(f"{text}\n", encoding="utf-8")
            files = [f"{folder}/output.txt", "-s", f"{folder}/source.txt"]
            command = [sys.executable, "-m", "gecval", "score", *files, "-m", "scribendi", "--quiet"]
            ours = run(command, environment={"GECVAL_CACHE": f"{folder}/cache"})
    return theirs, ours


def perplexities() -> tuple[float, float, float]:
    """CPU seconds for a distinct text, theirs and ours, and how far a token's log-probability is apart."""
    corpus = conll.with_edits()
    systems = conll.systems(corpus)
    places = range(0, len(corpus), len(corpus) // SOURCES)
    listed = [text for i in places for text in (corpus.sources[i], *(system.hypotheses[i] for system in systems))]
    texts = [text for text in dict.fromkeys(detokenize(text.split()).text for text in listed) if text]
    looped = texts[:: len(texts) // LOOPED]
    with tempfile.TemporaryDirectory() as folder:
        some, every = (_write(Path(folder, name), of) for name, of in (("some.json", looped), ("all.json", texts)))
        environment = {"OMP_NUM_THREADS": "1", "GECVAL_CACHE": f"{folder}/cache"}
        theirs, plain = json.loads(run([sys.executable, "-c", PLAIN, *_model(), some], environment=environment).output)
        ours, packed = json.loads(run([sys.executable, "-c", OURS, every], environment=environment).output)
    known = dict(zip(texts, ours, strict=True))
    apart = max(abs(total - known[text][0]) / tokens for text, (total, tokens) in zip(looped, theirs, strict=True))
    return plain / len(looped), packed / len(texts), apart


def _model() -> tuple[str, str]:
    files = find_model(DEFAULT_MODEL)
    return files.place, str(files.gguf)


def _write(path: Path, texts: list[str]) -> str:
    path.write_text(json.dumps(texts), encoding="utf-8")
    return str(path)
