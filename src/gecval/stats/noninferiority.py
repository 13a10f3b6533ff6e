"""Is B worse than A by more than a margin? What an interval of the difference says, at one look or at many.

    interval of B − A, higher is better:   ────[─────]──┼─────┼───────  below −margin: worse
                                           ─────────[───┼──]──┼───────  holds −margin: undecided
                                           ─────────────┼──[──┼──]────  above −margin: not worse (non-inferiority)
                                           ─────────────┼[───]┼───────  between ±margin: equivalent
                                                     −margin  +margin

A two-sided interval of level 1 − α errs on each side with a chance of α/2. *Equivalent* is two one-sided tests (TOST,
Schuirmann 1987), each at α/2. An end that meets the margin up to rounding (1e-12) decides nothing. The interval is the
studentised one (``contributions.py``), which does not shrink to [0, 0] where few sentences differ.

If one looks every night, each look may err. So looks share α, which is a union bound: it holds whether looks share
sentences, add new ones, or see other systems. It assumes only that each single interval holds.

    no plan          look k spends α / (k(k + 1)); Σ 1/(k(k + 1)) = 1, so there is no last look
    K planned looks  each of them spends α / (K + 1), and look K + j then α / (K + 1) / (j(j + 1))

The second is Lan & DeMets' (1983) spending in equal parts, with one part kept for looks beyond the plan. Without a plan
late looks are nearly blind: a loss that one look finds in .95 of cases is found by look 100 in .15; with 100 planned
looks in .55, at every look.

Levels as high as many looks need ask for tails that few sentences do not show. In simulations of two unlike systems of
equal F (4,000 each, 2.5% promised), 100 planned looks together raised a false alarm in 3.5% of cases with 200 and 300
sentences, 3.4% with 500, 3.0% with 1,000; without a plan in 3.2%, 2.7%, 3.1%, 2.9%.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal, NamedTuple

from gecval.errors import InputError
from gecval.stats.contributions import Contributions
from gecval.stats.paired_tests import contributions
from gecval.stats.resampling import TOLERANCE, Interval, Resampled, Resampling

Verdict = Literal["equivalent", "not worse", "worse", "undecided"]


def verdict(interval: Interval, margin: float, *, higher_is_better: bool = True) -> Verdict:
    """What an interval of the difference says.

    >>> verdict(Interval(-0.02, -0.01), 0.005), verdict(Interval(-0.004, 0.1), 0.005)
    ('worse', 'not worse')
    >>> verdict(Interval(0.01, 0.02), 0.005, higher_is_better=False), verdict(Interval(-0.1, 0.1), 0.005)
    ('worse', 'undecided')
    >>> verdict(Interval(-0.004, 0.002), 0.005), verdict(Interval(-0.005000000000000004, 0.1), 0.005)
    ('equivalent', 'undecided')
    """
    low, high = interval if higher_is_better else (-interval.high, -interval.low)
    if high < -margin - TOLERANCE:
        return "worse"
    if low <= -margin + TOLERANCE:
        return "undecided"
    return "equivalent" if high < margin - TOLERANCE else "not worse"


def level_at(look: int, level: float, *, planned: int = 0) -> float:
    """The level of the interval at a look, from 1, such that all looks together keep the level.

    >>> level_at(1, 0.95), round(1 - level_at(100, 0.95), 9)
    (0.975, 4.95e-06)
    >>> [round(1 - level_at(look, 0.95, planned=99), 6) for look in (1, 99, 100, 101)]
    [0.0005, 0.0005, 0.00025, 8.3e-05]
    """
    if look < 1:
        raise InputError(f"looks count from 1, not {look}", parameter="look")
    spent, beyond = (1 - level) / (planned + 1), look - planned
    return 1 - (spent if beyond < 1 else spent / (beyond * (beyond + 1)))


ENOUGH_FOR_LOOKS = 1000  # sentences or documents


def few_looks_notes(resampling: Resampling, size: int) -> list[str]:
    """A note where there are so few sentences or documents that many looks err more often than they promise.

    >>> few_looks_notes(Resampling(), 1000)
    []
    """
    drawn = size if resampling.documents is None else len(resampling.documents)
    if drawn >= ENOUGH_FOR_LOOKS:
        return []
    unit = "sentences" if resampling.documents is None else "documents"
    return [
        f"{drawn} {unit} are few for many looks: below {ENOUGH_FOR_LOOKS:,}, all looks together may err in 3.5% of "
        "cases where 2.5% are promised"
    ]


def interval_of_difference(a: Resampled, b: Resampled, level: float, resampling: Resampling) -> Interval:
    """The studentised interval of b − a. It takes what the jackknife leaves out, and no resample."""
    return interval_of_contributions(contributions(a, resampling), contributions(b, resampling), level, b.scale)


def interval_of_contributions(
    of_a: Contributions, of_b: Contributions, level: float, scale: tuple[float, float]
) -> Interval:
    """The same, where what each sentence adds is known.

    Where all scores are 0, as those of copies of the source may be, a sentence can still add what the ``scale`` has.
    """
    largest = max(of_a.largest, of_b.largest) or scale[1] - scale[0]
    return Interval(*(of_b - of_a).interval_of_difference(level, largest=largest))


# Where did a history of scores change? Each entry against the first one of its stretch, with looks that are counted.
#
# A stretch begins with the first entry, and again at each change. Entry k of a stretch is look k at the question
# whether the system still scores as at the stretch's beginning. Look k has an interval of level 1 − α / (k(k + 1)), as
# nightly looks have. Where 0 lies outside of it, the score has changed. All looks of a stretch together
# raise a false alarm with a chance of at most α, however long it is. A slow drift is found too, as the beginning stays
# what entries are held against. An output that was seen in the stretch before is no new look.


@dataclass(frozen=True, kw_only=True)
class SeriesEntry:
    """An entry held against that at ``since``, from 0. The first entry of all has neither look nor interval."""

    since: int
    look: int = 0
    difference: float = 0.0
    interval: Interval | None = None
    level: float | None = None
    changed: bool = False


def steps(
    scored: Sequence[Resampled],
    outputs: Sequence[str],
    level: float = 0.95,
    *,
    resampling: Resampling | None = None,
) -> list[SeriesEntry]:
    """A step for each entry of a history over the same sentences. ``outputs`` tell which entries are the same output.

    ``resampling`` says which documents the sentences are of.

    >>> from gecval import Corpus, metric
    >>> from gecval.metrics.evaluation import Evaluation
    >>> corpus = Corpus.from_texts(["a"] * 20, [["b"]] * 20)
    >>> outputs = [corpus.system(f"{n}", ["b"] * n + ["a"] * (20 - n)) for n in (5, 6, 18, 18, 17)]
    >>> scored = [Evaluation.of(metric("accuracy"), corpus, output) for output in outputs]
    >>> [(step.since, step.look, step.changed) for step in steps(scored, ["5", "6", "18", "18", "17"])]
    [(0, 0, False), (0, 1, False), (0, 2, True), (2, 0, False), (2, 1, False)]
    """
    made: list[SeriesEntry] = []
    seen: dict[str, SeriesEntry] = {}
    since = 0
    for number, (entry, output) in enumerate(zip(scored, outputs, strict=True)):
        if number == 0 or output in seen:
            step = seen.get(output, SeriesEntry(since=0))
        else:
            look = max(earlier.look for earlier in seen.values()) + 1
            at = level_at(look, level)
            interval = interval_of_difference(scored[since], entry, at, resampling or Resampling())
            difference = entry.score() - scored[since].score()
            changed = not interval.low <= 0 <= interval.high
            step = SeriesEntry(
                since=since, look=look, difference=difference, interval=interval, level=at, changed=changed
            )
        made.append(step)
        if step.changed:
            since, seen = number, {}
        seen[output] = SeriesEntry(since=since) if step.changed else step
    return made


# Margins and differences as people write them: ``0.005``, ``0.5 points``, ``0.5%``, ``half a point``.
#
# Scores from 0 to 1 are often spoken of in points of 100, so that somebody who writes 0.5 may mean 0.005. A gate with a
# margin of half the scale passes for ever. So a number over a fifth of the scale is refused unless it has a unit.

PLAUSIBLE = 0.2  # of a scale from 0 to 1
_MARGIN = re.compile(r"\s*(?P<number>half a|an?|[-+]?[\d.]+(?:e[-+]?\d+)?)\s*(?P<unit>points?|%|percent)?\s*", re.I)
_WORDS = {"half a": "0.5", "a": "1", "an": "1"}


class Margin(NamedTuple):
    """A difference of two scores, and whether its unit was written."""

    value: float
    with_unit: bool = False

    @classmethod
    def parse(cls, text: str | float, *, parameter: str | tuple[str, ...] = ()) -> Margin:
        """What was written; a number from Python means itself.

        >>> Margin.parse("half a point"), Margin.parse("0.02"), Margin.parse("50%")
        (Margin(value=0.005, with_unit=True), Margin(value=0.02, with_unit=False), Margin(value=0.5, with_unit=True))
        """
        if not isinstance(text, str):
            return cls(float(text))
        match = _MARGIN.fullmatch(text)
        try:
            number = float(_WORDS.get(match["number"].lower(), match["number"])) if match else float("nan")
        except ValueError:
            number = float("nan")
        if match is None or not isfinite(number) or (match["number"].lower() in _WORDS and not match["unit"]):
            raise InputError(f"write a difference as 0.005, '0.5 points' or '0.5%', not {text!r}", parameter=parameter)
        return cls(number / 100 if match["unit"] else number, bool(match["unit"]))

    def check(self, metric: object, scores: Iterable[float], *, parameter: str) -> None:
        """Refuse what cannot be meant on the scale of these scores."""
        on_scale = all(abs(score) <= 1 for score in scores)
        if on_scale and not self.with_unit and self.value > PLAUSIBLE:
            points = f"{self.value:g} point{'s' * (self.value != 1)}"
            meant = f", or '{100 * self.value:g}%' if it is meant" if self.value <= 1 else ""
            raise InputError(
                f"{metric!r} goes from 0 to 1, and {self.value:g} is much of it: write '{points}' for "
                f"{self.value / 100:g}{meant}",
                parameter=parameter,
            )
        if self.with_unit and not on_scale:
            raise InputError(
                f"{metric!r} does not go from 0 to 1, so it has no points of 100: write a number", parameter=parameter
            )

    def __str__(self) -> str:
        return f"{100 * self.value:g}%" if self.with_unit and self.value > PLAUSIBLE else f"{self.value:g}"
