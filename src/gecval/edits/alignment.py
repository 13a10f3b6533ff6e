"""Which words became which: Damerau-Levenshtein over tokens, as ERRANT aligns (Felice & al. 2016).

    insertion, deletion   1
    substitution          what the caller says
    word order            k, for k + 1 neighbours on both sides that are the same words in lower case

Equal words always match. Of equally cheap steps, word order comes first, then substitution, insertion, deletion. So
with ERRANT's substitution costs the steps are those of errant 3, in a small part of its time
(``benchmarks/essays.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval import _native

Costs = NDArray[np.float64]


class KindCosts(NamedTuple):
    """What a substitution costs by the kinds of both words. In a long text words recur, so that kinds are few."""

    kinds: NDArray[np.int32]  # of the source words
    kinds_corrected: NDArray[np.int32]
    costs: Costs


class Step(NamedTuple):
    """Source tokens ``start:end`` become corrected tokens ``start_corrected:end_corrected``.

    Operations have errant's names: M (match), S, I, D, and T with the number of words, as in T3.
    """

    operation: str
    start: int
    end: int
    start_corrected: int
    end_corrected: int


def align(
    source: Sequence[str],
    corrected: Sequence[str],
    substitution: Callable[[int, int], Costs | KindCosts],
    *,
    reorder: bool = True,
) -> list[Step]:
    """The cheapest steps. ``substitution(n, m)`` gives costs[i, j] for the first n source and m corrected words, or
    for their kinds. Without ``reorder`` no step changes the order of words.

    >>> [step.operation for step in align("a b c d".split(), "b a c e d".split(), lambda n, m: np.ones((n, m)))]
    ['T2', 'M', 'I', 'M']
    """
    n, m = len(source), len(corrected)
    # Equal words match whatever the cost, and the search runs backwards. So the common end needs no search.
    while n and m and source[n - 1] == corrected[m - 1]:
        n, m = n - 1, m - 1
    matches = [Step("M", n + k, n + k + 1, m + k, m + k + 1) for k in range(len(source) - n)]
    costs = substitution(n, m) if n and m else np.empty((n, m))
    if not isinstance(costs, KindCosts):
        costs = KindCosts(np.arange(n, dtype=np.int32), np.arange(m, dtype=np.int32), costs)
    words = _numbers(source[:n], corrected[:m])
    lower = _numbers(_lower(source[:n]), _lower(corrected[:m])) if reorder else _all_different(n, m)
    kinds = costs.kinds, costs.kinds_corrected
    steps = _native.word_steps(*words, *lower, *kinds, costs.costs)
    return [*(_step(*step) for step in steps), *matches]


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


def _step(operation: int, start: int, end: int, start_corrected: int, end_corrected: int) -> Step:
    """The kernel numbers operations: M, S, I, D, and from 4 on T with the number of words less 2."""
    name = "MSID"[operation] if operation < 4 else f"T{operation - 2}"
    return Step(name, start, end, start_corrected, end_corrected)
