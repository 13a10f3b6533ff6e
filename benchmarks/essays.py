"""Edits in essays: one line of thousands of words, as MultiGEC and ZAEBUC have them, against errant's own alignment.

The essays are CoNLL-2014's sentences, joined, and AMU's output for them. Words have no tags here, as in MultiGEC's
scorer, so that no parser's time counts. That both find the same steps is tested in tests/edits/test_alignment.py.
"""

from __future__ import annotations

from time import perf_counter

from benchmarks import conll
from benchmarks.measure import Section, Target, fastest, seconds, table, times
from gecval.edits.errant import untagged_edits
from gecval.edits.plain import plain_edits

SENTENCES = (10, 20, 40, 80)  # that are joined
BY_ERRANT = 1000  # words up to which errant's own alignment is measured: its time grows by the square, and more


def report() -> Section:
    section = Section("Edits in essays")
    corpus = conll.with_edits()
    amu = next(system for system in conll.systems(corpus) if system.name == "AMU")
    rows = []
    for count in SENTENCES:
        source, output = (" ".join(texts[:count]) for texts in (corpus.sources, amu.hypotheses))
        words = len(source.split())
        plain = fastest(lambda s=source, o=output: plain_edits(s.split(), o.split()), repeats=3)  # type: ignore[misc]
        ours = fastest(lambda s=source, o=output: untagged_edits(s, o), repeats=3)  # type: ignore[misc]
        theirs = errant_seconds(source, output) if words <= BY_ERRANT else None
        rows.append([words, seconds(plain), seconds(ours), seconds(theirs) if theirs else "–"])
        rows[-1].append(times(theirs, ours) if theirs else "–")
    section.text.append(table(["words", "plain", "ERRANT's rules, here", "errant's alignment alone", "ratio"], rows))
    section.targets.append(Target(f"an essay of {words} words under 1 s", seconds(ours), ours < 1))
    return section


def errant_seconds(source: str, output: str) -> float:
    """How long errant takes to align two texts."""
    from errant.alignment import Alignment

    a, b = (_sentence(text) for text in (source, output))
    started = perf_counter()
    Alignment(a, b)
    return perf_counter() - started


def _sentence(text: str) -> list[object]:
    """Words without tags, with the attributes that errant's alignment looks at."""

    class Word:
        def __init__(self, text: str) -> None:
            self.text = self.orth = text
            self.lower = self.lower_ = text.lower()
            self.lemma, self.pos = "", 0

    return [Word(word) for word in text.split()]
