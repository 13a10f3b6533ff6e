"""However many threads there are, the kernels give the same: on a corpus that keeps several of them busy."""

import random

import numpy as np
import pytest

from gecval import Corpus, Edit, Reference, System, _native, metric
from gecval.corpus.edit import apply_edits
from gecval.runtime.run import Run

SENTENCES, THREADS = 3000, 4  # a thread takes 32 sentences at a time; these are enough for all to start
METRICS = ["m2", 'm2(level="detection")', "gleu", "bleu", "sari", "max-sari", "green", "index-match"]
METRICS += ["imeasure", "imeasure(mix=False)", 'imeasure(mix=False, optimise="corpus")']


def drawn() -> tuple[Corpus, System]:
    draw = random.Random(7)
    sources, references, hypotheses = [], [], []
    for _ in range(SENTENCES):
        words = draw.choices("abcde", k=draw.randint(1, 9))
        starts = [sorted(draw.sample(range(len(words)), min(2, len(words)))) for _ in range(draw.randint(1, 3))]
        listed = [tuple(Edit(at, at + 1, (draw.choice(("", "x", "a b")),)) for at in places) for places in starts]
        sources.append(" ".join(words))
        references.append([Reference(edits=edits, annotator=str(a)) for a, edits in enumerate(listed)])
        hypotheses.append(draw.choice([*(apply_edits(words, edits) for edits in listed), "a b x"]))
    corpus = Corpus(sources, references)
    return corpus, corpus.system("drawn", hypotheses)


@pytest.mark.parametrize("spelling", METRICS)
def test_statistics(spelling: str) -> None:
    rows = [metric(spelling).statistics(*drawn(), run=Run(jobs=jobs)).rows.tolist() for jobs in (1, THREADS)]
    assert rows[0] == rows[1]
    assert len(rows[0]) >= SENTENCES


def test_totals() -> None:
    numbers = np.random.default_rng(7)
    rows, offsets = numbers.integers(0, 4, (3 * SENTENCES, 3)).astype(float), np.arange(0, 3 * SENTENCES + 1, 3)
    draws, uniform = numbers.integers(0, SENTENCES, (200, 50)), numbers.random((200, SENTENCES))
    blocks = np.stack([np.arange(SENTENCES), np.arange(SENTENCES) + 1], axis=1)
    for preference in ("m2", "errant", "exact"):
        best = [
            _native.running_best_totals(rows, offsets, draws, beta=0.5, preference=preference, jobs=jobs).tolist()
            for jobs in (1, THREADS)
        ]
        assert best[0] == best[1]
        without = [
            _native.running_best_without(rows, offsets, blocks, beta=0.5, preference=preference, jobs=jobs).tolist()
            for jobs in (1, THREADS)
        ]
        assert without[0] == without[1]
    totals = [_native.drawn_totals(rows, offsets, uniform, jobs=jobs).tolist() for jobs in (1, THREADS)]
    assert totals[0] == totals[1]


def test_an_m2_file() -> None:
    paragraph = "S He go home {}\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||{}\n\n"
    block = "".join(paragraph.format(i, i % 3) for i in range(SENTENCES)).encode()
    read = []
    for jobs in (1, THREADS):
        reader = _native.M2Reader()
        assert reader.read(block, jobs=jobs)
        read.append([reader.sources, *(np.asarray(column).tolist() for column in reader.columns())])
    assert read[0] == read[1]
    assert read[0][0] == [f"He go home {i}" for i in range(SENTENCES)]
