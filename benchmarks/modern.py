"""GREEN and CLEME against plain Python: text for GREEN, edits given for CLEME."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles import cleme as cleme_oracle
from tests.oracles import green as green_oracle

from benchmarks import conll
from benchmarks.measure import CORES, Section, Target, fastest, seconds, table, times
from gecval.corpus import Corpus
from gecval.edits.plain import PlainExtractor
from gecval.metrics.cleme import CLEME
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.green import Green
from gecval.runtime.run import Run

Scores = list[float]
Work = Callable[[], Scores]


def report() -> Section:
    section = Section("GREEN and CLEME")
    section.text.append(
        "All 13 outputs, two references, one thread unless said. GREEN: two text references; plain Python is "
        "`tests/oracles/green.py`. CLEME: the annotators' edits, and the outputs' edits by plain rules, found outside "
        "the timing; plain Python is `tests/oracles/cleme.py`. Both sides start from the same texts or edits and end "
        "with the corpus scores, which are equal to 1e-9."
    )
    rows = [*of_green(section), *of_cleme(section)]
    section.text.append(table(["", "per output", "13 outputs", "faster than plain Python"], rows))
    return section


def of_green(section: Section) -> list[list[str]]:
    corpus = conll.with_texts()
    outputs = conll.systems(corpus)
    references = [corpus.texts_of(i) for i in range(len(corpus))]

    def plain() -> Scores:
        return [green_oracle.green(corpus.sources, output.hypotheses, references)[0] for output in outputs]

    def ours(jobs: int = 1) -> Scores:
        return [Evaluation.of(Green(), corpus, output, run=Run(jobs=jobs)).score() for output in outputs]

    return compare(section, "green", plain, {"": ours, f", {CORES} threads": lambda: ours(CORES)}, asked=50)


def of_cleme(section: Section) -> list[list[str]]:
    corpus = conll.with_edits()
    found = [
        PlainExtractor().edits(list(zip(corpus.sources, output.hypotheses, strict=True)))
        for output in conll.systems(corpus)
    ]
    sources = [source.split() for source in corpus.sources]
    references = [[reference.edits or () for reference in listed] for listed in corpus.references]
    metric = CLEME()

    def plain() -> Scores:
        scores = []
        for edits in found:
            rows, _ = cleme_oracle.rows(sources, edits, references, mode="dependent", weights="length")
            scores.append(cleme_oracle.f(cleme_oracle.running_totals(rows, lambda row: round(cleme_oracle.f(row), 4))))
        return scores

    def ours(layouts: Corpus, jobs: int = 1) -> Scores:
        return [
            Evaluation(metric, metric.statistics_of_edits(layouts, edits, run=Run(jobs=jobs))).score()
            for edits in found
        ]

    measured: dict[str, Work] = {
        "": lambda: ours(corpus),
        ", references laid out again": lambda: ours(Corpus(corpus.sources, corpus.references)),
        f", {CORES} threads": lambda: ours(corpus, CORES),
    }
    return compare(section, "cleme", plain, measured, asked=30)


def compare(section: Section, name: str, plain: Work, measured: dict[str, Work], *, asked: int) -> list[list[str]]:
    expected, scores = plain(), measured[""]()
    assert all(abs(a - b) < 1e-9 for a, b in zip(expected, scores, strict=True))
    outputs = len(scores)
    slow = fastest(plain, repeats=3)
    fast = {how: fastest(work) for how, work in measured.items()}
    ratio = slow / fast[""]
    measure = f"{ratio:.0f}× ({outputs} outputs in {seconds(fast[''])})"
    section.targets.append(Target(f"{name}: {asked}× faster than plain Python", measure, ratio >= asked))
    return [
        [f"{name}: plain Python", seconds(slow / outputs), seconds(slow), "1"],
        *([f"{name}: gecval{how}", seconds(t / outputs), seconds(t), times(slow, t)] for how, t in fast.items()),
    ]
