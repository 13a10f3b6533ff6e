"""How several references count: named rules that all metrics share.

- ``pooled``: the metric sees all references at once, and a sentence has one row (BLEU, SARI);
- ``best``: of each sentence, the row with the best score (accuracy, MinLD, MAX-SARI);
- ``sampled``: a random reference per sentence, many times; the scores are averaged (GLEU);
- ``running-best``: the annotator who helps the totals so far most (M²); see ``running_best.py``.

A rule answers three questions about statistics S. What is the score of each sentence? What is the corpus score over a
list of sentences, such as a resample? What is the corpus score with a block of sentences left out?
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.metrics.base import Array, Statistics
from gecval.metrics.times_drawn import Draws, times_drawn
from gecval.threads import in_threads

if TYPE_CHECKING:
    from gecval.metrics.base import Metric


class ReferenceRule(ABC):
    name: ClassVar[str]
    columns: ClassVar[int | None] = None  # how many numbers a row has, where the rule knows what they mean
    rows_stand_alone: ClassVar[bool] = True  # whether a row says how a hypothesis fares with one reference alone
    by_position: ClassVar[bool] = False  # whether the place of a sentence in the corpus decides which row counts

    @abstractmethod
    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        """The score of each sentence alone."""

    @abstractmethod
    def totals(self, metric: Metric, statistics: Statistics, *, jobs: int = 1) -> Array:
        """Summed statistics over all sentences, [repetition, k]; the corpus score is the mean over repetitions."""

    @abstractmethod
    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, jobs: int = 1) -> Array:
        """The corpus score over each list of sentences."""

    @abstractmethod
    def scores_without(self, metric: Metric, statistics: Statistics, blocks: list[slice], *, jobs: int = 1) -> Array:
        """The corpus score with each block of sentences left out (jackknife)."""

    def signature(self) -> str:
        return self.name


class AdditiveRule(ReferenceRule):
    """A repetition fixes one row per sentence, so every total is a weighted sum of these rows."""

    @abstractmethod
    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        """One array [sentence, k] for each repetition."""

    def totals(self, metric: Metric, statistics: Statistics, *, jobs: int = 1) -> Array:
        return np.array([rows.sum(axis=0) for rows in self.repetitions(metric, statistics)])

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, jobs: int = 1) -> Array:
        weights = times_drawn(draws, len(statistics))

        def total(rows: Array) -> Array:
            return weights.astype(rows.dtype, copy=False) @ rows

        return self._mean_score(metric, self._compact(statistics, draws.shape[1]), total, jobs=jobs)

    def scores_without(self, metric: Metric, statistics: Statistics, blocks: list[slice], *, jobs: int = 1) -> Array:
        starts = [block.start for block in blocks]
        single = starts == list(range(len(statistics)))

        def total(rows: Array) -> Array:
            return np.asarray(rows.sum(axis=0) - (rows if single else np.add.reduceat(rows, starts)))

        return self._mean_score(metric, self._compact(statistics, len(statistics)), total, jobs=jobs)

    def _compact(self, statistics: Statistics, longest: int) -> Statistics:
        """The same numbers, in fewer bytes where lists of at most ``longest`` sentences have the same totals then."""
        return statistics

    def _mean_score(
        self, metric: Metric, statistics: Statistics, total: Callable[[Array], Array], *, jobs: int
    ) -> Array:
        # Columns that do not depend on the reference, such as the hypothesis's own counts, are summed once.
        drawn = _differing_columns(statistics)
        repetitions = self.repetitions(metric, statistics)
        fixed = total(next(repetitions)).astype(np.float64, copy=False)
        scores = [metric.score(fixed)[:, None]]
        if not drawn.any():  # all repetitions are the same
            return np.asarray(np.repeat(scores[0], 1 + sum(1 for _ in repetitions), axis=1).mean(axis=1))
        for rows in self._side_by_side(repetitions, statistics, drawn):
            sums = total(rows).reshape(len(fixed), -1, int(drawn.sum()))
            scores.append(_scores_of(metric, fixed, sums, drawn, jobs=jobs))
        mean: Array = np.concatenate(scores, axis=1).mean(axis=1)
        return mean

    def _side_by_side(
        self, repetitions: Iterator[Array], statistics: Statistics, columns: NDArray[np.bool_]
    ) -> Iterator[Array]:
        """These columns of several repetitions: one matrix product for all is faster than one for each."""
        while batch := list(islice(repetitions, _at_once(statistics, columns))):
            yield np.concatenate([rows[:, columns] for rows in batch], axis=1)


def _at_once(statistics: Statistics, columns: NDArray[np.bool_]) -> int:
    return max(1, 4_000_000 // (len(statistics) * max(1, int(columns.sum()))))


def _scores_of(metric: Metric, fixed: Array, sums: Array, drawn: NDArray[np.bool_], *, jobs: int) -> Array:
    """The score of each list and repetition. Some lists at a time, so that their totals stay near the processor."""

    def score(first: int) -> Array:
        some = slice(first, first + step)
        totals = np.repeat(fixed[some, None], sums.shape[1], axis=1)
        totals[..., drawn] = sums[some]
        with np.errstate(all="ignore"):  # a thread has settings of its own
            return metric.score(totals)

    step = max(1, 100_000 // (sums.shape[1] * fixed.shape[1]))
    return np.concatenate(list(in_threads(score, range(0, len(fixed), step), jobs=jobs)))


def _differing_columns(statistics: Statistics) -> NDArray[np.bool_]:
    """Which columns differ between the references of some sentence."""
    counts = np.diff(statistics.offsets)
    first = np.repeat(statistics.rows[statistics.offsets[:-1]], counts, axis=0)
    differ: NDArray[np.bool_] = (statistics.rows != first).any(axis=0)
    return differ


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


@dataclass(frozen=True)
class Sampled(AdditiveRule):
    """GLEU's rule. Repetition *j* draws as Python 2 does after ``seed(101 * j)``, as the original tool does."""

    iterations: int = 500
    name: ClassVar[str] = "sampled"
    by_position: ClassVar[bool] = True

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        starts, counts = statistics.offsets[:-1], np.diff(statistics.offsets)
        for draw in self._draws(statistics):
            for uniform in np.tile(draw(), statistics.copies):
                yield statistics.rows[starts + (uniform * counts).astype(np.int64)]

    def _side_by_side(
        self, repetitions: Iterator[Array], statistics: Statistics, columns: NDArray[np.bool_]
    ) -> Iterator[Array]:
        """As the repetitions are, without making each of them."""
        starts, counts = statistics.offsets[:-1], np.diff(statistics.offsets)
        rows = np.ascontiguousarray(statistics.rows[:, columns])
        uniforms = islice(chain.from_iterable(draw() for draw in self._draws(statistics)), 1, None)
        while batch := list(islice(uniforms, _at_once(statistics, columns))):
            uniform = np.tile(np.stack(batch), statistics.copies)
            chosen = (starts + (uniform * counts).astype(np.int64)).T
            yield rows[chosen].reshape(len(statistics), -1)

    def _compact(self, statistics: Statistics, longest: int) -> Statistics:
        """Single precision holds whole numbers up to 2²⁴, and its products take half the time."""
        rows = statistics.rows
        if longest * max(1.0, np.abs(rows).max()) >= 2**24 or (rows != np.rint(rows)).any():
            return statistics
        return replace(statistics, rows=rows.astype(np.float32))

    def totals(self, metric: Metric, statistics: Statistics, *, jobs: int = 1) -> Array:
        def total(draw: Callable[[], Array]) -> Array:
            return _native.drawn_totals(statistics.rows, statistics.offsets, draw(), jobs=1)

        # Drawing the numbers takes about as long as adding the rows, and neither holds the interpreter.
        return np.concatenate(list(in_threads(total, self._draws(statistics), jobs=jobs)))

    def _draws(self, statistics: Statistics) -> Iterator[Callable[[], Array]]:
        """Draw random numbers [repetition, sentence], a million at a time. Single references need one repetition."""
        sentences = len(statistics) // statistics.copies
        repetitions = self.iterations if np.diff(statistics.offsets).max() > 1 else 1
        step = max(1, 1_000_000 // sentences)
        for first in range(0, repetitions, step):
            yield partial(_python2_uniforms, sentences, first, min(first + step, repetitions))

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return mean_over_references(metric.sentence_score(statistics.rows), statistics.offsets)

    def signature(self) -> str:
        return f"{self.name}({self.iterations})"


@lru_cache(maxsize=4)
def _python2_uniforms(sentences: int, first: int, last: int) -> Array:
    """What ``random()`` gives for the sentences after ``seed(101 * j)``, j = first … last − 1. All systems share it."""
    generator = np.random.RandomState()  # to make one takes ten times as long as to seed it
    uniforms = np.empty((last - first, sentences))
    for row, j in zip(uniforms, range(first, last), strict=True):
        generator.seed([101 * j])
        row[:] = generator.random_sample(sentences)
    return uniforms


def mean_over_references(scores: Array, offsets: NDArray[np.int64]) -> Array:
    means: Array = np.add.reduceat(scores, offsets[:-1]) / np.diff(offsets)
    return means
