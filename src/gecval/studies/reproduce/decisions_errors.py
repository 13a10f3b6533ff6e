"""How often do tests call a difference significant that is none? Type-I errors where no difference is true.

The outputs of two systems are handed to A and B at random, sentence by sentence. So A and B are equally good, whatever
the metric. A family is four systems against a baseline, with the outputs of five systems dealt out at random. Tests of
correlations see systems with normal scores, and two metrics that agree with people equally well.
"""

from __future__ import annotations

import numpy as np

from gecval.metrics import Metric
from gecval.progress import Progress, announce, silent
from gecval.stats.correlation import fisher_test, permutation_test, williams_test
from gecval.stats.multiple import corrected
from gecval.stats.resampling import Array
from gecval.studies.reproduce.decisions_population import Outputs, QuickTests, populations, share
from gecval.studies.reproduce.results import Figure, PaperTable

PAIR = ("AMU", "CAMB")
FAMILY = ("AMU", "CAMB", "CUUI", "POST", "RAC")
SENTENCES, EXPERIMENTS, FAMILIES, SEED, ALPHA = 200, 4000, 2000, 1, 0.05
SYSTEMS, SWAPS = (12, 48), 4096
AGREEMENT, ALIKE = 0.7, 0.8  # of both metrics with people, and of the metrics with each other


def tables(progress: Progress = silent) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in populations(progress=progress):
        announce(progress, f"{wanted!r}: {EXPERIMENTS} experiments without a difference")
        rows[repr(wanted)] = {**_single(wanted, outputs, progress), **_families(wanted, outputs, progress)}
    announce(progress, "tests of correlations")
    return [
        PaperTable(
            title="Type-I error of the tests, no difference being true",
            columns=("bootstrap", "randomisation", "compare (both)", "Holm, any of 4", "bh, any of 4"),
            rows=rows,
            notes=(
                f"the share of {EXPERIMENTS:,} experiments ({FAMILIES:,} families) with p < {ALPHA}; promised: {ALPHA}",
                f"{SENTENCES} sentences, one annotator; intervals are Wilson's",
                f"single tests: outputs of {' and '.join(PAIR)}, swapped at random; families: {', '.join(FAMILY)}",
            ),
        ),
        PaperTable(
            title="Type-I error of tests of correlations",
            columns=("Williams", "permutation", "Fisher, as if independent"),
            rows={f"{systems} systems": _correlations(systems, progress) for systems in SYSTEMS},
            row_name="sample",
            notes=(
                f"{EXPERIMENTS:,} experiments, promised: {ALPHA}; both metrics have r = {AGREEMENT} with people and "
                f"{ALIKE} with each other",
            ),
        ),
    ]


def _single(wanted: Metric, outputs: Outputs, progress: Progress) -> dict[str, Figure]:
    rng, tests = np.random.default_rng(SEED), QuickTests(SENTENCES)
    both = np.stack([outputs[name].statistics.rows for name in PAIR])
    alarms = np.zeros(3)
    for experiment in range(EXPERIMENTS):
        progress(experiment, EXPERIMENTS)
        a, b = dealt(both, rng)
        p = tests.p_values(wanted, a, b)
        alarms += [p.bootstrap < ALPHA, p.randomisation < ALPHA, p.both < ALPHA]
    names = ("bootstrap", "randomisation", "compare (both)")
    return {name: share(count, EXPERIMENTS) for name, count in zip(names, alarms.tolist(), strict=True)}


def _families(wanted: Metric, outputs: Outputs, progress: Progress) -> dict[str, Figure]:
    rng, tests = np.random.default_rng(SEED), QuickTests(SENTENCES)
    every = np.stack([outputs[name].statistics.rows for name in FAMILY])
    alarms = np.zeros(2)
    for experiment in range(FAMILIES):
        progress(experiment, FAMILIES)
        baseline, *others = dealt(every, rng)
        p_values = [tests.p_values(wanted, baseline, other).both for other in others]
        alarms += [min(corrected(p_values, "holm")) < ALPHA, min(corrected(p_values, "bh")) < ALPHA]
    names = ("Holm, any of 4", "bh, any of 4")
    return {name: share(count, FAMILIES) for name, count in zip(names, alarms.tolist(), strict=True)}


def dealt(outputs: Array, rng: np.random.Generator) -> list[Array]:
    """A test set in which the outputs of every sentence are handed to the systems at random."""
    drawn = outputs[:, rng.integers(outputs.shape[1], size=SENTENCES)]
    order = np.argsort(rng.random(drawn.shape[:2]), axis=0)
    return list(np.take_along_axis(drawn, order[..., None], axis=0))


def _correlations(systems: int, progress: Progress) -> dict[str, Figure]:
    rng = np.random.default_rng(SEED)
    spread = np.array([[1, AGREEMENT, AGREEMENT], [AGREEMENT, 1, ALIKE], [AGREEMENT, ALIKE, 1]])
    alarms = np.zeros(3)
    for experiment in range(EXPERIMENTS):
        progress(experiment, EXPERIMENTS)
        human, a, b = rng.multivariate_normal(np.zeros(3), spread, size=systems).T
        r, other = (float(np.corrcoef(human, scores)[0, 1]) for scores in (a, b))
        swapped = permutation_test(human, a, b, resamples=SWAPS if systems < 20 else SWAPS // 4)
        alarms += [p < ALPHA for p in (williams_test(human, a, b), swapped, fisher_test(r, other, systems))]
    names = ("Williams", "permutation", "Fisher, as if independent")
    return {name: share(count, EXPERIMENTS) for name, count in zip(names, alarms.tolist(), strict=True)}
