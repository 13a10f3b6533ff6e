"""Simulations of scores: intervals, paired tests, gates and looks, on sentences whose truth is known.

A sentence has *gold* edits; a system proposes some of them and others that are wrong, so M² without its search. The
*timid* system finds few errors and is hardly ever wrong, the *bold* one finds many and is often wrong. Both have the
same F0.5, and are as unlike as two systems of equal F can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from scipy.stats import poisson

from gecval.metrics import metric
from gecval.stats import Resampling
from gecval.stats.noninferiority import interval_of_difference, level_at, verdict
from gecval.stats.paired import contributions, corrected, flipped, studentised_p
from gecval.stats.resampling import Array, Interval, few_units, resampled_interval
from gecval.studies.reproduce.result import Promise, PValues
from gecval.studies.reproduce.simulations import Difference, QuickTests, evaluate_rows

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
            yield _interval_promise(f"interval of {name}", f"{size} sentences", covered, experiments, size=size)
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
        warned = bool(few_units(Resampling(documents=tuple(range(documents))), documents))
        yield _interval_promise(
            "interval of difference of F0.5", f"{documents} documents", covered, experiments, warned=warned
        )


def _interval_of_documents(first: Array, second: Array, resampling: Resampling) -> Interval:
    assert resampling.documents is not None
    of_documents = [np.add.reduceat(rows, resampling.documents) for rows in (first, second)]
    pair = Difference(*(evaluate_rows(F, rows) for rows in (first, second)))
    resampled = np.zeros(0)
    if resampling.method_for(len(first)) == "bca":  # the studentised interval takes no resamples
        resampled = QuickTests(len(of_documents[0])).resampled(F, of_documents[1])
        resampled = resampled - QuickTests(len(of_documents[0])).resampled(F, of_documents[0])
    return resampled_interval(resampled, pair.score(), pair.scores_without, size=len(first), resampling=resampling)


def _interval_promise(
    claim: str, settings: str, covered: float, experiments: int, *, size: int | None = None, warned: bool | None = None
) -> Promise:
    said = bool(few_units(Resampling(), size)) if size is not None else bool(warned)
    return Promise(
        claim=claim,
        settings=settings,
        promised=LEVEL,
        measured=float(covered) / experiments,
        experiments=experiments,
        warned=float(said),
        size=size,
    )


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
                p_values[number] = _studentised(a, b, Resampling())
                if kind == "unlike" and size == TESTED[1]:
                    swaps[number] = tests.p_values(F, a, b).randomisation
            yield Promise(
                claim="test of equal F0.5",
                settings=f"{kind} systems, {size} sentences",
                promised=ALPHA,
                measured=float(np.mean(p_values <= ALPHA)),
                experiments=experiments,
                at_least=False,
                warned=float(bool(few_units(Resampling(), size))),
            )
            yield PValues(test=f"studentised, {kind} systems, {size} sentences", values=p_values)
            if swaps.any():
                yield PValues(test=f"swapped outputs (--test larger), {kind} systems, {size} sentences", values=swaps)
    yield _simulate_family(experiments)


def _studentised(a: Array, b: Array, resampling: Resampling, by: str = "m2") -> float:
    pair = [contributions(evaluate_rows(metric(by), rows), resampling) for rows in (a, b)]
    of_a, of_b = (flipped(side, resampling, len(a)) for side in pair)
    return studentised_p(of_a, of_b, pair[1].score - pair[0].score)


def _simulate_family(experiments: int) -> Promise:
    """One pair under three metrics: F of three weights. Any corrected p that is too small is a false alarm."""
    first, second = timid_and_bold()
    rng, size, alarms = np.random.default_rng(SEED), 200, 0
    family = ("m2(beta=0.1)", "m2", "m2(beta=2)")
    for _ in range(experiments):
        drawn, swapped = rng.integers(POPULATION, size=size), rng.random((size, 1)) < 0.5
        a, b = first[drawn], second[drawn]
        a, b = np.where(swapped, b, a), np.where(swapped, a, b)
        p_values = [_studentised(a, b, Resampling(flips=1200), by) for by in family]
        alarms += min(corrected(p_values, "holm")) <= ALPHA
    return Promise(
        claim="Holm's correction, any false alarm",
        settings=f"one pair under three metrics, {size} sentences",
        promised=ALPHA,
        measured=alarms / experiments,
        experiments=experiments,
        at_least=False,
    )


# Gates: the new system is worse by just the margin, because it spoils a few outputs. "Not worse" and "worse" are false.


SPOILT = ((0.01, 0.0), (0.02, 0.01), (0.05, 0.0), (0.2, 0.15))  # shares of outputs that become worse, and better
GATED = 200


def simulate_gates(experiments: int) -> Iterator[Promise | PValues]:
    for spoilt, mended in SPOILT:
        for name, wanted, spoil in (("accuracy", RIGHT, _spoil_accuracy), ("F0.5", F, _spoil_edits)):
            rng = np.random.default_rng(SEED)
            old, new = spoil(rng, spoilt, mended)
            margin = float(wanted.score(old.sum(axis=0)) - wanted.score(new.sum(axis=0)))
            false = {"not worse": 0, "worse": 0}
            for _ in range(experiments):
                drawn = rng.integers(POPULATION, size=GATED)
                pair = evaluate_rows(wanted, old[drawn]), evaluate_rows(wanted, new[drawn])
                said = verdict(interval_of_difference(*pair, LEVEL, Resampling()), margin)
                false["not worse"] += said in ("not worse", "equivalent")
                false["worse"] += said == "worse"
            for name_of_verdict, count in false.items():
                yield Promise(
                    claim=f"gate, false {name_of_verdict!r}",
                    settings=f"{name}, {spoilt:.0%} of {GATED} outputs worse, {mended:.0%} better",
                    promised=ONE_SIDE,
                    measured=count / experiments,
                    experiments=experiments,
                    at_least=False,
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


LOOKS, LOOKED_AT = 100, (50, 200)


def simulate_looks(experiments: int) -> Iterator[Promise | PValues]:
    first, second = timid_and_bold()
    for size in LOOKED_AT:
        for planned in (0, LOOKS):
            rng, alarms = np.random.default_rng([SEED, size]), 0
            levels = [level_at(look, LEVEL, planned=planned) for look in range(1, LOOKS + 1)]
            for _ in range(experiments):
                alarms += any(_alarm(rng, first, second, size, level) for level in levels)
            yield Promise(
                claim=f"{LOOKS} looks, any false 'worse'",
                settings=f"{size} other sentences each, {f'{planned} planned' if planned else 'no plan'}",
                promised=ONE_SIDE,
                measured=alarms / experiments,
                experiments=experiments,
                at_least=False,
                warned=float(bool(few_units(Resampling(), size))),
            )


def _alarm(rng: np.random.Generator, first: Array, second: Array, size: int, level: float) -> bool:
    drawn = rng.integers(POPULATION, size=size)
    pair = evaluate_rows(F, first[drawn]), evaluate_rows(F, second[drawn])
    return interval_of_difference(*pair, level, Resampling()).high < _difference()
