"""Parts of a corpus too large for its rows to be gathered: their sums, and the sums of Poisson resamples.

    part ──► Σ rows, and Σ wᵢᵦ·rowᵢ for b = 1 … B, with wᵢᵦ ~ Poisson(1) ──► add up over parts ──► score and interval

In a bootstrap resample a sentence counts Binomial(n, 1/n) times, which is nearly Poisson(1) where n is large. Poisson
weights are independent, so no part needs to know the others (Chamandy et al. 2012). The interval is a percentile
interval. A file has the size of B rows, however many sentences there are.

This needs one row for each sentence, whatever the others: all metrics with single references, and those that pool
references or take the best of each sentence. Where statistics are counts, the score is that of the whole, bit for bit;
sums of fractions differ in the last bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from gecval.errors import InputError
from gecval.metrics.base import Array, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.rules import AdditiveRule, Sampled
from gecval.stats import Interval, Resampling
from gecval.stats.resampling import percentile_interval
from gecval.studies.passport.lines import SCHEMA, Entry, json_line, score_object

AT_ONCE = 4_000_000  # weights that are drawn together: 32 MB


def totals_lines(entries: Sequence[Entry], *, shard: tuple[int, int], resampling: Resampling) -> Iterator[str]:
    """A file as a passport has it, in which the whole part is one sentence, with the sums of resamples besides."""
    how = {"resamples": resampling.resamples, "seed": resampling.seed, "sentences": len(entries[0].evaluation)}
    head = {"schema": SCHEMA, "gecval": version("gecval"), "sentences": 1, "shard": list(shard), "totals": how}
    yield json_line({**head, "aggregate": "corpus", "resampling": None})
    for entry in entries:
        rows = rows_alone(entry.evaluation)
        summed = Statistics.one_per_sentence(rows.sum(axis=0, keepdims=True))
        alone = replace(entry, evaluation=Evaluation(entry.evaluation.metric, summed, system=entry.evaluation.system))
        resampled = poisson_totals(rows, resampling, part=shard[0])
        yield json_line({**score_object(alone, None), "resampled": resampled.tolist()})


def rows_alone(evaluation: Evaluation) -> Array:
    """The row of each sentence, where the other sentences have no say in it."""
    metric, statistics, rule = evaluation.metric, evaluation.statistics, evaluation.metric.rule
    if len(statistics.rows) == len(statistics):
        return statistics.rows
    if isinstance(rule, AdditiveRule) and not isinstance(rule, Sampled):
        return next(rule.repetitions(metric, statistics))
    raise InputError(
        f"{metric!r} with several references has no totals of a part: other sentences or places have a say in which "
        "reference counts; keep all rows",
        parameter="totals",
    )


def poisson_totals(rows: Array, resampling: Resampling, *, part: int) -> Array:
    """The sum of the rows under each resample's weights. They depend on the seed and the part alone."""
    rng = np.random.default_rng([resampling.seed, part])
    totals = np.zeros((resampling.resamples, rows.shape[1]))
    step = max(1, AT_ONCE // resampling.resamples)
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        totals += rng.poisson(1.0, size=(resampling.resamples, len(some))).astype(np.float64) @ some
    return totals


def poisson_interval(evaluation: Evaluation, resampled: Array, level: float) -> Interval:
    with np.errstate(all="ignore"):
        return percentile_interval(evaluation.metric.score(resampled), level)
