"""I-measure over every combination of references, which nobody else finishes; and unmixed, against plain Python."""

from __future__ import annotations

import resource
import time

from tests.oracles import imeasure as oracle

from benchmarks import conll
from benchmarks.measure import CORES, Section, Target, seconds, table, times
from gecval.corpus import Corpus
from gecval.formats import load_corpus
from gecval.metrics import metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import Run

SETS = {"NUCLE, 2 annotators": "NUCLE.ieval.xml.gz", "BN, 10 annotators": "BN.ieval.xml.gz"}
SHORT = 15  # words of a sentence that plain Python is timed on: its alignment is cubic


def report() -> Section:
    section = Section("I-measure")
    rows: list[list[str]] = []
    mixed = unmixed = 0.0
    for name, file in SETS.items():
        corpus = load_corpus(None, [conll.DATA / "references" / file])
        for spelling in ("imeasure", "imeasure(mix=False)"):
            taken, unproven = _all_outputs(corpus, spelling)
            rows.append([name, spelling, seconds(taken), str(unproven)])
            mixed += taken if spelling == "imeasure" else 0.0
            unmixed = taken if spelling != "imeasure" else unmixed
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    section.text.append(f"All 13 outputs, {CORES} threads, sentences 333 to 335 included.")
    section.text.append(table(["references", "metric", "13 outputs", "unproven sentences"], rows))
    slow_and_fast = _against_plain_python()
    section.text.append(
        f"Unmixed on the sentences of NUCLE with at most {SHORT} words, one thread: {times(*slow_and_fast)} faster "
        "than plain Python (`tests/oracles/imeasure.py`), counts equal."
    )
    section.targets += [
        Target("I-measure mixed, NUCLE and BN, 13 outputs: < 60 s", seconds(mixed), mixed < 60),
        Target("I-measure unmixed, 13 outputs × 10 annotators: < 5 s", seconds(unmixed), unmixed < 5),
        Target("I-measure: < 1 GB (this process, all it ran before included)", f"{memory:.2f} GB", memory < 1),
    ]
    return section


def _all_outputs(corpus: Corpus, spelling: str) -> tuple[float, int]:
    """Seconds for all outputs, and how many sentences were not proven best."""
    outputs = conll.systems(corpus)
    started = time.perf_counter()
    evaluations = [Evaluation.of(metric(spelling), corpus, system, run=Run(jobs=CORES)) for system in outputs]
    scores = [evaluation.score() for evaluation in evaluations]
    assert len(scores) == 13
    return time.perf_counter() - started, sum(len(evaluation.statistics.notes) for evaluation in evaluations)


def _against_plain_python() -> tuple[float, float]:
    """Seconds of plain Python and of ours on the same sentences."""
    corpus = load_corpus(None, [conll.DATA / "references" / SETS["NUCLE, 2 annotators"]])
    kept = [i for i, source in enumerate(corpus.sources) if 0 < len(source.split()) <= SHORT]
    short = Corpus([corpus.sources[i] for i in kept], [corpus.references[i] for i in kept])
    system = short.system("AMU", [conll.amu()[i] for i in kept])
    started = time.perf_counter()
    ours = Evaluation.of(metric("imeasure(mix=False)"), short, system).parts()
    fast = time.perf_counter() - started
    started = time.perf_counter()
    rows = []
    for source, hypothesis, references in zip(short.sources, system.hypotheses, short.references, strict=True):
        words = tuple(source.split())
        edits = [[(e.start, e.end, tuple(e.correction.split())) for e in r.edits or ()] for r in references]
        candidates = {oracle.apply(words, listed) for listed in edits}
        rows.append(oracle.best(words, tuple(hypothesis.split()), candidates))
    slow = time.perf_counter() - started
    assert oracle.total(rows).tp == ours["tp"]
    return slow, fast
