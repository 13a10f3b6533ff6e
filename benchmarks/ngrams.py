"""GLEU with 500 samples and SARI against plain Python with Counters."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles import ngrams as oracle

from benchmarks import conll
from benchmarks.measure import CORES, Section, Target, fastest, seconds, table, times
from gecval.corpus import Corpus, System
from gecval.metrics import Metric, metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.reference_rules import random_reference
from gecval.runtime.run import Run

PLAIN_PYTHON = ("AMU", "CAMB", "UFC")
Tokens = list[list[str]]


def plain_gleu(sources: Tokens, hypotheses: Tokens, references: list[Tokens]) -> float:
    return oracle.gleu_corpus(sources, hypotheses, references, iterations=500)[0]


def plain_sari(sources: Tokens, hypotheses: Tokens, references: list[Tokens]) -> float:
    triples = zip(sources, hypotheses, references, strict=True)
    return sum(oracle.sari_sentence(*triple) for triple in triples) / len(sources)


def report() -> Section:
    section = Section("GLEU and SARI")
    corpus = conll.with_texts()
    outputs = conll.systems(corpus)
    section.text.append(
        "Two references. Plain Python (`tests/oracles/ngrams.py`) gets lists of tokens and one thread, and runs on "
        f"{', '.join(PLAIN_PYTHON)}; its time per output is the mean of these. Ours reads text and runs on all 13; "
        "GLEU's random numbers are drawn again in each run. The scores are equal to 1e-9."
    )
    rows: list[list[str]] = []
    for name, plain, lower in (("gleu", plain_gleu, False), ("sari", plain_sari, True)):
        rows += compare(section, corpus, outputs, metric(name), plain, lower)
    section.text.append(table(["", "per output", "13 outputs", "faster than plain Python"], rows))
    return section


def compare(
    section: Section,
    corpus: Corpus,
    outputs: list[System],
    ours: Metric,
    plain: Callable[[Tokens, Tokens, list[Tokens]], float],
    lower: bool,
) -> list[list[str]]:
    def tokens(texts: list[str]) -> Tokens:
        return [(text.lower() if lower else text).split() for text in texts]

    sources = tokens(list(corpus.sources))
    references = [tokens(corpus.texts_of(i)) for i in range(len(corpus))]
    slow = 0.0
    for system in outputs:
        if system.name not in PLAIN_PYTHON:
            continue
        hypotheses = tokens(list(system.hypotheses))
        scores: list[float] = []

        def work(hypotheses: Tokens = hypotheses, scores: list[float] = scores) -> None:
            scores.append(plain(sources, hypotheses, references))

        slow += fastest(work, repeats=3) / len(PLAIN_PYTHON)
        assert abs(Evaluation.of(ours, corpus, system).score() - scores[0]) < 1e-9

    def score_all(corpus: Corpus, jobs: int = 1) -> None:
        random_reference._python2_uniforms.cache_clear()
        for system in outputs:
            Evaluation.of(ours, corpus, system, run=Run(jobs=jobs)).score()

    measured = {
        "gecval, hypotheses as text": fastest(lambda: score_all(corpus)),
        "gecval, everything as text": fastest(lambda: score_all(Corpus(corpus.sources, corpus.references))),
        f"gecval, hypotheses as text, {CORES} threads": fastest(lambda: score_all(corpus, CORES)),
    }
    ratio = slow / (measured["gecval, hypotheses as text"] / len(outputs))
    one_thread = seconds(measured["gecval, hypotheses as text"])
    section.targets.append(
        Target(f"{ours!r}: 50× faster than plain Python", f"{ratio:.0f}× (13 outputs in {one_thread})", ratio >= 50)
    )
    extrapolated = f"{seconds(slow * len(outputs))} (extrapolated)"
    return [
        [f"{ours!r}: plain Python", seconds(slow), extrapolated, "1"],
        *(
            [f"{ours!r}: {how}", seconds(t / len(outputs)), seconds(t), times(slow * len(outputs), t)]
            for how, t in measured.items()
        ),
    ]
