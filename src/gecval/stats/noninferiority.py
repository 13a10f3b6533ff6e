"""Is B worse than A by more than a margin? What an interval of the difference says, at one look or at many.

    interval of B − A, higher is better:   ────[─────]──┼─────────────  below −margin: worse
                                           ─────────[───┼──]──────────  holds −margin: undecided
                                           ─────────────┼──[─────]────  above −margin: not worse (non-inferiority)
                                                     −margin

A two-sided interval of level 1 − α errs on each side with a chance of α/2. If one looks every night, each look may err.
So look k spends α / (k(k + 1)) alone. All looks together spend at most α, however many there are, because
Σ 1/(k(k + 1)) = 1. This is a union bound: it holds whether looks share sentences, add new ones, or see other systems.
It assumes only that each single interval holds. Bootstrap resamples cannot show tails as thin as late looks need, so
their interval is normal, d ± z·s, with s from the jackknife:

    s² = (g − 1)/g · Σ (dᵢ − d̄)²,   dᵢ the difference without block i of g
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from gecval.errors import InputError
from gecval.stats.resampling import Array, Interval, Resampled, jackknife_blocks

Verdict = Literal["not worse", "worse", "undecided"]


def verdict(interval: Interval, margin: float, *, higher_is_better: bool = True) -> Verdict:
    """What an interval of the difference says.

    >>> verdict(Interval(-0.02, -0.01), 0.005), verdict(Interval(-0.004, 0.1), 0.005)
    ('worse', 'not worse')
    >>> verdict(Interval(0.01, 0.02), 0.005, higher_is_better=False), verdict(Interval(-0.1, 0.1), 0.005)
    ('worse', 'undecided')
    """
    low, high = interval if higher_is_better else (-interval.high, -interval.low)
    if high < -margin:
        return "worse"
    return "not worse" if low >= -margin else "undecided"  # equal outputs are not worse, whatever the margin


def level_at(look: int, level: float) -> float:
    """The level of the interval at a look, from 1, such that all looks together keep the level.

    >>> level_at(1, 0.95), round(1 - level_at(100, 0.95), 9)
    (0.975, 4.95e-06)
    """
    if look < 1:
        raise InputError(f"looks count from 1, not {look}", parameter="look")
    return 1 - (1 - level) / (look * (look + 1))


def jackknife_error(without: Array) -> Array:
    """s from the differences without each block, the last axis."""
    blocks = without.shape[-1]
    spread = ((without - without.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return np.asarray(np.sqrt((blocks - 1) / blocks * spread))


def normal_interval(a: Resampled, b: Resampled, level: float, *, most_blocks: int = 2000) -> Interval:
    """The interval of the difference b − a, d ± z·s."""
    blocks = jackknife_blocks(len(a), most_blocks)
    error = float(jackknife_error(b.scores_without(blocks) - a.scores_without(blocks)))
    difference, z = b.score() - a.score(), NormalDist().inv_cdf((1 + level) / 2)
    return Interval(difference - z * error, difference + z * error)


# Where did a history of scores change? Each entry against the first one of its stretch, with looks that are counted.
#
# A stretch begins with the first entry, and again at each change. Entry k of a stretch is look k at the question
# whether the system still scores as at the stretch's beginning. Look k has an interval of level 1 − α / (k(k + 1)), as
# nightly looks have. Where 0 lies outside of it, the score has changed. All looks of a stretch together
# raise a false alarm with a chance of at most α, however long it is. A slow drift is found too, as the beginning stays
# what entries are held against. An output that was seen in the stretch before is no new look.


@dataclass(frozen=True, kw_only=True)
class Step:
    """An entry held against that at ``since``, from 0. The first entry of all has neither look nor interval."""

    since: int
    look: int = 0
    difference: float = 0.0
    interval: Interval | None = None
    level: float | None = None
    changed: bool = False


def steps(scored: Sequence[Resampled], outputs: Sequence[str], level: float = 0.95) -> list[Step]:
    """A step for each entry of a history over the same sentences. ``outputs`` tell which entries are the same output.

    >>> from gecval import Corpus, metric
    >>> from gecval.metrics.evaluation import Evaluation
    >>> corpus = Corpus.from_texts(["a"] * 20, [["b"]] * 20)
    >>> outputs = [corpus.system(f"{n}", ["b"] * n + ["a"] * (20 - n)) for n in (5, 6, 18, 18, 17)]
    >>> scored = [Evaluation.of(metric("accuracy"), corpus, output) for output in outputs]
    >>> [(step.since, step.look, step.changed) for step in steps(scored, ["5", "6", "18", "18", "17"])]
    [(0, 0, False), (0, 1, False), (0, 2, True), (2, 0, False), (2, 1, False)]
    """
    made: list[Step] = []
    seen: dict[str, Step] = {}
    since = 0
    for number, (entry, output) in enumerate(zip(scored, outputs, strict=True)):
        if number == 0 or output in seen:
            step = seen.get(output, Step(since=0))
        else:
            look = max(earlier.look for earlier in seen.values()) + 1
            at = level_at(look, level)
            interval = normal_interval(scored[since], entry, at)
            difference = entry.score() - scored[since].score()
            changed = not interval.low <= 0 <= interval.high
            step = Step(since=since, look=look, difference=difference, interval=interval, level=at, changed=changed)
        made.append(step)
        if step.changed:
            since, seen = number, {}
        seen[output] = Step(since=since) if step.changed else step
    return made
