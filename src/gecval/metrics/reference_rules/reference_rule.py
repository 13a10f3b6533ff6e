"""What a reference rule is, and the two simple ones: all references at once (``pooled``), the best one (``best``).

A rule answers three questions about statistics S. What is the score of each sentence? What is the corpus score over a
list of sentences, such as a resample? What is the corpus score with a block of sentences left out?
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.metrics.base import Array, PageFormula, Statistics, drop_inherited
from gecval.runtime.run import SERIAL, Run

if TYPE_CHECKING:
    from gecval.metrics.base import Metric

Draws = NDArray[np.int64]  # [list, position] → sentence


class ReferenceRule(ABC):
    name: ClassVar[str]
    columns: ClassVar[int | None] = None  # how many numbers a row has, where the rule knows what they mean
    rows_stand_alone: ClassVar[bool] = True  # whether a row says how a hypothesis fares with one reference alone
    by_position: ClassVar[bool] = False  # whether the place of a sentence in the corpus decides which row counts
    fixed_row: ClassVar[bool] = False  # whether a sentence counts with one row, the same among any other sentences

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        drop_inherited(cls, "page_rule", ReferenceRule)

    @abstractmethod
    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        """The score of each sentence alone."""

    def sentence_rows(self, metric: Metric, statistics: Statistics) -> Array | None:
        """The row with which each sentence counts alone; None where no single row does."""
        return statistics.rows if len(statistics.rows) == len(statistics) else None

    @abstractmethod
    def totals(self, metric: Metric, statistics: Statistics, *, run: Run = SERIAL) -> Array:
        """Summed statistics over all sentences, [repetition, k]; the corpus score is the mean over repetitions."""

    @abstractmethod
    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, run: Run = SERIAL) -> Array:
        """The corpus score over each list of sentences."""

    @abstractmethod
    def scores_without(
        self, metric: Metric, statistics: Statistics, blocks: list[slice], *, run: Run = SERIAL
    ) -> Array:
        """The corpus score with each block of sentences left out (jackknife)."""

    def scores_swapped(
        self, metric: Metric, statistics: Statistics, swapped: tuple[Draws, Draws], *, run: Run = SERIAL
    ) -> tuple[Array, Array]:
        """The scores of two systems that swap sentences: what one list lacks of both systems, the other has."""
        first, second = (self.scores_over(metric, statistics, draws, run=run) for draws in swapped)
        return first, second

    def page_rule(self) -> PageFormula | None:
        """How the report page sums the rows of some sentences: a rule of ``rules.js``, and its parameters.

        ``name`` is its name in ``studies/report/assets/rules.js``. None: the page cannot sum them, and shows sentence
        scores. The declaration counts for the class that makes it, not for its subclasses: they may choose otherwise.
        """
        return {"name": "sum"} if self.fixed_row else None

    def signature(self) -> str:
        return self.name


class AdditiveRule(ReferenceRule):
    """A repetition fixes one row per sentence, so every total is a weighted sum of these rows.

    Resamples and the jackknife are those of a rule with one repetition. ``Sampled`` has many, and ways of its own.
    """

    fixed_row: ClassVar[bool] = True

    @abstractmethod
    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        """One array [sentence, k] for each repetition."""

    def sentence_rows(self, metric: Metric, statistics: Statistics) -> Array | None:
        [rows] = self.repetitions(metric, statistics)
        return rows

    def totals(self, metric: Metric, statistics: Statistics, *, run: Run = SERIAL) -> Array:
        return np.array([rows.sum(axis=0) for rows in self.repetitions(metric, statistics)])

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, run: Run = SERIAL) -> Array:
        [rows] = self.repetitions(metric, statistics)
        return metric.score(count_draws(draws, len(statistics)) @ rows)

    def scores_without(
        self, metric: Metric, statistics: Statistics, blocks: list[slice], *, run: Run = SERIAL
    ) -> Array:
        [rows] = self.repetitions(metric, statistics)
        starts = [block.start for block in blocks]
        single = starts == list(range(len(statistics)))
        return metric.score(rows.sum(axis=0) - (rows if single else np.add.reduceat(rows, starts)))


@dataclass(frozen=True)
class Pooled(AdditiveRule):
    name: ClassVar[str] = "pooled"
    rows_stand_alone: ClassVar[bool] = False

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        yield statistics.rows

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return metric.sentence_score(statistics.rows)


@dataclass(frozen=True)
class Best(AdditiveRule):
    name: ClassVar[str] = "best"

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        scores = metric.sentence_score(statistics.rows)
        # Stable sort by sentence, then from the best score: the first row of each is its best, earliest on ties.
        sentence = np.repeat(np.arange(len(statistics)), np.diff(statistics.offsets))
        order = np.lexsort((-metric.direction * scores, sentence))
        yield statistics.rows[order[statistics.offsets[:-1]]]

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        best = np.maximum if metric.higher_is_better else np.minimum
        return best.reduceat(metric.sentence_score(statistics.rows), statistics.offsets[:-1])


# How often lists of sentences, such as resamples, have each sentence: then totals are a matrix product.


def count_draws(draws: Draws, size: int) -> Array:
    """How often each list has each sentence. Lists that nobody may write to serve many systems, so counts are cached.

    >>> count_draws(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist()
    [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    """
    return _count(draws, size) if draws.flags.writeable else _cached_counts(_Same(draws), size)


def any_draws(draws: Draws, sentence: int) -> bool:
    """Whether any list has a sentence. This too is cached for lists that serve many systems.

    >>> any_draws(np.array([[0, 2, 2], [1, 1, 1]]), 3)
    False
    """
    return _any(draws, sentence) if draws.flags.writeable else _cached_any(_Same(draws), sentence)


class _Same:
    """An array that is known by its identity."""

    def __init__(self, array: Draws) -> None:
        self.array = array

    def __hash__(self) -> int:
        return id(self.array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.array is self.array


@lru_cache(maxsize=2)  # of the two systems of a paired test
def _cached_counts(lists: _Same, size: int) -> Array:
    counts = _count(lists.array, size)
    counts.setflags(write=False)
    return counts


@lru_cache(maxsize=2)
def _cached_any(lists: _Same, sentence: int) -> bool:
    return _any(lists.array, sentence)


def _any(draws: Draws, sentence: int) -> bool:
    return bool((draws == sentence).any())


def _count(draws: Draws, size: int) -> Array:
    if draws.size and not 0 <= draws.min() <= draws.max() < size:
        raise ValueError("there is no sentence of that number")
    places = draws + np.arange(len(draws))[:, None] * size
    return np.bincount(places.reshape(-1), minlength=len(draws) * size).reshape(-1, size).astype(np.float64)
