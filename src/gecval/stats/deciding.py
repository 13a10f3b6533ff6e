"""The sentences that decide: few sentences without which the verdict on B and A is another.

The verdict may be that B beats A, or that B does so beyond chance. See ``smallest_set`` for how a set is found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gecval.errors import InputError
from gecval.stats.influence import Reducible, Sentences, influences
from gecval.stats.smallest_set import Search, without

Until = Literal["sign", "significance"]  # which verdict the removal is to turn around
UNTIL: tuple[Until, ...] = get_args(Until)
ALL_SETS = 20_000  # so many smaller sets are all tried


@dataclass(frozen=True, kw_only=True)
class DecidingSet:
    """Sentences, from 0, without which the verdict on B and A is another, the most influential first.

    ``sentences`` is None where no such set was found. ``difference`` is B − A over all sentences, and
    ``difference_without`` that over all others. No set of fewer than ``at_least`` of the ``of`` sentences does it.
    ``proven_as_chosen`` says that no smaller set does it while every sentence keeps the reference that the score of the
    whole corpus chose: M² and ERRANT choose again where sentences are left out.
    """

    sentences: tuple[int, ...] | None
    of: int
    difference: float
    difference_without: float | None
    at_least: int
    proven_as_chosen: bool = False

    @property
    def proven(self) -> bool:
        """Whether no smaller set exists; where none was found, whether there is none."""
        return self.at_least == (self.of if self.sentences is None else len(self.sentences))


def deciding_set(a: Reducible, b: Reducible, *, all_sets: int = ALL_SETS) -> DecidingSet:
    """The smallest set of sentences found without which the better of the two is no longer better.

    ``a`` and ``b`` are two systems under one metric, as ``Evaluation``; either may be the better. A tie counts as
    turned around. Where two systems tie from the start, the set is empty. If there are at most ``all_sets`` smaller
    sets, all of them are tried.

    >>> from gecval import Corpus, metric
    >>> from gecval.metrics.evaluation import Evaluation
    >>> corpus = Corpus.from_texts(list("abcd"), [["A"], ["B"], ["C"], ["D"]])
    >>> first, second = (corpus.system(name, list(name)) for name in ("abcD", "ABCd"))
    >>> a, b = (Evaluation.of(metric("accuracy"), corpus, system) for system in (first, second))
    >>> deciding = deciding_set(a, b)
    >>> deciding.sentences, deciding.difference, deciding.difference_without, deciding.proven
    ((0, 1), 0.5, 0.0, True)
    """
    if len(a) != len(b):
        raise InputError(f"the two systems must be of the same sentences, not of {len(a)} and {len(b)}")
    difference = b.score() - a.score()
    search = Search(a, b, 1) if difference > 0 else Search(b, a, -1)
    removed, at_least = search.smallest(all_sets)
    return DecidingSet(
        sentences=None if removed is None else tuple(search.ranked(removed).tolist()),
        of=len(a),
        difference=difference,
        difference_without=None if removed is None else search.sign * search.lead(removed) + 0.0,  # no −0
        at_least=at_least,
        proven_as_chosen=removed is not None and len(removed) > 0 and search.proven_as_chosen(len(removed)),
    )


def first_set(a: Reducible, b: Reducible, lost: Callable[[Sentences], bool]) -> DecidingSet:
    """The sentences of largest influence for the better system, as many as it takes until a verdict is ``lost``.

    ``lost`` is asked about the sentences that are kept. The number is doubled until the verdict is lost, then halved to
    the first number at which it is: one sentence fewer, in this order, and it stands. Two sentences are always kept.
    """
    most = len(a) - 2
    difference = b.score() - a.score()
    order = np.argsort(-influences(a, b) * (1 if difference > 0 else -1), kind="stable")
    low, high = -1, 0  # sentences that are not enough, and those to try
    while not lost(without(len(a), order[:high])):
        if high == most:
            return DecidingSet(sentences=None, of=len(a), difference=difference, difference_without=None, at_least=1)
        low, high = high, min(max(1, 2 * high), most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if lost(without(len(a), order[:middle])) else (middle, high)
    kept = without(len(a), order[:high])
    return DecidingSet(
        sentences=tuple(order[:high].tolist()),
        of=len(a),
        difference=difference,
        difference_without=b.over(kept).score() - a.over(kept).score(),
        at_least=min(high, 1),
    )
