"""How often do a hundred looks raise a false alarm? A simulation on real rows.

The population is the 1,312 sentences of CoNLL-2014 with the outputs of CAMB (old) and AMU (new). The margin is their
true difference, so AMU is not worse by more than the margin, and every verdict "worse" is false: no case is harder. An
experiment is 100 looks, each at sentences that are drawn again, or at a test set that grows from night to night.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.metrics import Metric, metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.contributions import halls_quantile
from gecval.stats.deciding_sentences import influences
from gecval.stats.noninferiority import level_at, steps
from gecval.stats.power import SIGNIFICANT, carriers, simulate_spread
from gecval.stats.resampling import Array, Resampling
from gecval.studies.power.study import LEAST_CARRIERS, SIMULATIONS
from gecval.studies.reproduce.conll14 import load_participants
from gecval.studies.reproduce.result import Figure, PaperTable
from gecval.studies.reproduce.simulations import (
    Outputs,
    estimate_share,
    evaluate_rows,
    p_of_rows,
    score_populations,
)
from gecval.studies.scores.preparation import prepare

METRICS = ("m2", "errant", "gleu")
LOOKS, EXPERIMENTS, LEVEL, SEED = 100, 400, 0.95, 1
FRESH = 500  # sentences of every look
FIRST, MORE = 200, 10  # sentences of a growing test set: at the first look, and added at each further one
ONE_SIDE = (1 - LEVEL) / 2  # the chance of a false alarm that a two-sided interval allows

Times = NDArray[np.int64]  # [look, sentence]: how often a look sees a sentence


def look_tables(run: Run = HERE) -> list[PaperTable]:
    corpus = load_corpus(None, [dataset_file("conll14", "official-2014.0.m2")])
    outputs = [system for system in load_participants(corpus) if system.name in ("AMU", "CAMB")]
    metrics = [metric(name) for name in METRICS]
    corpora = prepare(corpus, outputs, metrics, run=run)
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, seen in zip(metrics, corpora, strict=True):
        announce(run.progress, f"{wanted!r}: {EXPERIMENTS} experiments of {LOOKS} looks")
        new, old = _rows(wanted, seen, outputs)
        for how, draw in (("drawn again", _draw_again), ("growing", _draw_growing)):
            rng = np.random.default_rng(SEED)
            alarms = np.zeros(3)
            for experiment in range(EXPERIMENTS):
                run.progress(experiment, EXPERIMENTS)
                alarms += _alarms(wanted, old, new, draw(rng, len(corpus)))
            rows[f"{wanted!r}, {how}"] = {
                "one look": estimate_share(alarms[0], EXPERIMENTS),
                "uncorrected": estimate_share(alarms[1], EXPERIMENTS),
                "with --looks": estimate_share(alarms[2], EXPERIMENTS),
            }
    return [
        PaperTable(
            title=f"False alarms under {LOOKS} looks, at the margin",
            columns=("one look", "uncorrected", "with --looks"),
            rows=rows,
            row_name="metric, test set",
            notes=(
                f"the share of {EXPERIMENTS} experiments with a false alarm; {ONE_SIDE:.1%} is promised, as the "
                f"{LEVEL:.0%} interval has two sides; one look: the first alone; uncorrected: any of {LOOKS} looks",
                f"drawn again: each look sees {FRESH} other sentences; growing: {FIRST} sentences, {MORE} more a look",
                "one annotator, so that every sentence has one row; the interval is studentised (Hall)",
            ),
        )
    ]


def _rows(wanted: Metric, corpus: Corpus, outputs: Sequence[System]) -> tuple[Array, Array]:
    amu, camb = (
        Evaluation.of(wanted, corpus, next(system for system in outputs if system.name == name), run=HERE)
        for name in ("AMU", "CAMB")
    )
    return amu.statistics.rows, camb.statistics.rows


def _draw_again(rng: np.random.Generator, size: int) -> Times:
    return rng.multinomial(FRESH, np.full(size, 1 / size), size=LOOKS)


def _draw_growing(rng: np.random.Generator, size: int) -> Times:
    stream = rng.integers(size, size=FIRST + MORE * (LOOKS - 1))
    nights = np.split(stream, range(FIRST, len(stream), MORE))
    return np.cumsum([np.bincount(night, minlength=size) for night in nights], axis=0)


def _alarms(wanted: Metric, old: Array, new: Array, times: Times) -> Array:
    """Whether the first look, any look, and any look at its own level says that the new system is worse."""
    margin = -float(wanted.score(new.sum(axis=0)) - wanted.score(old.sum(axis=0)))
    difference, error, skewness = _differences(wanted, old, new, times)
    # Worse: the upper end of the interval lies below −margin.
    distance = (-margin - difference) / error
    size = times.sum(axis=1)

    def reach(levels: Array) -> Array:
        return -halls_quantile(0.5 - levels / 2, skewness, size)

    alone = reach(np.full(LOOKS, LEVEL))
    looks = reach(np.array([level_at(k, LEVEL) for k in range(1, LOOKS + 1)]))
    alarms = [distance[0] > alone[0], (distance > alone).any(), (distance > looks).any()]
    return np.array(alarms, dtype=np.float64)


def _differences(wanted: Metric, old: Array, new: Array, times: Times) -> tuple[Array, Array, Array]:
    """new − old at every look, its standard error from the jackknife over the sentences of the look, and skewness."""
    both = [(rows, times @ rows) for rows in (old, new)]
    difference = wanted.score(both[1][1]) - wanted.score(both[0][1])
    of_old, of_new = (wanted.score(totals[:, None] - rows) for rows, totals in both)
    without, size = of_new - of_old, times.sum(axis=1)
    mean = (times * without).sum(axis=1) / size
    deviations = mean[:, None] - without  # what a sentence adds
    spread = (times * deviations**2).sum(axis=1)
    skewness = (times * deviations**3).sum(axis=1) / size / (spread / size) ** 1.5
    return difference, np.sqrt((size - 1) / size * spread), skewness


# Does `gecval power` predict how often a difference is found? All 78 pairs of the 13 systems of CoNLL-2014.
#
# The true difference of a pair is that over all 1,312 sentences. Test sets of 200 sentences are drawn from them, and
# the test of `compare` is made on each: the share with p < 0.05 is the observed rate. The predicted one comes
# from all sentences, or from a random half of them, as if no more were available.


POWER_SENTENCES, POWER_EXPERIMENTS, POWER_SEED = 200, 400, 1
EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.01)  # of predicted chances: pairs of one range are averaged
COLUMNS = ("pairs", "predicted", "from half", "observed", "error", "error from half", "furthest")


@dataclass(frozen=True, kw_only=True)
class SimulatedPair:
    """Predicted and observed chances of one pair of systems."""

    predicted: float
    from_half: float
    observed: float
    carriers: float  # in a test set


def power_tables(run: Run = HERE) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in score_populations(run=run):
        announce(run.progress, f"{wanted!r}: all pairs, {POWER_EXPERIMENTS} test sets each")
        pairs = list(_pairs(wanted, outputs, run))
        enough = [pair for pair in pairs if pair.carriers >= LEAST_CARRIERS]
        for low, high in pairwise(EDGES):
            group = [pair for pair in enough if low <= pair.predicted < high]
            if group:
                rows[f"{wanted!r}, {low:.0%} to {min(high, 1):.0%}"] = _row(group)
        rows[f"{wanted!r}, all of these"] = _row(enough)
        if few := [pair for pair in pairs if pair.carriers < LEAST_CARRIERS]:
            rows[f"{wanted!r}, few carriers"] = _row(few)
    return [
        PaperTable(
            title=f"The chance to find a difference with {POWER_SENTENCES} sentences: predicted and observed",
            columns=COLUMNS,
            rows=rows,
            row_name="metric, predicted chance",
            notes=(
                f"means over pairs; observed: {POWER_EXPERIMENTS} test sets a pair; error: "
                f"predicted − observed; furthest: "
                "the largest error of a single pair, of which 5 points may be chance",
                f"few carriers: fewer than {LEAST_CARRIERS} sentences of a test set carry the difference; "
                "`gecval power` says so in a note",
                "from half: predicted from a random half of the sentences, for the difference over all of them",
            ),
        )
    ]


def _row(pairs: Sequence[SimulatedPair]) -> dict[str, Figure]:
    predicted, half, observed = (
        np.array([getattr(pair, name) for pair in pairs]) for name in ("predicted", "from_half", "observed")
    )
    values = {
        "pairs": len(pairs),
        "predicted": predicted.mean(),
        "from half": half.mean(),
        "observed": observed.mean(),
        "error": (predicted - observed).mean(),
        "error from half": (half - observed).mean(),
        "furthest": np.abs(predicted - observed).max(),
    }
    return {name: Figure(ours=int(value) if name == "pairs" else float(value)) for name, value in values.items()}


def _pairs(wanted: Metric, outputs: Outputs, run: Run) -> list[SimulatedPair]:
    rng = np.random.default_rng(POWER_SEED)
    pairs = []
    names = list(combinations(sorted(outputs), 2))
    for number, (first, second) in enumerate(names):
        run.progress(number, len(names))
        a, b = (outputs[name].statistics.rows for name in (first, second))
        whole = evaluate_rows(wanted, a), evaluate_rows(wanted, b)
        half = np.sort(rng.permutation(len(a))[: len(a) // 2])
        spread = simulate_spread([whole], [POWER_SENTENCES], simulations=SIMULATIONS, seed=POWER_SEED)
        halves = evaluate_rows(wanted, a[half]), evaluate_rows(wanted, b[half])
        from_half = simulate_spread([halves], [POWER_SENTENCES], simulations=SIMULATIONS, seed=POWER_SEED)
        found = 0
        for _ in range(POWER_EXPERIMENTS):
            drawn = rng.integers(len(a), size=POWER_SENTENCES)
            found += p_of_rows(wanted, a[drawn], b[drawn], Resampling(flips=1000)) < SIGNIFICANT
        pairs.append(
            SimulatedPair(
                predicted=spread.chance(spread.difference, POWER_SENTENCES),
                from_half=from_half.chance(spread.difference, POWER_SENTENCES),
                observed=found / POWER_EXPERIMENTS,
                carriers=carriers(influences(*whole)) * POWER_SENTENCES / len(a),
            )
        )
    return pairs


# How often does `gecval track` mark a change where there is none, and how soon does it find one?
#
# A history has 30 commits on a test set of 500 sentences, drawn from the 1,312 of CoNLL-2014. Every commit gives each
# sentence the output of AMU or of CAMB at random, so that all commits are equally good. In the second kind of history,
# nine of ten outputs are those of IPN from the middle on.


PAIR, OTHER = ("AMU", "CAMB"), "IPN"
COMMITS, TRACK_SENTENCES, TRACK_EXPERIMENTS, TRACK_SEED, TRACK_LEVEL = 30, 500, 200, 1, 0.95
SHARE = 0.9  # of the sentences that change in the second kind of history


def track_tables(run: Run = HERE) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in score_populations(run=run):
        announce(run.progress, f"{wanted!r}: {TRACK_EXPERIMENTS} histories")
        rows[repr(wanted)] = _track_row(wanted, outputs, run)
    return [
        PaperTable(
            title=f"Change points in histories of {COMMITS} commits",
            columns=("false alarm", "true difference", "found", "commits until found"),
            rows=rows,
            notes=(
                f"{TRACK_EXPERIMENTS} histories of each kind, {TRACK_SENTENCES} sentences, one "
                f"annotator; false alarm: the share "
                f"of histories without a change that get one; promised: at most {1 - TRACK_LEVEL:.2f}",
                f"found: the share of histories in which outputs of {OTHER}, from commit {COMMITS // 2 + 1} on, are "
                "marked; true difference: about; commits until found: the mean where it was, 1 is at once",
            ),
        )
    ]


def _track_row(wanted: Metric, outputs: Outputs, run: Run) -> dict[str, Figure]:
    rng = np.random.default_rng(TRACK_SEED)
    first, second, other = (outputs[name].statistics.rows for name in (*PAIR, OTHER))
    names = [str(number) for number in range(COMMITS)]
    alarms, delays = 0, list[int]()
    for experiment in range(TRACK_EXPERIMENTS):
        run.progress(experiment, TRACK_EXPERIMENTS)
        drawn = rng.integers(len(first), size=TRACK_SENTENCES)
        a, b, c = first[drawn], second[drawn], other[drawn]
        mixed = [np.where(rng.random((TRACK_SENTENCES, 1)) < 0.5, a, b) for _ in names]
        commits = [evaluate_rows(wanted, rows) for rows in mixed]
        alarms += any(step.changed for step in steps(commits, names, TRACK_LEVEL))
        worse = [np.where(rng.random((TRACK_SENTENCES, 1)) < SHARE, c, rows) for rows in mixed[COMMITS // 2 :]]
        marked = steps([*commits[: COMMITS // 2], *(evaluate_rows(wanted, rows) for rows in worse)], names, TRACK_LEVEL)
        after = [number - COMMITS // 2 for number, step in enumerate(marked) if step.changed and number >= COMMITS // 2]
        delays += after[:1]
    before = sum(outputs[name].score() for name in PAIR) / 2
    return {
        "false alarm": estimate_share(alarms, TRACK_EXPERIMENTS),
        "true difference": Figure(ours=SHARE * (outputs[OTHER].score() - before)),
        "found": estimate_share(len(delays), TRACK_EXPERIMENTS),
        "commits until found": Figure(ours=float(np.mean(delays)) + 1 if delays else None),
    }
