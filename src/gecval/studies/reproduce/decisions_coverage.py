"""Do intervals hold what they promise? How often a 95% BCa interval of 200 sentences has the score of all 1,312.

A difference has an interval too. A miss on either side is a false verdict of `--fail-if-worse` at the margin: each side
may err in 2.5% of cases.
"""

from __future__ import annotations

import numpy as np

from gecval.metrics import Metric
from gecval.progress import Progress, announce, silent
from gecval.stats import bootstrap_interval
from gecval.stats.resampling import Array, Interval
from gecval.studies.reproduce.decisions_population import (
    Difference,
    Outputs,
    QuickTests,
    both_annotators,
    populations,
    share,
)
from gecval.studies.reproduce.results import Figure, PaperTable

OLD, NEW = "CAMB", "AMU"
SENTENCES, EXPERIMENTS, FEWER, SEED, LEVEL = 200, 4000, 1000, 1, 0.95
COLUMNS = ("of a score", "of a difference", "false worse", "false not worse")


def tables(progress: Progress = silent) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in populations(progress=progress):
        announce(progress, f"{wanted!r}: {EXPERIMENTS} intervals")
        rows[f"{wanted!r}, one annotator"] = _quick(wanted, outputs, progress)
    for wanted, outputs in populations(both_annotators(), progress=progress):
        if wanted.name != "gleu":  # its 500 draws of references take too long for a simulation
            announce(progress, f"{wanted!r}: {FEWER} intervals")
            rows[f"{wanted!r}, two annotators"] = _real(outputs, progress)
    return [
        PaperTable(
            title=f"Coverage of {LEVEL:.0%} BCa intervals of {SENTENCES} sentences",
            columns=COLUMNS,
            rows=rows,
            row_name="metric, references",
            notes=(
                f"of a score: that of {OLD}; of a difference: {NEW} − {OLD}; promised: {LEVEL}",
                f"false worse, false not worse: verdicts of --fail-if-worse where the margin is the true difference; "
                f"promised: {(1 - LEVEL) / 2:g} each",
                f"{EXPERIMENTS:,} experiments; with two annotators {FEWER:,}",
            ),
        )
    ]


def _quick(wanted: Metric, outputs: Outputs, progress: Progress) -> dict[str, Figure]:
    """One row a sentence: every resample is a weighted sum."""
    rng, tests = np.random.default_rng(SEED), QuickTests(SENTENCES)
    old, new = (outputs[name].statistics.rows for name in (OLD, NEW))
    true, gap = outputs[OLD].score(), outputs[NEW].score() - outputs[OLD].score()
    hits = np.zeros(4)
    for experiment in range(EXPERIMENTS):
        progress(experiment, EXPERIMENTS)
        drawn = rng.integers(len(old), size=SENTENCES)
        of_score = tests.interval(wanted, old[drawn])
        hits += _hits(of_score, tests.interval_of_difference(wanted, old[drawn], new[drawn]), true, gap)
    return _shares(hits, EXPERIMENTS)


def _real(outputs: Outputs, progress: Progress) -> dict[str, Figure]:
    """The rule chooses an annotator anew in every resample, as `compare` does."""
    rng, resampling = np.random.default_rng(SEED), QuickTests(SENTENCES).resampling
    true, gap = outputs[OLD].score(), outputs[NEW].score() - outputs[OLD].score()
    hits = np.zeros(4)
    for experiment in range(FEWER):
        progress(experiment, FEWER)
        drawn = rng.integers(len(outputs[OLD]), size=SENTENCES)
        old, new = outputs[OLD].over(drawn), outputs[NEW].over(drawn)
        of_difference = bootstrap_interval(Difference(old, new), resampling)
        hits += _hits(bootstrap_interval(old, resampling), of_difference, true, gap)
    return _shares(hits, FEWER)


def _hits(of_score: Interval, of_difference: Interval, true: float, gap: float) -> Array:
    """Whether each interval has the true value, and whether the verdict at the margin would be false."""
    covers = of_difference.low <= gap <= of_difference.high
    has, worse = of_score.low <= true <= of_score.high, of_difference.high < gap
    return np.array([has, covers, worse, of_difference.low > gap], dtype=np.float64)


def _shares(hits: Array, of: int) -> dict[str, Figure]:
    return {name: share(count, of) for name, count in zip(COLUMNS, hits.tolist(), strict=True)}
