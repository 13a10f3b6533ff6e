"""A population for simulations: the 1,312 sentences of CoNLL-2014 with the outputs of its 13 systems.

A test set is some sentences of it, drawn with replacement. Against one annotator every sentence has one row, so a test
set costs a few matrix products. ``QuickTests`` are then what `compare` computes, with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from gecval.cores import cores
from gecval.corpus import Corpus
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.metrics import Metric, metric
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, silent
from gecval.stats import Resampling, bootstrap_interval
from gecval.stats.resampling import Array, Draws, Interval, Resampled
from gecval.stats.ties import share_as_large
from gecval.studies.preparation import prepare
from gecval.studies.reproduce.conll14 import systems, two_references
from gecval.studies.reproduce.results import Figure

METRICS = ("m2", "gleu", "errant")
Outputs = Mapping[str, Evaluation]


def one_annotator() -> Corpus:
    return load_corpus(None, [dataset_file("conll14", "official-2014.0.m2")])


def populations(corpus: Corpus | None = None, *, progress: Progress = silent) -> Iterator[tuple[Metric, Outputs]]:
    """The systems under each metric, by default against one annotator."""
    seen = one_annotator() if corpus is None else corpus
    outputs, metrics = systems(seen), [metric(name) for name in METRICS]
    corpora = prepare(seen, outputs, metrics, jobs=cores(), progress=progress)
    for wanted, prepared in zip(metrics, corpora, strict=True):
        yield wanted, {output.name: Evaluation.of(wanted, prepared, output, jobs=cores()) for output in outputs}


def both_annotators() -> Corpus:
    return two_references()


class PValues(NamedTuple):
    bootstrap: float
    randomisation: float

    @property
    def both(self) -> float:
        """What `compare` goes by: the larger of the two."""
        return max(self)


@dataclass(frozen=True)
class QuickTests:
    """The tests and intervals of test sets of one size. The random numbers are drawn once, as all share a seed."""

    size: int
    resampling: Resampling = Resampling()

    @cached_property
    def _times(self) -> Array:
        draws = np.concatenate(list(self.resampling.draws(self.size)))
        return np.array([np.bincount(draw, minlength=self.size) for draw in draws], dtype=np.float64)

    @cached_property
    def _swaps(self) -> Array:
        return np.concatenate(list(self.resampling.swaps(self.size))).astype(np.float64)

    def resampled(self, wanted: Metric, rows: Array) -> Array:
        return wanted.score(self._times @ rows)

    def p_values(self, wanted: Metric, a: Array, b: Array) -> PValues:
        """Both tests of b against a, from their rows."""
        with np.errstate(all="ignore"):
            difference = float(wanted.score(b.sum(axis=0)) - wanted.score(a.sum(axis=0)))
            drawn = self.resampled(wanted, b) - self.resampled(wanted, a)
            moved = self._swaps @ (a - b)
            swapped = wanted.score(b.sum(axis=0) + moved) - wanted.score(a.sum(axis=0) - moved)
        return PValues(
            share_as_large(np.append(drawn - drawn.mean(), difference), difference),
            share_as_large(np.append(swapped, difference), difference),
        )

    def interval(self, wanted: Metric, rows: Array) -> Interval:
        """The BCa interval of a score."""
        return bootstrap_interval(alone(wanted, rows), self.resampling, resampled=self.resampled(wanted, rows))

    def interval_of_difference(self, wanted: Metric, a: Array, b: Array) -> Interval:
        """The BCa interval of b − a."""
        resampled = self.resampled(wanted, b) - self.resampled(wanted, a)
        return bootstrap_interval(Difference(alone(wanted, a), alone(wanted, b)), self.resampling, resampled=resampled)


@dataclass(frozen=True)
class Difference:
    """b − a, as intervals ask for a score."""

    a: Resampled
    b: Resampled

    def __len__(self) -> int:
        return len(self.a)

    def score(self) -> float:
        return self.b.score() - self.a.score()

    def scores_over(self, draws: Draws) -> Array:
        return self.b.scores_over(draws) - self.a.scores_over(draws)

    def scores_without(self, blocks: list[slice]) -> Array:
        return self.b.scores_without(blocks) - self.a.scores_without(blocks)


def alone(wanted: Metric, rows: Array) -> Evaluation:
    """A system with one row a sentence."""
    return Evaluation(wanted, Statistics.one_per_sentence(rows))


def share(count: float, of: int) -> Figure:
    """A share of experiments with Wilson's 95% interval.

    >>> [round(end, 4) for end in share(50, 1000).interval]
    [0.0381, 0.0653]
    """
    part, z = count / of, NormalDist().inv_cdf(0.975)
    middle = (part + z**2 / (2 * of)) / (1 + z**2 / of)
    half = z / (1 + z**2 / of) * np.sqrt(part * (1 - part) / of + (z / (2 * of)) ** 2)
    return Figure(ours=float(part), interval=Interval(max(0.0, float(middle - half)), float(middle + half)))
