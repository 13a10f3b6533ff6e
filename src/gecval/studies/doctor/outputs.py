"""What is odd in a system's output beside its source and references."""

from __future__ import annotations

from collections.abc import Iterator

from gecval.corpus import Corpus, System
from gecval.studies.doctor.texts import SHOWN, Oddity, untokenised, visible
from gecval.studies.oddities import reference_taken_for_system

TIMES = 3  # an output of so many times the source's words has run away
SPARE = 20  # words, so that short sentences may grow


def output_oddities(corpus: Corpus, system: System) -> Iterator[Oddity]:
    """Lines that are empty or run away, a copy of the source, a reference, another tokenisation."""
    sources, outputs = corpus.sources, system.hypotheses
    empty = [i for i, (source, text) in enumerate(zip(sources, outputs, strict=True)) if source and not text]
    yield from _listed("empty outputs", empty, system, "every word of the source counts as deleted")
    long = [
        i
        for i, (source, text) in enumerate(zip(sources, outputs, strict=True))
        if len(text.split()) > TIMES * len(source.split()) + SPARE
    ]
    effect = f"more than {TIMES} times the words of the source: the system ran on, and its words are wrong edits"
    yield from _listed("run-away outputs", long, system, effect)
    same = [i for i, (source, text) in enumerate(zip(sources, outputs, strict=True)) if source.split() == text.split()]
    if len(same) == len(corpus):
        yield from _listed("copy of the source", same, system, "a system that changes nothing: recall is 0")
    why = reference_taken_for_system(corpus, system)
    if why:
        equal = [i for i in range(len(corpus)) if _equals_reference(corpus, system, i)]
        yield from _listed("equals a reference", equal, system, f"{why}, so its score says nothing about a system")
    glued = untokenised(outputs)
    if glued and not untokenised(sources):
        yield glued


def _equals_reference(corpus: Corpus, system: System, i: int) -> bool:
    words = system.hypotheses[i].split()
    return words != corpus.sources[i].split() and words in [text.split() for text in corpus.texts_of(i)]


def _listed(kind: str, sentences: list[int], system: System, effect: str) -> Iterator[Oddity]:
    if sentences:
        example = visible(" ".join(system.hypotheses[sentences[0]].split()[:8]))
        lines = tuple(i + 1 for i in sentences[:SHOWN])
        yield Oddity(kind, len(sentences), len(system.hypotheses), lines, example, effect)
