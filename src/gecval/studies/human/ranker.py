"""How to rank systems by judgments: Expected Wins and TrueSkill, and what their ranges of ranks come from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from gecval.errors import InputError
from gecval.stats.ranking import Opponents, Ties, Unit

Method = Literal["expected-wins", "trueskill"]
METHODS: tuple[Method, ...] = ("expected-wins", "trueskill")
PRESETS: Mapping[str, Mapping[str, Any]] = {"tools": {"unit": "pairs"}}

FEWEST_SENTENCES = 10  # below, ranges of ranks say nothing


@dataclass(frozen=True, kw_only=True)
class Ranker:
    """How to rank systems by judgments.

    Parameters
    ----------
    methods
        Expected Wins, TrueSkill or both.
    human_ties
        In Expected Wins, ties of people are ignored, or are a win for both systems.
    opponents
        Expected Wins is a mean over all opponents, or over those that the system beat at least once.
    unit
        What the bootstrap of Expected Wins draws. The tools draw pairs, but pairs of one ranking are not independent:
        ranges from sentences are wider, and more honest.
    resamples
        How many bootstrap resamples there are.
    runs
        How often TrueSkill runs. Its scores are the mean of all runs, and its ranges are those of the runs.
    level
        The confidence level of intervals and of ranges of ranks.
    seed
        The seed of the random numbers.
    """

    methods: tuple[Method, ...] = METHODS
    human_ties: Ties = "ignored"
    opponents: Opponents = "all"
    unit: Unit = "sentences"
    resamples: int = 1000
    runs: int = 50
    level: float = 0.95
    seed: int = 1

    def __post_init__(self) -> None:
        if not self.methods:
            raise InputError(f"methods names no ranking; there is {', '.join(METHODS)}", parameter="methods")
        for name, chosen, options in (
            *(("methods", method, METHODS) for method in self.methods),
            ("human_ties", self.human_ties, get_args(Ties)),
            ("opponents", self.opponents, get_args(Opponents)),
            ("unit", self.unit, get_args(Unit)),
        ):
            if chosen not in options:
                raise InputError(f"{name} must be one of {', '.join(options)}, not {chosen!r}", parameter=name)
        for name, number in (("resamples", self.resamples), ("runs", self.runs)):
            if number < 2:
                raise InputError(f"ranges of ranks need two {name} or more, not {number}", parameter=name)
        if not 0 < self.level < 1:
            raise InputError(f"the confidence level must lie between 0 and 1, not {self.level}", parameter="level")

    @classmethod
    def preset(cls, name: str, **settings: Any) -> Ranker:
        """The settings of a preset and others beside them. ``tools`` draws pairs, as infer_EW and EW.pl do.

        Examples
        --------
        >>> Ranker.preset("tools", resamples=100).unit
        'pairs'
        """
        if name not in PRESETS:
            raise InputError(f"there is no preset {name!r}; there is {', '.join(PRESETS)}", parameter="preset")
        for setting in PRESETS[name]:
            if setting in settings:
                raise InputError(f"the preset {name} sets {setting}: leave one out", parameter=("preset", setting))
        return cls(**PRESETS[name], **settings)

    def signature(self, method: Method) -> str:
        """Everything that decides the ranking, besides the judgments."""
        if method == "trueskill":
            return f"trueskill|runs:{self.runs}|level:{self.level}|seed:{self.seed}"
        settings = f"ties:{self.human_ties}|opponents:{self.opponents}|unit:{self.unit}|resamples:{self.resamples}"
        return f"{method}|{settings}|level:{self.level}|seed:{self.seed}"

    def notes(self, method: Method, *, sentences: int) -> Iterator[str]:
        """What to bear in mind when reading the ranges."""
        if sentences < FEWEST_SENTENCES:
            yield f"ranges from {sentences} judged sentences say little: they do not show how much sentences differ"
        number, what = (self.runs, "runs") if method == "trueskill" else (self.resamples, "resamples")
        enough = math.ceil(round(2 / (1 - self.level), 6))  # so that one of them lies in either tail
        if number < enough:
            yield f"{number} {what} are too few for ranges of {100 * self.level:.6g}%: take {enough} or more"
        if method == "expected-wins" and self.unit == "pairs":
            yield "these ranges are too narrow: they draw pairs, and pairs of one ranking are not independent"
