"""Which words became which: Damerau-Levenshtein over tokens, as ERRANT aligns (Felice & al. 2016).

    insertion, deletion   1
    substitution          what the caller says
    word order            k, for k + 1 neighbours on both sides that are the same words in lower case

Equal words always match. Of equally cheap steps, word order comes first, then substitution, insertion, deletion. So
with ERRANT's substitution costs the steps are those of errant 3, in a small part of its time
(``benchmarks/essays.py``).

Time and memory grow with the words of the one text times those of the other. Beyond ``MOST_CELLS``, only what lies
between words that stay in place is aligned, each stretch by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from gecval import _native
from gecval.corpus.edit import Edit

Costs = NDArray[np.float64]
MOST_CELLS = 4_000_000  # words times words that are aligned in one piece: texts of 2,000 words


class KindCosts(NamedTuple):
    """What a substitution costs by the kinds of both words. In a long text words recur, so that kinds are few."""

    kinds: NDArray[np.int32]  # of the source words
    kinds_corrected: NDArray[np.int32]
    costs: Costs


class AlignmentStep(NamedTuple):
    """Source tokens ``start:end`` become corrected tokens ``start_corrected:end_corrected``.

    Operations have errant's names: M (match), S, I, D, and T with the number of words, as in T3.
    """

    operation: str
    start: int
    end: int
    start_corrected: int
    end_corrected: int

    def shift(self, by: int, by_corrected: int) -> AlignmentStep:
        """The same step further on in both texts."""
        return AlignmentStep(
            self.operation,
            self.start + by,
            self.end + by,
            self.start_corrected + by_corrected,
            self.end_corrected + by_corrected,
        )


def align(
    source: Sequence[str],
    corrected: Sequence[str],
    substitution: Callable[[slice, slice], Costs | KindCosts],
    *,
    reorder: bool = True,
) -> list[AlignmentStep]:
    """The cheapest steps. ``substitution(i, j)`` gives the costs of these source and corrected words, or of their
    kinds. Without ``reorder`` no step changes the order of words.

    >>> ones = lambda i, j: np.ones((i.stop - i.start, j.stop - j.start))
    >>> [step.operation for step in align("a b c d".split(), "b a c e d".split(), ones)]
    ['T2', 'M', 'I', 'M']
    """
    n, m = len(source), len(corrected)
    # Equal words match whatever the cost, and the search runs backwards. So the common end needs no search.
    while n and m and source[n - 1] == corrected[m - 1]:
        n, m = n - 1, m - 1
    matches = [AlignmentStep("M", n + k, n + k + 1, m + k, m + k + 1) for k in range(len(source) - n)]
    if n * m > MOST_CELLS:
        return [*_align_long(source[:n], corrected[:m], substitution, reorder=reorder), *matches]
    costs = substitution(slice(0, n), slice(0, m)) if n and m else np.empty((n, m))
    if not isinstance(costs, KindCosts):
        costs = KindCosts(np.arange(n, dtype=np.int32), np.arange(m, dtype=np.int32), costs)
    words = _numbers(source[:n], corrected[:m])
    lower = _numbers(_lower(source[:n]), _lower(corrected[:m])) if reorder else _all_different(n, m)
    kinds = costs.kinds, costs.kinds_corrected
    steps = _native.word_steps(*words, *lower, *kinds, costs.costs)
    return [*(_step(*step) for step in steps), *matches]


def _align_long(
    source: Sequence[str],
    corrected: Sequence[str],
    substitution: Callable[[slice, slice], Costs | KindCosts],
    *,
    reorder: bool,
) -> Iterator[AlignmentStep]:
    """The steps of each stretch."""

    def align_stretch(ours: slice, theirs: slice) -> Iterable[AlignmentStep]:
        def costs(i: slice, j: slice) -> Costs | KindCosts:
            start, first = ours.start, theirs.start
            return substitution(slice(start + i.start, start + i.stop), slice(first + j.start, first + j.stop))

        return align(source[ours], corrected[theirs], costs, reorder=reorder)

    return align_stretches(source, corrected, align_stretch, most_cells=MOST_CELLS)


def align_stretches(
    source: Sequence[str],
    corrected: Sequence[str],
    align_stretch: Callable[[slice, slice], Iterable[AlignmentStep]],
    *,
    most_cells: int,
) -> Iterator[AlignmentStep]:
    """The steps of each stretch of two long texts. One that is too long by itself is a rewrite: one substitution."""
    for equal, place in find_stretches(source, corrected):
        start, end, first, last = place
        if equal:
            for k in range(end - start):
                yield AlignmentStep("M", start + k, start + k + 1, first + k, first + k + 1)
        elif (end - start) * (last - first) > most_cells:
            yield AlignmentStep("S", *place)
        else:
            for step in align_stretch(slice(start, end), slice(first, last)):
                yield step.shift(start, first)


def find_stretches(
    source: Sequence[Hashable], corrected: Sequence[Hashable]
) -> Iterator[tuple[bool, tuple[int, int, int, int]]]:
    """Whether words stay in place, and source and corrected words, from and to: of a shortest sequence of edits."""
    blocks = groupby(Levenshtein.opcodes(source, corrected), key=lambda block: block.tag == "equal")
    for equal, group in blocks:
        listed = list(group)
        yield equal, (listed[0].src_start, listed[-1].src_end, listed[0].dest_start, listed[-1].dest_end)


def _lower(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


def _numbers(source: Sequence[str], corrected: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Words as integers, equal ones for equal words."""
    known: dict[str, int] = {}
    numbers = ([known.setdefault(word, len(known)) for word in words] for words in (source, corrected))
    of_source, of_corrected = (np.array(listed, dtype=np.int32) for listed in numbers)
    return of_source, of_corrected


def _all_different(n: int, m: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Numbers for words of which none comes again, so that none can have moved."""
    numbers = np.arange(n + m, dtype=np.int32)
    return numbers[:n], numbers[n:]


def _step(operation: int, start: int, end: int, start_corrected: int, end_corrected: int) -> AlignmentStep:
    """The kernel numbers operations: M, S, I, D, and from 4 on T with the number of words less 2."""
    name = "MSID"[operation] if operation < 4 else f"T{operation - 2}"
    return AlignmentStep(name, start, end, start_corrected, end_corrected)


# Which words became which, wherever they went: the word alignment of the low-coverage paper (§3.2).
#
#     minimise  Σ over pairs of edit distance(source word, corrected word)  +  Σ over words left alone of their length
#
# This is an optimal matching in a bipartite graph, so words may change places (``alignment.py`` keeps their order). A
# word without a partner costs its length. Of equally cheap matchings, the one with most unchanged words is taken, then
# the one whose words move least, by the sum of squared distances. So two equal words never cross.


class AlignedWords(NamedTuple):
    """Positions of a source word and of the word it became. None: the word was deleted, or added."""

    source: int | None
    corrected: int | None


def match_words(source: Sequence[str], corrected: Sequence[str]) -> list[AlignedWords]:
    """The pairs, in the order of the source. Words that were added come last.

    >>> match_words("he home go".split(), "he goes home".split())
    [AlignedWords(source=0, corrected=0), AlignedWords(source=1, corrected=2), AlignedWords(source=2, corrected=1)]
    """
    n, m = len(source), len(corrected)
    if list(source) == list(corrected):
        return [AlignedWords(i, i) for i in range(n)]
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
    from scipy.optimize import linear_sum_assignment  # not above: it takes long to import, and few commands need it

    rows, columns = linear_sum_assignment(cost)
    return [
        AlignedWords(i if i < n else None, j if j < m else None)
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
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
