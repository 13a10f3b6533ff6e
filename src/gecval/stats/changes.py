"""Where did a history of scores change? Each entry against the first one of its stretch, with looks that are counted.

A stretch begins with the first entry, and anew at each change. Entry k of a stretch is look k at the question whether
the system still scores as at the stretch's beginning. Look k has an interval of level 1 − α / (k(k + 1)), as nightly
looks have (``noninferiority``). Where 0 lies outside of it, the score has changed. All looks of a stretch together
raise a false alarm with a chance of at most α, however long it is. A slow drift is found too, as the beginning stays
what entries are held against. An output that was seen in the stretch before is no new look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gecval.stats.noninferiority import level_at, normal_interval
from gecval.stats.resampling import Interval, Resampled


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
