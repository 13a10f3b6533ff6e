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
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.errors import InputError
from gecval.metrics.base import Array, Statistics
from gecval.metrics.drawn_sums import Choices, DrawnSums, whole_numbers
from gecval.metrics.times_drawn import Draws, times_drawn
from gecval.threads import in_threads

if TYPE_CHECKING:
    from gecval.metrics.base import Metric


AT_ONCE = 64  # lists of which all repetitions are scored together


class Chosen(NamedTuple):
    """Some repetitions, and which row of each sentence each of them draws."""

    repetitions: slice
    rows: Choices


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

    def scores_swapped(
        self, metric: Metric, statistics: Statistics, swapped: tuple[Draws, Draws], *, jobs: int = 1
    ) -> tuple[Array, Array]:
        """The scores of two systems that swap sentences: what one list lacks of both systems, the other has."""
        first, second = (self.scores_over(metric, statistics, draws, jobs=jobs) for draws in swapped)
        return first, second

    def signature(self) -> str:
        return self.name


class AdditiveRule(ReferenceRule):
    """A repetition fixes one row per sentence, so every total is a weighted sum of these rows.

    Resamples and the jackknife are those of a rule with one repetition. ``Sampled`` has many, and ways of its own.
    """

    @abstractmethod
    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        """One array [sentence, k] for each repetition."""

    def totals(self, metric: Metric, statistics: Statistics, *, jobs: int = 1) -> Array:
        return np.array([rows.sum(axis=0) for rows in self.repetitions(metric, statistics)])

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, jobs: int = 1) -> Array:
        [rows] = self.repetitions(metric, statistics)
        return metric.score(times_drawn(draws, len(statistics)) @ rows)

    def scores_without(self, metric: Metric, statistics: Statistics, blocks: list[slice], *, jobs: int = 1) -> Array:
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


@dataclass(frozen=True)
class Sampled(AdditiveRule):
    """GLEU's rule. Repetition *j* draws as Python 2 does after ``seed(101 * j)``, as the original tool does."""

    iterations: int
    name: ClassVar[str] = "sampled"
    by_position: ClassVar[bool] = True

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        starts, counts = statistics.offsets[:-1], np.diff(statistics.offsets)
        for draw in self._draws(statistics):
            for uniform in np.tile(draw(), statistics.copies):
                yield statistics.rows[starts + (uniform * counts).astype(np.int64)]

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, jobs: int = 1) -> Array:
        sums = DrawnSums.of(statistics, times_drawn(draws, len(statistics)))

        def scores(chosen: Chosen, lists: slice) -> Array:
            return metric.score(sums.totals(chosen.rows, lists))

        return self._mean(scores, statistics, count=len(draws), jobs=jobs)

    def scores_swapped(
        self, metric: Metric, statistics: Statistics, swapped: tuple[Draws, Draws], *, jobs: int = 1
    ) -> tuple[Array, Array]:
        """Both systems have the same total in all trials, so one's is the rest of the other's, but for rounding."""
        if not whole_numbers(statistics):
            return super().scores_swapped(metric, statistics, swapped, jobs=jobs)
        sums = DrawnSums.of(statistics, times_drawn(swapped[0], len(statistics)))
        everything = self.totals(metric, statistics, jobs=jobs)

        def scores(chosen: Chosen, lists: slice) -> Array:
            totals = sums.totals(chosen.rows, lists)
            return np.stack([metric.score(totals), metric.score(_rest(everything[chosen.repetitions], totals))])

        first, second = self._mean(scores, statistics, count=len(swapped[0]), jobs=jobs)
        return first, second

    def scores_without(self, metric: Metric, statistics: Statistics, blocks: list[slice], *, jobs: int = 1) -> Array:
        everything = self.totals(metric, statistics, jobs=jobs)

        def scores(chosen: Chosen, lists: slice) -> Array:
            left_out = blocks[lists]
            places = np.arange(left_out[0].start, left_out[-1].stop)
            weights = np.array(
                [(block.start <= places) & (places < block.stop) for block in left_out], dtype=np.float64
            )
            sums = DrawnSums.of(statistics.take(places), weights)
            of_left_out = sums.totals(chosen.rows[places % len(chosen.rows)], slice(None))
            return metric.score(_rest(everything[chosen.repetitions], of_left_out))

        return self._mean(scores, statistics, count=len(blocks), jobs=jobs)

    def _mean(
        self, scores: Callable[[Chosen, slice], Array], statistics: Statistics, *, count: int, jobs: int
    ) -> Array:
        """Over all repetitions, of scores [..., list, repetition]. Some lists at a time stay near the processor."""

        def of_some(chosen: Chosen, first: int) -> Array:
            with np.errstate(all="ignore"):  # a thread has settings of its own
                return scores(chosen, slice(first, first + AT_ONCE))

        parts = [
            np.concatenate(list(in_threads(partial(of_some, chosen), range(0, count, AT_ONCE), jobs=jobs)), axis=-2)
            for chosen in self._chosen(statistics)
        ]
        mean: Array = np.concatenate(parts, axis=-1).mean(axis=-1)
        return mean

    def totals(self, metric: Metric, statistics: Statistics, *, jobs: int = 1) -> Array:
        def total(draw: Callable[[], Array]) -> Array:
            return _native.drawn_totals(statistics.rows, statistics.offsets, draw(), jobs=1)

        # Drawing the numbers takes about as long as adding the rows, and neither holds the interpreter.
        return np.concatenate(list(in_threads(total, self._draws(statistics), jobs=jobs)))

    def _draws(self, statistics: Statistics) -> Iterator[Callable[[], Array]]:
        """Draw random numbers [repetition, sentence], a million at a time."""
        sentences = len(statistics) // statistics.copies
        for some in self._some_repetitions(statistics):
            yield partial(_python2_uniforms, sentences, some.start, some.stop)

    def _chosen(self, statistics: Statistics) -> Iterator[Chosen]:
        """Which row each repetition draws."""
        counts = np.diff(statistics.offsets)[: len(statistics) // statistics.copies].tobytes()
        for some in self._some_repetitions(statistics):
            yield Chosen(some, _drawn_rows(counts, some.start, some.stop))

    def _some_repetitions(self, statistics: Statistics) -> Iterator[slice]:
        """Those of a million random numbers, and so on. Single references need one repetition."""
        repetitions = self.iterations if np.diff(statistics.offsets).max() > 1 else 1
        step = max(1, 1_000_000 * statistics.copies // len(statistics))
        for first in range(0, repetitions, step):
            yield slice(first, min(first + step, repetitions))

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return mean_over_references(metric.sentence_score(statistics.rows), statistics.offsets)

    def signature(self) -> str:
        return f"{self.name}({self.iterations})"


def _rest(everything: Array, totals: Array) -> Array:
    """What is left of everything, in the memory of the totals: theirs is the order that scores read fastest."""
    return np.subtract(everything, totals, out=totals)


@lru_cache(maxsize=4)
def _python2_uniforms(sentences: int, first: int, last: int) -> Array:
    """What ``random()`` gives for the sentences after ``seed(101 * j)``, j = first … last − 1. All systems share it."""
    generator = np.random.RandomState()  # to make one takes ten times as long as to seed it
    uniforms = np.empty((last - first, sentences))
    for row, j in zip(uniforms, range(first, last), strict=True):
        generator.seed([101 * j])
        row[:] = generator.random_sample(sentences)
    return uniforms


@lru_cache(maxsize=4)
def _drawn_rows(counts: bytes, first: int, last: int) -> Choices:
    """Which of so many rows the sentences draw in repetitions first … last − 1."""
    of_sentence = np.frombuffer(counts, dtype=np.int64)
    if of_sentence.max() >= 2**16:
        raise InputError("a sentence has more than 65,535 references", parameter="references")
    uniforms = _python2_uniforms(len(of_sentence), first, last)
    return np.ascontiguousarray((uniforms * of_sentence).astype(np.uint16).T)


def mean_over_references(scores: Array, offsets: NDArray[np.int64]) -> Array:
    means: Array = np.add.reduceat(scores, offsets[:-1]) / np.diff(offsets)
    return means
