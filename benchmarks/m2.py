"""M² against the same lattice in plain Python, and against rapidfuzz."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from rapidfuzz.distance import Levenshtein
from tests.oracles import m2 as oracle

from benchmarks import conll
from benchmarks.measure import CORES, Section, Target, fastest, seconds, table, times
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Encoded
from gecval.metrics.m2 import M2
from gecval.runtime.run import Run

PLAIN_PYTHON = ("AMU", "CAMB", "UFC")  # the whole would take minutes: an average, the boldest, the most timid


def report() -> Section:
    section = Section("M²")
    corpus = conll.with_edits()
    M2().statistics(corpus, corpus.system("copy", corpus.sources))  # finds the tokens of source and gold, once for all
    outputs = {system.name: system for system in conll.systems(corpus)}
    against_plain_python(section, corpus, outputs)
    against_rapidfuzz(section, corpus, [system for name, system in outputs.items() if name != "NTHU"])
    return section


def against_plain_python(section: Section, corpus: Corpus, outputs: dict[str, System]) -> None:
    golds = [
        [[(edit.start, edit.end, list(edit.corrections)) for edit in reference.edits or ()] for reference in references]
        for references in corpus.references
    ]
    sources = [text.split() for text in corpus.sources]
    rows, plain_sum, ours_sum = [], 0.0, 0.0
    for name in PLAIN_PYTHON:
        hypotheses = [text.split() for text in outputs[name].hypotheses]
        counted: list[oracle.Triple] = []

        def plain(hypotheses: list[list[str]] = hypotheses, counted: list[oracle.Triple] = counted) -> None:
            for source, hypothesis, gold in zip(sources, hypotheses, golds, strict=True):
                counted.extend(counts[:3] for counts in oracle.max_match(source, hypothesis, gold))

        slow = fastest(plain, repeats=1)
        fast = fastest(partial(M2().statistics, corpus, outputs[name]))
        assert np.array_equal(M2().statistics(corpus, outputs[name]).rows, np.array(counted, dtype=np.float64))
        rows.append([name, seconds(slow), seconds(fast), times(slow, fast)])
        plain_sum, ours_sum = plain_sum + slow, ours_sum + fast
    rows.append(["all three", seconds(plain_sum), seconds(ours_sum), times(plain_sum, ours_sum)])
    all_outputs = fastest(lambda: [M2().statistics(corpus, system) for system in outputs.values()])
    section.text += [
        f"The same lattice in plain Python (`tests/oracles/m2.py`), on {len(PLAIN_PYTHON)} of the 13 outputs, one "
        "thread each. Plain Python gets lists of tokens and takes no short cut for an unchanged sentence; ours reads "
        "the hypotheses as text. The counts of every sentence and annotator are equal. All 13 outputs, NTHU included, "
        f"take ours {seconds(all_outputs)}.",
        table(["output", "plain Python", "gecval", "faster"], rows),
    ]
    ratio = plain_sum / ours_sum
    section.targets.append(
        Target("M²: 100× faster than plain Python", f"{ratio:.0f}× on {', '.join(PLAIN_PYTHON)}", ratio >= 100)
    )


def against_rapidfuzz(section: Section, corpus: Corpus, outputs: list[System]) -> None:
    strings = [text.split() for text in corpus.sources]
    ids = _token_lists(corpus, corpus.sources)
    pairs: list[tuple[list[str], list[str]]] = []
    id_pairs: list[tuple[list[int], list[int]]] = []
    for system in outputs:
        pairs += zip(strings, [text.split() for text in system.hypotheses], strict=True)
        id_pairs += zip(ids, _token_lists(corpus, system.hypotheses), strict=True)

    def afresh() -> None:
        again = Corpus(corpus.sources, corpus.references)
        for system in outputs:
            M2().statistics(again, system)

    fuzz = fastest(lambda: [Levenshtein.editops(a, b) for a, b in pairs])
    measured = {
        "rapidfuzz `editops`, lists of strings": fuzz,
        "rapidfuzz `editops`, lists of integers": fastest(lambda: [Levenshtein.editops(a, b) for a, b in id_pairs]),
        "gecval, hypotheses as text": fastest(lambda: [M2().statistics(corpus, system) for system in outputs]),
        "gecval, source, gold and hypotheses as text": fastest(afresh),
        f"gecval, hypotheses as text, {CORES} threads": fastest(
            lambda: [M2().statistics(corpus, system, run=Run(jobs=CORES)) for system in outputs]
        ),
    }
    section.text += [
        f"`rapidfuzz`'s token-level edit operations over the same {len(pairs)} pairs (12 outputs, without NTHU); token "
        "lists are made outside the timing, for ours the tokens are found inside it. One thread unless said.",
        table(["", "time", "to rapidfuzz"], [[name, seconds(t), f"{t / fuzz:.2f}"] for name, t in measured.items()]),
    ]
    ratio = measured["gecval, hypotheses as text"] / fuzz
    section.targets.append(Target("M² within 3× of rapidfuzz's edit operations", f"{ratio:.1f}× its time", ratio <= 3))


def _token_lists(corpus: Corpus, texts: Sequence[str]) -> list[list[int]]:
    ids, offsets, _ = Encoded.of(corpus).vocabulary.encode(list(texts))
    return [part.tolist() for part in np.split(ids, offsets[1:-1])]
