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

from gecval.corpus import Corpus
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.metrics import Metric, metric
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling, bootstrap_interval
from gecval.stats.correlation import fisher_test, permutation_test, williams_test
from gecval.stats.paired_tests import correct_p_values, studentised_test
from gecval.stats.resampling import ANY, Array, Draws, Interval, Resampled, share_as_large
from gecval.studies.reproduce.conll14 import load_participants, load_two_references
from gecval.studies.reproduce.result import Figure, PaperTable
from gecval.studies.scores.preparation import prepare

METRICS = ("m2", "gleu", "errant")
Outputs = Mapping[str, Evaluation]


def load_one_annotator() -> Corpus:
    return load_corpus(None, [dataset_file("conll14", "official-2014.0.m2")])


def score_populations(corpus: Corpus | None = None, *, run: Run = HERE) -> Iterator[tuple[Metric, Outputs]]:
    """The systems under each metric, by default against one annotator."""
    seen = load_one_annotator() if corpus is None else corpus
    outputs, metrics = load_participants(seen), [metric(name) for name in METRICS]
    corpora = prepare(seen, outputs, metrics, run=run)
    for wanted, prepared in zip(metrics, corpora, strict=True):
        yield wanted, {output.name: Evaluation.of(wanted, prepared, output, run=HERE) for output in outputs}


class TestPValues(NamedTuple):
    """What `compare` goes by is the studentised one."""

    studentised: float
    bootstrap: float
    randomisation: float


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

    def resample(self, wanted: Metric, rows: Array) -> Array:
        return wanted.score(self._times @ rows)

    def p_values(self, wanted: Metric, a: Array, b: Array) -> TestPValues:
        """All tests of b against a, from their rows."""
        with np.errstate(all="ignore"):
            difference = float(wanted.score(b.sum(axis=0)) - wanted.score(a.sum(axis=0)))
            drawn = self.resample(wanted, b) - self.resample(wanted, a)
            moved = self._swaps @ (a - b)
            swapped = wanted.score(b.sum(axis=0) + moved) - wanted.score(a.sum(axis=0) - moved)
        return TestPValues(
            p_of_rows(wanted, a, b, self.resampling),
            share_as_large(np.append(drawn - drawn.mean(), difference), difference),
            share_as_large(np.append(swapped, difference), difference),
        )

    def interval(self, wanted: Metric, rows: Array) -> Interval:
        """The BCa interval of a score."""
        return bootstrap_interval(evaluate_rows(wanted, rows), self.resampling, resampled=self.resample(wanted, rows))

    def interval_of_difference(self, wanted: Metric, a: Array, b: Array) -> Interval:
        """The BCa interval of b − a."""
        resampled = self.resample(wanted, b) - self.resample(wanted, a)
        return bootstrap_interval(
            ScoreDifference(evaluate_rows(wanted, a), evaluate_rows(wanted, b)), self.resampling, resampled=resampled
        )


@dataclass(frozen=True)
class ScoreDifference:
    """b − a, as intervals ask for a score."""

    a: Resampled
    b: Resampled

    @property
    def scale(self) -> tuple[float, float]:
        return ANY

    def __len__(self) -> int:
        return len(self.a)

    def score(self) -> float:
        return self.b.score() - self.a.score()

    def scores_over(self, draws: Draws) -> Array:
        return self.b.scores_over(draws) - self.a.scores_over(draws)

    def scores_without(self, blocks: list[slice]) -> Array:
        return self.b.scores_without(blocks) - self.a.scores_without(blocks)


def evaluate_rows(wanted: Metric, rows: Array) -> Evaluation:
    """A system with one row a sentence."""
    return Evaluation(wanted, Statistics.one_per_sentence(rows))


def p_of_rows(wanted: Metric, a: Array, b: Array, resampling: Resampling) -> float:
    """The p of b against a, each with one row a sentence: what `compare` goes by."""
    return studentised_test(evaluate_rows(wanted, a), evaluate_rows(wanted, b), resampling)


def estimate_share(count: float, of: int) -> Figure:
    """A share of experiments with Wilson's 95% interval.

    >>> [round(end, 4) for end in estimate_share(50, 1000).interval]
    [0.0381, 0.0653]
    """
    part, z = count / of, NormalDist().inv_cdf(0.975)
    middle = (part + z**2 / (2 * of)) / (1 + z**2 / of)
    half = z / (1 + z**2 / of) * np.sqrt(part * (1 - part) / of + (z / (2 * of)) ** 2)
    return Figure(ours=float(part), interval=Interval(max(0.0, float(middle - half)), float(middle + half)))


# Do intervals hold what they promise? How often a 95% BCa interval of 200 sentences has the score of all 1,312.
#
# A difference has an interval too. It may miss on either side in 2.5% of cases. What `--fail-if-worse` goes by, the
# studentised interval, is tried out in `reproduce calibration`.


OLD, NEW = "CAMB", "AMU"
SENTENCES, EXPERIMENTS, FEWER, SEED, LEVEL = 200, 4000, 1000, 1, 0.95
COLUMNS = ("of a score", "of a difference", "below it", "above it")


def interval_tables(run: Run = HERE) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in score_populations(run=run):
        announce(run.progress, f"{wanted!r}: {EXPERIMENTS} intervals")
        rows[f"{wanted!r}, one annotator"] = _quick(wanted, outputs, run)
    for wanted, outputs in score_populations(load_two_references(), run=run):
        if wanted.name != "gleu":  # its 500 draws of references take too long for a simulation
            announce(run.progress, f"{wanted!r}: {FEWER} intervals")
            rows[f"{wanted!r}, two annotators"] = _real(outputs, run)
    return [
        PaperTable(
            title=f"Coverage of {LEVEL:.0%} BCa intervals of {SENTENCES} sentences",
            columns=COLUMNS,
            rows=rows,
            row_name="metric, references",
            notes=(
                f"of a score: that of {OLD}; of a difference: {NEW} − {OLD}; promised: {LEVEL}",
                f"below it, above it: all of the interval of a difference is; promised: {(1 - LEVEL) / 2:g} each",
                f"{EXPERIMENTS:,} experiments; with two annotators {FEWER:,}",
            ),
        )
    ]


def _quick(wanted: Metric, outputs: Outputs, run: Run) -> dict[str, Figure]:
    """One row a sentence: every resample is a weighted sum."""
    rng, tests = np.random.default_rng(SEED), QuickTests(SENTENCES)
    old, new = (outputs[name].statistics.rows for name in (OLD, NEW))
    true, gap = outputs[OLD].score(), outputs[NEW].score() - outputs[OLD].score()
    hits = np.zeros(4)
    for experiment in range(EXPERIMENTS):
        run.progress(experiment, EXPERIMENTS)
        drawn = rng.integers(len(old), size=SENTENCES)
        of_score = tests.interval(wanted, old[drawn])
        hits += _hits(of_score, tests.interval_of_difference(wanted, old[drawn], new[drawn]), true, gap)
    return _shares(hits, EXPERIMENTS)


def _real(outputs: Outputs, run: Run) -> dict[str, Figure]:
    """The rule chooses an annotator again in every resample, as `compare` does."""
    rng, resampling = np.random.default_rng(SEED), QuickTests(SENTENCES).resampling
    true, gap = outputs[OLD].score(), outputs[NEW].score() - outputs[OLD].score()
    hits = np.zeros(4)
    for experiment in range(FEWER):
        run.progress(experiment, FEWER)
        drawn = rng.integers(len(outputs[OLD]), size=SENTENCES)
        old, new = outputs[OLD].over(drawn), outputs[NEW].over(drawn)
        of_difference = bootstrap_interval(ScoreDifference(old, new), resampling)
        hits += _hits(bootstrap_interval(old, resampling), of_difference, true, gap)
    return _shares(hits, FEWER)


def _hits(of_score: Interval, of_difference: Interval, true: float, gap: float) -> Array:
    """Whether each interval has the true value, and on which side that of the difference misses it."""
    covers = of_difference.low <= gap <= of_difference.high
    has, below = of_score.low <= true <= of_score.high, of_difference.high < gap
    return np.array([has, covers, below, of_difference.low > gap], dtype=np.float64)


def _shares(hits: Array, of: int) -> dict[str, Figure]:
    return {name: estimate_share(count, of) for name, count in zip(COLUMNS, hits.tolist(), strict=True)}


# How often do tests call a difference significant that is none? Type-I errors where no difference is true.
#
# The outputs of two systems are handed to A and B at random, sentence by sentence. So A and B are equally good,
# whatever the metric. A family is four systems against a baseline, with the outputs of five systems dealt out at
# random. Tests of correlations see systems with normal scores, and two metrics that agree with people equally well.


PAIR = ("AMU", "CAMB")
FAMILY = ("AMU", "CAMB", "CUUI", "POST", "RAC")
ERROR_SENTENCES, ERROR_EXPERIMENTS, FAMILIES, ERROR_SEED, ALPHA = 200, 4000, 2000, 1, 0.05
SYSTEMS, SWAPS = (12, 48), 4096
AGREEMENT, ALIKE = 0.7, 0.8  # of both metrics with people, and of the metrics with each other


def error_tables(run: Run = HERE) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in score_populations(run=run):
        announce(run.progress, f"{wanted!r}: {ERROR_EXPERIMENTS} experiments without a difference")
        rows[repr(wanted)] = {**_single(wanted, outputs, run), **_families(wanted, outputs, run)}
    announce(run.progress, "tests of correlations")
    return [
        PaperTable(
            title="Type-I error of the tests, no difference being true",
            columns=("bootstrap", "randomisation", "compare", "Holm, any of 4", "bh, any of 4"),
            rows=rows,
            notes=(
                f"the share of {ERROR_EXPERIMENTS:,} experiments ({FAMILIES:,} families) with p < "
                f"{ALPHA}; promised: {ALPHA}",
                f"{ERROR_SENTENCES} sentences, one annotator; intervals are Wilson's; compare: its studentised test",
                f"single tests: outputs of {' and '.join(PAIR)}, swapped at random; families: {', '.join(FAMILY)}",
            ),
        ),
        PaperTable(
            title="Type-I error of tests of correlations",
            columns=("Williams", "permutation", "Fisher, as if independent"),
            rows={f"{systems} systems": _correlations(systems, run) for systems in SYSTEMS},
            row_name="sample",
            notes=(
                f"{ERROR_EXPERIMENTS:,} experiments, promised: {ALPHA}; both metrics have r = "
                f"{AGREEMENT} with people and "
                f"{ALIKE} with each other",
            ),
        ),
    ]


def _single(wanted: Metric, outputs: Outputs, run: Run) -> dict[str, Figure]:
    rng, tests = np.random.default_rng(ERROR_SEED), QuickTests(ERROR_SENTENCES)
    both = np.stack([outputs[name].statistics.rows for name in PAIR])
    alarms = np.zeros(3)
    for experiment in range(ERROR_EXPERIMENTS):
        run.progress(experiment, ERROR_EXPERIMENTS)
        a, b = deal_outputs(both, rng)
        p = tests.p_values(wanted, a, b)
        alarms += [p.bootstrap < ALPHA, p.randomisation < ALPHA, p.studentised < ALPHA]
    names = ("bootstrap", "randomisation", "compare")
    return {name: estimate_share(count, ERROR_EXPERIMENTS) for name, count in zip(names, alarms.tolist(), strict=True)}


def _families(wanted: Metric, outputs: Outputs, run: Run) -> dict[str, Figure]:
    rng, tests = np.random.default_rng(ERROR_SEED), QuickTests(ERROR_SENTENCES)
    every = np.stack([outputs[name].statistics.rows for name in FAMILY])
    alarms = np.zeros(2)
    for experiment in range(FAMILIES):
        run.progress(experiment, FAMILIES)
        baseline, *others = deal_outputs(every, rng)
        p_values = [tests.p_values(wanted, baseline, other).studentised for other in others]
        alarms += [min(correct_p_values(p_values, "holm")) < ALPHA, min(correct_p_values(p_values, "bh")) < ALPHA]
    names = ("Holm, any of 4", "bh, any of 4")
    return {name: estimate_share(count, FAMILIES) for name, count in zip(names, alarms.tolist(), strict=True)}


def deal_outputs(outputs: Array, rng: np.random.Generator) -> list[Array]:
    """A test set in which the outputs of every sentence are handed to the systems at random."""
    drawn = outputs[:, rng.integers(outputs.shape[1], size=ERROR_SENTENCES)]
    order = np.argsort(rng.random(drawn.shape[:2]), axis=0)
    return list(np.take_along_axis(drawn, order[..., None], axis=0))


def _correlations(systems: int, run: Run) -> dict[str, Figure]:
    rng = np.random.default_rng(ERROR_SEED)
    spread = np.array([[1, AGREEMENT, AGREEMENT], [AGREEMENT, 1, ALIKE], [AGREEMENT, ALIKE, 1]])
    alarms = np.zeros(3)
    for experiment in range(ERROR_EXPERIMENTS):
        run.progress(experiment, ERROR_EXPERIMENTS)
        human, a, b = rng.multivariate_normal(np.zeros(3), spread, size=systems).T
        r, other = (float(np.corrcoef(human, scores)[0, 1]) for scores in (a, b))
        swapped = permutation_test(human, a, b, resamples=SWAPS if systems < 20 else SWAPS // 4)
        alarms += [p < ALPHA for p in (williams_test(human, a, b), swapped, fisher_test(r, other, systems))]
    names = ("Williams", "permutation", "Fisher, as if independent")
    return {name: estimate_share(count, ERROR_EXPERIMENTS) for name, count in zip(names, alarms.tolist(), strict=True)}
