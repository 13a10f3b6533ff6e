"""Which words became which, wherever they went: the word alignment of the low-coverage paper (§3.2).

    minimise  Σ over pairs of edit distance(source word, corrected word)  +  Σ over words left alone of their length

This is an optimal matching in a bipartite graph, so words may change places (``alignment.py`` keeps their order). A
word without a partner costs its length. Of equally cheap matchings, the one with most unchanged words is taken, then
the one whose words move least, by the sum of squared distances. So two equal words never cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from gecval.edit import Edit


class Pair(NamedTuple):
    """Positions of a source word and of the word it became. None: the word was deleted, or added."""

    source: int | None
    corrected: int | None


def match_words(source: Sequence[str], corrected: Sequence[str]) -> list[Pair]:
    """The pairs, in the order of the source. Words that were added come last.

    >>> match_words("he home go".split(), "he goes home".split())
    [Pair(source=0, corrected=0), Pair(source=1, corrected=2), Pair(source=2, corrected=1)]
    """
    n, m = len(source), len(corrected)
    if list(source) == list(corrected):
        return [Pair(i, i) for i in range(n)]
    size = max(n, m)
    cost = np.zeros((size, size))
    if n and m:
        distance = cdist(source, corrected, scorer=Levenshtein.distance, dtype=np.int32)
        # Distances are whole numbers. All changes together add less than 1, and all moves less than one change.
        # The work is done in place: for long texts, every further array of this size takes gigabytes.
        pairs = cost[:n, :m]
        np.subtract.outer(np.arange(n, dtype=np.float64), np.arange(m), out=pairs)
        pairs *= pairs
        pairs /= size**3 + 1
        pairs += distance > 0
        pairs /= 2 * size + 2
        pairs += distance
    cost[n:, :m] = [len(word) for word in corrected]
    cost[:n, m:] = np.array([len(word) for word in source], dtype=np.float64)[:, None]
    rows, columns = linear_sum_assignment(cost)
    return [
        Pair(i if i < n else None, j if j < m else None) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def matching_edits(source: Sequence[str], corrected: Sequence[str]) -> tuple[Edit, ...]:
    """The matching as edits: one per changed or deleted word, and one per stretch of added words.

    A word that only moved is no edit, so the edits need not lead to the corrected text.

    >>> [(e.start, e.end, e.correction) for e in matching_edits("he go home".split(), "then he goes home".split())]
    [(0, 0, 'then'), (1, 2, 'goes')]
    """
    pairs = match_words(source, corrected)
    edits = [
        Edit(i, i + 1, ("" if j is None else corrected[j],))
        for i, j in pairs
        if i is not None and (j is None or source[i] != corrected[j])
    ]
    origin = {j: i for i, j in pairs if i is not None and j is not None}
    added: dict[int, list[str]] = {}
    place = 0
    for j, word in enumerate(corrected):
        if j in origin:
            place = origin[j] + 1
        else:
            added.setdefault(place, []).append(word)
    edits += [Edit(i, i, (" ".join(words),)) for i, words in added.items()]
    return tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
