"""The agreement of annotators as rows that add up over sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gecval.corpus import Corpus
from gecval.metrics.base import Array
from gecval.metrics.errant_types import Detail, at_detail
from gecval.stats.raters import fleiss_rows
from gecval.studies.agreement.counting import Annotations, Edits, changed, same_edits

AT_ONCE = 10_000_000  # numbers of several types that are held at once


class Columns:
    """Of two annotators in a sentence: edits that are the same, those of each, tokens that both change, only the first,
    only the second, neither; and 1 where both saw the sentence."""

    SAME, FIRST, SECOND, TOKENS, SHARED = 0, 1, 2, slice(3, 7), 7
    SWAPPED = (0, 2, 1, 3, 5, 4, 6, 7)


def f_score(totals: Array) -> Array:
    """F of SAME, FIRST and SECOND, the first three columns. It is undefined (NaN) where nobody edits anything."""
    with np.errstate(invalid="ignore"):
        f: Array = 2 * totals[..., Columns.SAME] / (totals[..., Columns.FIRST] + totals[..., Columns.SECOND])
    return f


@dataclass(frozen=True, eq=False)
class PairRows:
    """``rows[sentence, pair, column]``, and which two annotators each pair is."""

    names: Sequence[str]
    pairs: Sequence[tuple[int, int]]
    rows: Array

    @classmethod
    def of(cls, corpus: Corpus, names: Sequence[str], sentences: Annotations) -> PairRows:
        pairs = list(combinations(range(len(names)), 2))
        rows = np.zeros((len(sentences), len(pairs), 8))
        for i, seen in enumerate(sentences):
            tokens = len(corpus.sources[i].split())
            marks = {name: changed(edits, tokens) for name, edits in seen.items()}
            for p, (first, second) in enumerate((names[a], names[b]) for a, b in pairs):
                if first in seen and second in seen:
                    one, other = marks[first], marks[second]
                    both, of_one, of_other = (int(marked.sum()) for marked in (one & other, one, other))
                    counts = [both, of_one - both, of_other - both, tokens + 1 - of_one - of_other + both]
                    same = same_edits(seen[first], seen[second])
                    rows[i, p] = [same, len(seen[first]), len(seen[second]), *counts, 1]
        return cls(names, pairs, rows)

    def all(self, totals: Array) -> Array:
        """The totals of all pairs together."""
        return np.asarray(totals.sum(axis=-2))

    def of_annotator(self, totals: Array, a: int) -> Array:
        """The totals of all pairs with an annotator, who is the first of each."""
        first = totals[..., [p for p, pair in enumerate(self.pairs) if pair[0] == a], :].sum(axis=-2)
        second = totals[..., [p for p, pair in enumerate(self.pairs) if pair[1] == a], :].sum(axis=-2)
        return np.asarray(first + second[..., Columns.SWAPPED])

    def without(self, totals: Array, a: int) -> Array:
        """The totals of all pairs without an annotator."""
        return np.asarray(totals[..., [p for p, pair in enumerate(self.pairs) if a not in pair], :].sum(axis=-2))


def fleiss_of(corpus: Corpus, sentences: Annotations) -> Array:
    """``fleiss_rows`` of every sentence."""
    lengths = [len(source.split()) for source in corpus.sources]
    return np.array([_marked(list(seen.values()), n) for seen, n in zip(sentences, lengths, strict=True)])


def _marked(listed: Sequence[Edits], tokens: int) -> Array:
    marks = np.array([changed(edits, tokens) for edits in listed], dtype=np.int64)
    return fleiss_rows(marks.sum(axis=0), len(listed)) if len(listed) > 1 else np.zeros(3)


def type_rows(
    corpus: Corpus, sentences: Annotations, detail: Detail
) -> Iterator[tuple[Sequence[str], Sequence[int], Array]]:
    """Some types, how many edits they have, and of every sentence and type: SAME, FIRST, SECOND, ``fleiss_rows``.

    SAME, FIRST and SECOND are those of all pairs together.
    """
    counts = Counter(at_detail(edit.type, detail) for seen in sentences for edits in seen.values() for edit in edits)
    types, step = sorted(counts), max(1, AT_ONCE // (6 * len(sentences)))
    for start in range(0, len(types), step):
        some = types[start : start + step]
        rows = np.zeros((len(sentences), len(some), 6))
        for i, seen in enumerate(sentences):
            if len(seen) > 1:
                rows[i] = _of_types(list(seen.values()), some, detail, len(corpus.sources[i].split()))
        yield some, [counts[kind] for kind in some], rows


def _of_types(listed: Sequence[Edits], types: Sequence[str], detail: Detail, tokens: int) -> Array:
    rows = np.tile(
        np.array([0, 0, 0, *fleiss_rows(np.zeros(tokens + 1, dtype=np.int64), len(listed))]), (len(types), 1)
    )
    here = {at_detail(edit.type, detail) for edits in listed for edit in edits}
    for t, kind in enumerate(types):
        if kind in here:
            chosen = [[edit for edit in edits if at_detail(edit.type, detail) == kind] for edits in listed]
            same = sum(same_edits(one, other) for one, other in combinations(chosen, 2))
            halves = sum(map(len, chosen)) * (len(listed) - 1) / 2  # of each pair, FIRST and SECOND together
            rows[t] = [same, halves, halves, *_marked(chosen, tokens)]
    return rows
