"""Simulations of scores: intervals, paired tests, gates and looks, on sentences whose truth is known.

A sentence has *gold* edits; a system proposes some of them and others that are wrong, so M² without its search. The
*timid* system finds few errors and is hardly ever wrong, the *bold* one finds many and is often wrong. Both have the
same F0.5, and are as unlike as two systems of equal F can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.stats import poisson

from gecval.metrics import metric
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.stats import Resampling
from gecval.stats.contributions import Contributions
from gecval.stats.noninferiority import few_looks_notes, interval_of_difference, level_at, verdict
from gecval.stats.paired_tests import contributions, correct_p_values
from gecval.stats.resampling import Array, Interval, few_units_notes, resampled_interval
from gecval.studies.reproduce.result import Promise, PValues
from gecval.studies.reproduce.simulations import QuickTests, ScoreDifference, evaluate_rows, p_of_rows
from gecval.studies.scores.scored_system import note_annotators

LEVEL, ALPHA, SEED = 0.95, 0.05, 1
ONE_SIDE = ALPHA / 2  # the chance of a false verdict that a two-sided interval allows
POPULATION = 50_000
F, RIGHT = metric("m2"), metric("accuracy")


# The population: rows (correct, proposed, gold) of timid and bold; for accuracy, rows (right, 1).


@cache
def timid_and_bold() -> tuple[Array, Array]:
    rng = np.random.default_rng(SEED)
    gold = rng.poisson(1.5, POPULATION)
    timid, bold = rng.binomial(gold, 0.15), rng.binomial(gold, 0.6)
    first = np.stack([timid, timid + rng.poisson(0.1, POPULATION), gold], axis=1).astype(np.float64)
    luck = rng.random(POPULATION)

    def with_wrong(rate: float) -> Array:
        return np.stack([bold, bold + poisson.ppf(luck, rate), gold], axis=1).astype(np.float64)

    low, high = 0.0, 8.0  # the more wrong edits, the lower F
    while high - low > 1e-4:
        middle = (low + high) / 2
        better = F.score(with_wrong(middle).sum(axis=0)) > F.score(first.sum(axis=0))
        low, high = (middle, high) if better else (low, middle)
    return first, with_wrong(low)


@cache
def _difference() -> float:
    first, second = (float(F.score(rows.sum(axis=0))) for rows in timid_and_bold())
    return second - first


# Intervals: of accuracy, of F, and of the difference of timid and bold, by number of sentences and documents.


SIZES = (30, 100, 200, 500, 1312)
DOCUMENTS = (5, 10, 40)
ACCURACY = 0.4


def simulate_intervals(experiments: int) -> Iterator[Promise | PValues]:
    first, second = timid_and_bold()
    for size in SIZES:
        tests, rng = QuickTests(size), np.random.default_rng([SEED, size])
        hits = np.zeros(3)
        truths = ACCURACY, float(F.score(second.sum(axis=0))), _difference()
        for _ in range(experiments):
            right = (rng.random((size, 1)) < ACCURACY) * [1.0, 0.0] + [0.0, 1.0]
            drawn = rng.integers(POPULATION, size=size)
            found = (
                tests.interval(RIGHT, right),
                tests.interval(F, second[drawn]),
                tests.interval_of_difference(F, first[drawn], second[drawn]),
            )
            hits += [low <= truth <= high for (low, high), truth in zip(found, truths, strict=True)]
        for name, covered in zip(("accuracy", "F0.5", "difference of F0.5"), hits, strict=True):
            notes = few_units_notes(Resampling(), size)
            yield _interval_promise(f"interval of {name}", f"{size} sentences", covered, experiments, notes, size=size)
    yield from _simulate_documents(experiments)


def _simulate_documents(experiments: int) -> Iterator[Promise]:
    """Documents of 10 to 30 sentences; how many errors there are is alike within each."""
    first, second = timid_and_bold()
    order = np.argsort(first[:, 2] + np.random.default_rng(SEED).normal(0, 1.5, POPULATION))
    first, second = first[order], second[order]
    for documents in DOCUMENTS:
        rng, covered = np.random.default_rng([SEED, documents]), 0
        for _ in range(experiments):
            lengths = rng.integers(10, 31, size=documents)
            centres = np.repeat(rng.integers(POPULATION, size=documents), lengths)
            drawn = (centres + rng.integers(-2000, 2000, size=lengths.sum())) % POPULATION
            starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
            resampling = Resampling(documents=tuple(starts.tolist()))
            found = _interval_of_documents(first[drawn], second[drawn], resampling)
            covered += found.low <= _difference() <= found.high
        notes = few_units_notes(Resampling(documents=tuple(range(documents))), documents)
        yield _interval_promise("interval of difference of F0.5", f"{documents} documents", covered, experiments, notes)


def _interval_of_documents(first: Array, second: Array, resampling: Resampling) -> Interval:
    assert resampling.documents is not None
    of_documents = [np.add.reduceat(rows, resampling.documents) for rows in (first, second)]
    pair = ScoreDifference(*(evaluate_rows(F, rows) for rows in (first, second)))
    resampled = np.zeros(0)
    if resampling.method_for(len(first)) == "bca":  # the studentised interval takes no resamples
        resampled = QuickTests(len(of_documents[0])).resample(F, of_documents[1])
        resampled = resampled - QuickTests(len(of_documents[0])).resample(F, of_documents[0])
    return resampled_interval(resampled, pair.score(), pair.scores_without, size=len(first), resampling=resampling)


def _interval_promise(
    claim: str, settings: str, covered: float, experiments: int, notes: Sequence[str], *, size: int | None = None
) -> Promise:
    return Promise(
        claim=claim,
        settings=settings,
        promised=LEVEL,
        measured=float(covered) / experiments,
        experiments=experiments,
        warned=float(bool(notes)),
        warnings=tuple(notes),
        size=size,
    )


# Annotators: some mark nearly every error, some only the worst. The truth is the mean over annotators and sentences.


ANNOTATED, ANNOTATORS_DRAWN = 200, (2, 3, 5, 10)
STRICTNESS = 0.7  # its deviation, on the scale of log odds
TRUTHS = 400  # corpora whose mean is the truth


@dataclass(frozen=True, kw_only=True)
class Annotators:
    """So many annotators of a corpus, and two systems that are scored against them."""

    number: int

    def draw(self, rng: np.random.Generator, sentences: int) -> list[Evaluation]:
        errors = np.arange(8) < rng.poisson(2.5, (sentences, 1))  # up to eight in a sentence
        worst = rng.normal(0, 1, (sentences, 8))
        strict = rng.normal(0, STRICTNESS, (self.number, 1, 1))
        marked = errors & (rng.random((self.number, sentences, 8)) < 1 / (1 + np.exp(-worst - strict)))
        gold = marked.sum(axis=2)
        systems = []
        for found, wrong in ((0.3, 0.3), (0.5, 0.8)):
            corrected = errors & (rng.random((sentences, 8)) < found)
            proposed = corrected.sum(axis=1) + rng.poisson(wrong, sentences)
            rows = np.stack([(marked & corrected).sum(axis=2), np.broadcast_to(proposed, gold.shape), gold], axis=2)
            by_sentence = rows.transpose(1, 0, 2).reshape(-1, 3).astype(np.float64)
            offsets = np.arange(sentences + 1, dtype=np.int64) * self.number
            systems.append(Evaluation(F, Statistics(by_sentence, offsets)))
        return systems

    def without_each(self, system: Evaluation) -> Array:
        """The score against all annotators but each."""
        rows = system.statistics.rows.reshape(len(system), self.number, 3)
        fewer = (np.delete(rows, left_out, axis=1).reshape(-1, 3) for left_out in range(self.number))
        offsets = np.arange(len(system) + 1, dtype=np.int64) * (self.number - 1)
        return np.array([replace(system, statistics=Statistics(some, offsets)).score() for some in fewer])


def simulate_annotators(experiments: int) -> Iterator[Promise]:
    for number in ANNOTATORS_DRAWN:
        rng, drawn = np.random.default_rng([SEED, number]), Annotators(number=number)
        corpora = (drawn.draw(rng, 10 * ANNOTATED) for _ in range(TRUTHS))
        of_first, of_second = np.mean([[system.score() for system in corpus] for corpus in corpora], axis=0)
        truths, covered = (of_second, of_second - of_first), np.zeros(2)
        for _ in range(experiments):
            first, second = drawn.draw(rng, ANNOTATED)
            added = [contributions(system, Resampling()) for system in (first, second)]
            fewer = [drawn.without_each(system) for system in (first, second)]
            intervals = (
                added[1].over_annotators(fewer[1], LEVEL),
                (added[1] - added[0]).over_annotators(fewer[1] - fewer[0], LEVEL),
            )
            covered += [low <= truth <= high for (low, high, _), truth in zip(intervals, truths, strict=True)]
        for name, hits in zip(("F0.5", "difference of F0.5"), covered, strict=True):
            settings = f"{number} annotators of {ANNOTATED} sentences, both samples"
            yield _interval_promise(f"interval of {name}", settings, hits, experiments, note_annotators(number))


# Tests where no difference is true: outputs that are exchanged at random, and systems that are unlike but equal.


TESTED = (50, 200, 1000)


def simulate_tests(experiments: int) -> Iterator[Promise | PValues]:
    first, second = timid_and_bold()
    for size in TESTED:
        for kind in ("exchangeable", "unlike"):
            rng, tests = np.random.default_rng([SEED, size]), QuickTests(size)
            p_values, swaps = np.zeros(experiments), np.zeros(experiments)
            for number in range(experiments):
                drawn = rng.integers(POPULATION, size=size)
                a, b = first[drawn], second[drawn]
                if kind == "exchangeable":
                    swapped = rng.random((size, 1)) < 0.5
                    a, b = np.where(swapped, b, a), np.where(swapped, a, b)
                p_values[number] = p_of_rows(F, a, b, Resampling(flips=1000))
                if kind == "unlike" and size == TESTED[1]:
                    swaps[number] = tests.p_values(F, a, b).randomisation
            yield Promise(
                claim="test of equal F0.5",
                settings=f"{kind} systems, {size} sentences",
                promised=ALPHA,
                measured=float(np.mean(p_values <= ALPHA)),
                experiments=experiments,
                at_least=False,
                warned=float(bool(few_units_notes(Resampling(), size))),
                warnings=tuple(few_units_notes(Resampling(), size)),
            )
            if kind == "unlike" or size == TESTED[0]:  # no more curves than colours
                yield PValues(of="two systems", test=f"{kind}, {size} sentences", values=p_values)
            if swaps.any():
                yield PValues(of="two systems", test=f"{kind}, {size} sentences, swapped outputs", values=swaps)
    yield _simulate_family(experiments)


def _simulate_family(experiments: int) -> Promise:
    """One pair under three metrics: F of three weights. Any corrected p that is too small is a false alarm."""
    first, second = timid_and_bold()
    rng, size, alarms = np.random.default_rng(SEED), 200, 0
    family = ("m2(beta=0.1)", "m2", "m2(beta=2)")
    for _ in range(experiments):
        drawn, swapped = rng.integers(POPULATION, size=size), rng.random((size, 1)) < 0.5
        a, b = first[drawn], second[drawn]
        a, b = np.where(swapped, b, a), np.where(swapped, a, b)
        p_values = [p_of_rows(metric(by), a, b, Resampling(flips=1200)) for by in family]
        alarms += min(correct_p_values(p_values, "holm")) <= ALPHA
    return Promise(
        claim="Holm's correction, any false alarm",
        settings=f"one pair under three metrics, {size} sentences",
        promised=ALPHA,
        measured=alarms / experiments,
        experiments=experiments,
        at_least=False,
    )


# Gates: the new system is worse by just the margin, because it spoils a few outputs. "Not worse" and "worse" are false.
# Where fewer than ten sentences differ, nobody can tell: the verdict is "undecided" in nearly all cases.


# Shares of outputs that become worse, and better.
SPOILT = ((0.01, 0.0), (0.015, 0.0), (0.02, 0.01), (0.05, 0.0), (0.2, 0.15))
GATED, FEW_DIFFER = 200, 10


def simulate_gates(experiments: int) -> Iterator[Promise | PValues]:
    for spoilt, mended in SPOILT:
        for name, wanted, spoil in (("accuracy", RIGHT, _spoil_accuracy), ("F0.5", F, _spoil_edits)):
            rng = np.random.default_rng(SEED)
            old, new = spoil(rng, spoilt, mended)
            margin = float(wanted.score(old.sum(axis=0)) - wanted.score(new.sum(axis=0)))
            false = {"not worse": 0, "worse": 0}
            few = undecided = 0
            for _ in range(experiments):
                drawn = rng.integers(POPULATION, size=GATED)
                pair = evaluate_rows(wanted, old[drawn]), evaluate_rows(wanted, new[drawn])
                said = verdict(interval_of_difference(*pair, LEVEL, Resampling()), margin)
                false["not worse"] += said in ("not worse", "equivalent")
                false["worse"] += said == "worse"
                if (old[drawn] != new[drawn]).any(axis=1).sum() < FEW_DIFFER:
                    few, undecided = few + 1, undecided + (said == "undecided")
            for name_of_verdict, count in false.items():
                yield Promise(
                    claim=f"gate, false {name_of_verdict!r}",
                    settings=f"{name}, {spoilt * 100:g}% of {GATED} outputs worse, {mended:.0%} better",
                    promised=ONE_SIDE,
                    measured=count / experiments,
                    experiments=experiments,
                    at_least=False,
                )
            if few > experiments / 2:
                yield Promise(
                    claim=f"gate, 'undecided' where fewer than {FEW_DIFFER} sentences differ",
                    settings=f"{name}, {spoilt * 100:g}% of {GATED} outputs worse, {mended:.0%} better",
                    promised=LEVEL,
                    measured=undecided / few,
                    experiments=few,
                )


def _spoil_accuracy(rng: np.random.Generator, spoilt: float, mended: float) -> tuple[Array, Array]:
    right = rng.random(POPULATION) < 0.5
    luck = rng.random(POPULATION)
    changed = np.where(right, luck < 2 * spoilt, luck < 2 * mended)
    return tuple(np.stack([side, np.ones(POPULATION)], axis=1) for side in (right * 1.0, (right ^ changed) * 1.0))  # type: ignore[return-value]


def _spoil_edits(rng: np.random.Generator, spoilt: float, mended: float) -> tuple[Array, Array]:
    gold = rng.poisson(1.5, POPULATION)
    correct = rng.binomial(gold, 0.5)
    proposed = correct + rng.poisson(0.4, POPULATION)
    luck = rng.random((2, POPULATION))
    new = np.maximum(correct - (luck[0] < spoilt), 0)
    new = np.minimum(new + (luck[1] < mended), gold)
    rows = (correct, proposed), (new, np.maximum(proposed, new))
    return tuple(np.stack([*side, gold], axis=1).astype(np.float64) for side in rows)  # type: ignore[return-value]


# A hundred looks, each at other sentences, where the new system is worse by just the margin.


LOOKS, LOOKED_AT, PLANS = 100, (50, 200, 1000), (0, 100)


def simulate_looks(experiments: int) -> Iterator[Promise | PValues]:
    first, second = timid_and_bold()
    levels = {planned: [level_at(look, LEVEL, planned=planned) for look in range(1, LOOKS + 1)] for planned in PLANS}
    for size in LOOKED_AT:
        rng, alarms = np.random.default_rng([SEED, size]), dict.fromkeys(PLANS, 0)
        for _ in range(experiments):
            drawn = rng.integers(POPULATION, size=(LOOKS, size))
            looks = [_contributions(first[sentences], second[sentences]) for sentences in drawn]
            for planned in PLANS:
                alarms[planned] += any(map(_alarm, looks, levels[planned]))
        for planned, count in alarms.items():
            yield Promise(
                claim=f"{LOOKS} looks, any false 'worse'",
                settings=f"{size} other sentences each, {f'{planned} planned' if planned else 'no plan'}",
                promised=ONE_SIDE,
                measured=count / experiments,
                experiments=experiments,
                at_least=False,
                warned=float(bool(few_looks_notes(Resampling(), size))),
                warnings=tuple(few_looks_notes(Resampling(), size)),
            )


def _contributions(old: Array, new: Array) -> tuple[Contributions, float]:
    """What sentences add to the difference, and the most that one adds in either system."""
    of_old, of_new = (contributions(evaluate_rows(F, rows), Resampling()) for rows in (old, new))
    return of_new - of_old, max(of_old.largest, of_new.largest)


def _alarm(look: tuple[Contributions, float], level: float) -> bool:
    moved, largest = look
    return moved.interval_of_difference(level, largest=largest)[1] < _difference()
