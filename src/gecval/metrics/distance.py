"""Levenshtein distances over characters (the MAEGE paper, §2).

    LD S→O   = 1 − LD(S, O) / |S|                how much of the source is left: conservatism, not quality
    MinLD O→R = max over references of 1 − LD(R, O) / |R|

Both are likenesses: higher is closer. They are divided by the length of the source or the reference, as in the authors'
code; the paper's prose divides by the length of the output. Where the length is 0 they are 1. The corpus score is the
mean over sentences.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, AveragedMetric, Need, Statistics, ratio, with_count
from gecval.metrics.reference_rules import Best, Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class LD(AveragedMetric):
    name: ClassVar[str] = "ld"
    title: ClassVar[str] = "LD"
    summary: ClassVar[str] = "character likeness of source and output"
    scale: ClassVar[tuple[float, float]] = (-math.inf, 1.0)  # divided by the length of one text only
    paper: ClassVar[str] = "Choshen & Abend 2018"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        return Statistics.one_per_sentence(with_count(likeness(corpus.sources, system.hypotheses, run=run)))


@dataclass(frozen=True, repr=False)
class MinLD(LD):
    name: ClassVar[str] = "min-ld"
    title: ClassVar[str] = "MinLD"
    summary: ClassVar[str] = "character likeness of output and closest reference"
    needs: ClassVar[Need | None] = "references"
    rule: ClassVar[ReferenceRule] = Best()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        repeated = np.repeat(np.array(system.hypotheses, dtype=object), np.diff(corpus.reference_slots)).tolist()
        return Statistics(with_count(likeness(corpus.reference_texts, repeated, run=run)), corpus.reference_slots)


def likeness(originals: Sequence[str], changed: Sequence[str], *, run: Run = SERIAL) -> Array:
    """1 − LD(a, b) / |a|, pair by pair.

    >>> likeness(["abcd"], ["abxd"]).tolist()
    [0.75]
    """
    distances = process.cpdist(originals, changed, scorer=Levenshtein.distance, dtype=np.int64, workers=run.threads)
    lengths = np.fromiter(map(len, originals), dtype=np.float64, count=len(originals))
    return 1 - ratio(distances.astype(np.float64), lengths, empty=0.0)
