"""The ``sampled`` rule: a random reference for each sentence, many times; the scores are averaged. GLEU counts so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.errors import InputError
from gecval.metrics.base import Array, PageFormula, Statistics
from gecval.metrics.reference_rules.reference_rule import AdditiveRule, Draws, count_draws
from gecval.runtime.run import SERIAL, Run
from gecval.runtime.threads import in_threads

if TYPE_CHECKING:
    from gecval.metrics.base import Metric

AT_ONCE = 64  # lists of which all repetitions are scored together
Choices = NDArray[np.uint16]  # [sentence, repetition] → which of its rows


class Chosen(NamedTuple):
    """Some repetitions, and which row of each sentence each of them draws."""

    repetitions: slice
    rows: Choices


@dataclass(frozen=True)
class Sampled(AdditiveRule):
    """GLEU's rule. Repetition *j* draws as Python 2 does after ``seed(101 * j)``, as the original tool does."""

    iterations: int
    name: ClassVar[str] = "sampled"
    by_position: ClassVar[bool] = True
    fixed_row: ClassVar[bool] = False

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        starts, counts = statistics.offsets[:-1], np.diff(statistics.offsets)
        for draw in self._draws(statistics):
            for uniform in np.tile(draw(), statistics.copies):
                yield statistics.rows[starts + (uniform * counts).astype(np.int64)]

    def scores_over(self, metric: Metric, statistics: Statistics, draws: Draws, *, run: Run = SERIAL) -> Array:
        sums = DrawnSums.of(statistics, count_draws(draws, len(statistics)))

        def scores(chosen: Chosen, lists: slice) -> Array:
            return metric.score(sums.totals(chosen.rows, lists))

        return self._mean(scores, statistics, count=len(draws), run=run)

    def scores_swapped(
        self, metric: Metric, statistics: Statistics, swapped: tuple[Draws, Draws], *, run: Run = SERIAL
    ) -> tuple[Array, Array]:
        """Both systems have the same total in all trials, so one's is the rest of the other's, but for rounding."""
        if not whole_numbers(statistics):
            return super().scores_swapped(metric, statistics, swapped, run=run)
        sums = DrawnSums.of(statistics, count_draws(swapped[0], len(statistics)))
        everything = self.totals(metric, statistics, run=run)

        def scores(chosen: Chosen, lists: slice) -> Array:
            totals = sums.totals(chosen.rows, lists)
            return np.stack([metric.score(totals), metric.score(_rest(everything[chosen.repetitions], totals))])

        first, second = self._mean(scores, statistics, count=len(swapped[0]), run=run)
        return first, second

    def scores_without(
        self, metric: Metric, statistics: Statistics, blocks: list[slice], *, run: Run = SERIAL
    ) -> Array:
        everything = self.totals(metric, statistics, run=run)

        def scores(chosen: Chosen, lists: slice) -> Array:
            left_out = blocks[lists]
            places = np.arange(left_out[0].start, left_out[-1].stop)
            weights = np.array(
                [(block.start <= places) & (places < block.stop) for block in left_out], dtype=np.float64
            )
            sums = DrawnSums.of(statistics.take(places), weights)
            left_out_totals = sums.totals(chosen.rows[places % len(chosen.rows)], slice(None))
            return metric.score(_rest(everything[chosen.repetitions], left_out_totals))

        return self._mean(scores, statistics, count=len(blocks), run=run)

    def _mean(self, scores: Callable[[Chosen, slice], Array], statistics: Statistics, *, count: int, run: Run) -> Array:
        """Over all repetitions, of scores [..., list, repetition]. Some lists at a time stay near the processor."""

        def score_some(chosen: Chosen, first: int) -> Array:
            with np.errstate(all="ignore"):  # a thread has settings of its own
                return scores(chosen, slice(first, first + AT_ONCE))

        parts = [
            np.concatenate(
                list(in_threads(partial(score_some, chosen), range(0, count, AT_ONCE), jobs=run.threads)), axis=-2
            )
            for chosen in self._choose(statistics)
        ]
        mean: Array = np.concatenate(parts, axis=-1).mean(axis=-1)
        return mean

    def totals(self, metric: Metric, statistics: Statistics, *, run: Run = SERIAL) -> Array:
        def total(draw: Callable[[], Array]) -> Array:
            return _native.drawn_totals(statistics.rows, statistics.offsets, draw(), jobs=1)

        # Drawing the numbers takes about as long as adding the rows, and neither holds the interpreter.
        return np.concatenate(list(in_threads(total, self._draws(statistics), jobs=run.threads)))

    def _draws(self, statistics: Statistics) -> Iterator[Callable[[], Array]]:
        """Draw random numbers [repetition, sentence], a million at a time."""
        sentences = len(statistics) // statistics.copies
        for some in self._some_repetitions(statistics):
            yield partial(_python2_uniforms, sentences, some.start, some.stop)

    def _choose(self, statistics: Statistics) -> Iterator[Chosen]:
        """Which row each repetition draws."""
        counts = np.diff(statistics.offsets)[: len(statistics) // statistics.copies].tobytes()
        for some in self._some_repetitions(statistics):
            yield Chosen(some, _draw_rows(counts, some.start, some.stop))

    def _some_repetitions(self, statistics: Statistics) -> Iterator[slice]:
        """Those of a million random numbers, and so on. Single references need one repetition."""
        repetitions = self.iterations if np.diff(statistics.offsets).max() > 1 else 1
        step = max(1, 1_000_000 * statistics.copies // len(statistics))
        for first in range(0, repetitions, step):
            yield slice(first, min(first + step, repetitions))

    def sentence_rows(self, metric: Metric, statistics: Statistics) -> Array | None:
        return None  # the score of a sentence is a mean over its rows

    def sentence_scores(self, metric: Metric, statistics: Statistics) -> Array:
        return mean_over_references(metric.sentence_score(statistics.rows), statistics.offsets)

    def page_rule(self) -> PageFormula | None:
        return {"name": "sampled", "iterations": self.iterations}

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
def _draw_rows(counts: bytes, first: int, last: int) -> Choices:
    """Which of so many rows the sentences draw in repetitions first … last − 1."""
    rows_of_sentence = np.frombuffer(counts, dtype=np.int64)
    if rows_of_sentence.max() >= 2**16:
        raise InputError("a sentence has more than 65,535 references", parameter="references")
    uniforms = _python2_uniforms(len(rows_of_sentence), first, last)
    return np.ascontiguousarray((uniforms * rows_of_sentence).astype(np.uint16).T)


def mean_over_references(scores: Array, offsets: NDArray[np.int64]) -> Array:
    means: Array = np.add.reduceat(scores, offsets[:-1]) / np.diff(offsets)
    return means


# Totals over lists of sentences, where every repetition draws one reference of each sentence.
#
#     total[b, j] = Σᵢ weight[b, i] · row[i, choice[i, j]]
#
# The native core adds up how rows differ from the first row of their sentence, in the smallest numbers that hold all
# sums. So whole numbers add up without rounding. Fractions do not: 0.1 + 0.2 − 0.1 − 0.2 leaves 3e-17, and a ratio of
# two such sums is any number. So rows with fractions are compared with a row of zeros: their sums take nothing away
# again.


@dataclass(frozen=True)
class DrawnSums:
    """Lists, of which each has sentence *i* so many times: ``weights[list, i]``."""

    base: Array  # [list, k]: the totals with the first row of every sentence
    differences: NDArray[np.generic]
    offsets: NDArray[np.int64]
    weights: NDArray[np.generic]
    rows_before: int = 0  # in each sentence, before those to choose from

    @classmethod
    def of(cls, statistics: Statistics, weights: Array) -> DrawnSums:
        if not whole_numbers(statistics):
            return cls._of_fractions(statistics, weights)
        starts, counts = statistics.offsets[:-1], np.diff(statistics.offsets)
        first = statistics.rows[starts]
        differences = statistics.rows - np.repeat(first, counts, axis=0)
        largest = np.maximum.reduceat(np.abs(differences), starts)
        base, sums = np.split(weights @ np.hstack([first, largest]), 2, axis=1)  # one product is faster than two
        numbers = _smallest(sums)
        return cls(np.ascontiguousarray(base), differences.astype(numbers), statistics.offsets, weights.astype(numbers))

    @classmethod
    def _of_fractions(cls, statistics: Statistics, weights: Array) -> DrawnSums:
        rows = np.insert(statistics.rows, statistics.offsets[:-1], 0.0, axis=0)
        offsets = statistics.offsets + np.arange(len(statistics.offsets))
        return cls(np.zeros((len(weights), rows.shape[1])), np.ascontiguousarray(rows), offsets, weights, rows_before=1)

    def totals(self, choices: Choices, lists: slice) -> Array:
        """[list, repetition, k]. The numbers of a column lie side by side in memory, as scores read them fastest."""
        if self.rows_before:
            choices = choices + np.uint16(self.rows_before)
        sums = _native.drawn_sums(
            self.base[lists], self.differences, self.offsets, weights=self.weights[lists], choices=choices
        )
        return np.moveaxis(sums.reshape(len(sums), -1, choices.shape[1]), 0, -1)


def whole_numbers(statistics: Statistics) -> bool:
    return bool((statistics.rows == np.rint(statistics.rows)).all())


def _smallest(sums: Array) -> type[np.generic]:
    """The smallest type that holds sums of that size without rounding."""
    largest = sums.max(initial=0.0)
    return next((number for number in (np.int16, np.int32) if largest <= np.iinfo(number).max), np.float64)
