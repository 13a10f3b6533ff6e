"""Which system do people like best? Rankings by judgments, with ranges of ranks; and how far judges agree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

import numpy as np

from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.kappa import Kappa, judge_kappa
from gecval.stats.ranking import (
    HeadToHead,
    Opponents,
    Standing,
    Ties,
    Unit,
    count_opponents,
    expected_wins,
    split_half_reliability,
    standings,
    trueskill,
)
from gecval.stats.resampling import Array, MaybeUndefined, times_drawn

__all__ = ["METHODS", "JudgmentCounts", "Method", "Ranker", "Ranking", "count_judgments", "rank"]


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The systems of one set of judgments, from best to worst.

    ``opponents_met`` says of how many others there is a judgment that decides, for each system.
    """

    judgments: str
    method: Method
    systems: tuple[Standing, ...]
    opponents_met: Mapping[str, int] = field(default_factory=dict)
    level: float
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def scores(self) -> dict[str, float]:
        """The score of each system."""
        return {standing.system: standing.score for standing in self.systems}


@dataclass(frozen=True, kw_only=True)
class JudgmentCounts:
    """How much was judged in one set.

    Judges compare outputs: ``output_pairs``, of which ``output_ties`` are ties. An output may be that of several
    systems, so these stand for more ``pairs`` of systems, of which ``ties`` are ties. ``reliability`` says how far
    Expected Wins of one half of the sentences agree with those of the other: 1 is fully, 0 not at all.
    """

    judgments: str
    rankings: int
    sentences: int
    judges: int
    output_pairs: int
    output_ties: int
    pairs: int
    ties: int
    between_judges: Kappa
    within_judges: Kappa
    reliability: MaybeUndefined


def count_judgments(judgments: Judgments) -> JudgmentCounts:
    """Count judgments, and see how far judges agree with each other and with themselves."""
    outputs = HeadToHead.of(judgments.systems, judgments.output_preferences)
    systems = HeadToHead.of(judgments.systems, judgments.preferences)
    between, within = (
        judge_kappa(judgments.output_preferences, judgments.sentences, judgments.judges, same_judge=same)
        for same in (False, True)
    )
    return JudgmentCounts(
        judgments=judgments.name,
        rankings=len(judgments.items),
        sentences=len({item.sentence for item in judgments.items if item.placements}),
        judges=len(set(judgments.judges.tolist())),
        output_pairs=outputs.pairs,
        output_ties=int(outputs.ties.sum()) // 2,
        pairs=systems.pairs,
        ties=int(systems.ties.sum()) // 2,
        between_judges=between,
        within_judges=within,
        reliability=split_half_reliability(judgments.systems, judgments.preferences, judgments.sentences),
    )


def rank(judgments: Judgments, method: Method, ranker: Ranker, *, run: Run = HERE) -> Ranking:
    """Rank the systems of one set of judgments.

    >>> from gecval.formats.judgments import Judgment, Placement
    >>> judgment = Judgment(1, "anna", (Placement(("mine",), 1), Placement(("yours",), 2)))
    >>> rank(Judgments("a set", (judgment,)), "expected-wins", Ranker()).scores
    {'mine': 1.0, 'yours': 0.0}
    """
    head = HeadToHead.of(judgments.systems, judgments.preferences)
    for system, met in zip(head.systems, (head.wins + head.wins.T + head.ties).sum(axis=1), strict=True):
        if not met:
            raise InputError(f"{judgments.name}: {system} was never ranked together with another system")
    opponents = count_opponents(head, ties=ranker.human_ties)
    met_by = dict(zip(head.systems, opponents.tolist(), strict=True))
    wins = method == "expected-wins"
    scores, resampled = _wins(head, judgments, ranker) if wins else _trueskill(head, judgments, ranker, run)
    ranked = [item for item in judgments.items if item.placements]
    counts = {name: len({getattr(item, name) for item in ranked}) for name in ("sentence", "judge")}
    return Ranking(
        judgments=judgments.name,
        method=method,
        systems=tuple(standings(head.systems, scores, resampled, level=ranker.level)),
        opponents_met=met_by,
        level=ranker.level,
        signature=ranker.signature(method),
        notes=(
            *ranker.notes(method, sentences=counts["sentence"], judges=counts["judge"]),
            *(_note_opponents(met_by, ranker) if wins else ()),
        ),
    )


def _note_opponents(met: Mapping[str, int], ranker: Ranker) -> Iterator[str]:
    """Who met few opponents: its score is no mean over all of them."""
    others = len(met) - 1
    some = [system for system, number in met.items() if number < others]
    if not some:
        return
    who = f"{len(some)} of {len(met)} systems" if len(some) > 1 else some[0]
    how = {
        "met": "Expected Wins is the mean over those met",
        "all": "in Expected Wins opponents not met count as defeats",
        "beaten": "Expected Wins is the sum over those met by the number of those beaten",
    }[ranker.opponents]
    yield f"{who} did not meet all {others} opponents, the fewest are {min(met.values())}: {how}"


def _resample(judgments: Judgments, ranker: Ranker, resamples: int, rng: np.random.Generator) -> HeadToHead:
    """Who beats whom if sentences, and judges, are drawn again.

    Judges and sentences are crossed: a judgment counts as often as its sentence was drawn, times as often as its judge
    was (the pigeonhole bootstrap, Owen 2007). A sentence whose judges all skipped it is no sentence to draw.
    """
    ranked = [bool(item.placements) for item in judgments.items]
    weights = times_drawn(judgments.sentences[ranked], resamples, rng)
    if ranker.unit == "judges+sentences":
        weights = weights * times_drawn(judgments.judges[ranked], resamples, rng)
    return HeadToHead.of(judgments.systems, judgments.preferences[ranked], weights)


def _wins(head: HeadToHead, judgments: Judgments, ranker: Ranker) -> tuple[Array, Array]:
    rng = np.random.default_rng(ranker.seed)
    if ranker.unit == "pairs":
        again = head.resample(ranker.resamples, rng)
    else:
        again = _resample(judgments, ranker, ranker.resamples, rng)
    scores, resampled = (
        expected_wins(wins, ties=ranker.human_ties, opponents=ranker.opponents) for wins in (head, again)
    )
    return scores, resampled


def _trueskill(head: HeadToHead, judgments: Judgments, ranker: Ranker, run: Run) -> tuple[Array, Array]:
    announce(run.progress, "ranking by TrueSkill")
    rng = np.random.default_rng(ranker.seed)
    skills = trueskill(head, rng, runs=ranker.runs, run=run)
    if ranker.unit == "pairs":  # a run draws its pairs at random: the runs differ as resamples of pairs do
        return skills.scores, skills.mu
    announce(run.progress, "ranking resamples by TrueSkill")
    again = _resample(judgments, ranker, ranker.skill_resamples, rng)
    return skills.scores, trueskill(head, rng, again=again, run=run).mu


# How to rank systems by judgments: Expected Wins and TrueSkill, and what their ranges of ranks come from.


Method = Literal["expected-wins", "trueskill"]
METHODS: tuple[Method, ...] = ("expected-wins", "trueskill")
PRESETS: Mapping[str, Mapping[str, Any]] = {"tools": {"unit": "pairs", "opponents": "all"}}

FEWEST_SENTENCES = 10  # below, ranges of ranks say nothing
FEWEST_JUDGES = 8  # below, ranges are a little too narrow
MOST_SKILL_RESAMPLES = 200  # of TrueSkill: a resample takes a run


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
        Expected Wins is a mean over the opponents that the system ``met``. As published, the sum is divided by the
        number of ``all`` opponents, or of those ``beaten`` at least once.
    unit
        What the bootstrap draws: judges and sentences, so that ranges say what other judges and other sentences would
        change; or sentences alone. The tools draw pairs, but pairs of one ranking are not independent: these ranges
        are too narrow.
    resamples
        How many bootstrap resamples there are. TrueSkill takes 200 at most, each with one run.
    runs
        How often TrueSkill runs. Its scores are the mean of all runs.
    level
        The confidence level of intervals and of ranges of ranks.
    seed
        The seed of the random numbers.
    """

    methods: tuple[Method, ...] = METHODS
    human_ties: Ties = "ignored"
    opponents: Opponents = "met"
    unit: Unit = "judges+sentences"
    resamples: int = 1000
    runs: int = 50
    level: float = 0.95
    seed: int = 1

    def __post_init__(self) -> None:
        if isinstance(cast(object, self.methods), str):
            object.__setattr__(self, "methods", (self.methods,))
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
        """The settings of a preset, with other settings added.

        ``tools`` ranks as infer_EW and EW.pl do: it draws pairs, and divides by the number of all opponents.

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
        drawn = f"unit:{self.unit}"
        if method == "trueskill":
            resamples = "" if self.unit == "pairs" else f"|resamples:{self.skill_resamples}"
            return f"trueskill|runs:{self.runs}|{drawn}{resamples}|level:{self.level}|seed:{self.seed}"
        settings = f"ties:{self.human_ties}|opponents:{self.opponents}|{drawn}|resamples:{self.resamples}"
        return f"{method}|{settings}|level:{self.level}|seed:{self.seed}"

    @property
    def draws(self) -> dict[str, Any]:
        """How intervals are drawn, as arguments."""
        return {"resamples": self.resamples, "level": self.level, "seed": self.seed}

    @property
    def skill_resamples(self) -> int:
        """How many resamples TrueSkill ranks."""
        return min(self.resamples, MOST_SKILL_RESAMPLES)

    def notes(self, method: Method, *, sentences: int, judges: int) -> Iterator[str]:
        """What to bear in mind when reading the ranges."""
        if sentences < FEWEST_SENTENCES:
            yield f"ranges from {sentences} judged sentences say little: they do not show how much sentences differ"
        number, what = self.resamples, "resamples"
        if method == "trueskill":
            number, what = (self.runs, "runs") if self.unit == "pairs" else (self.skill_resamples, "resamples")
        enough = math.ceil(round(2 / (1 - self.level), 6))  # so that one of them lies in either tail
        if number < enough:
            yield f"{number} {what} are too few for ranges of {100 * self.level:.6g}%: take {enough} or more"
        if self.unit == "pairs":
            yield "these ranges are too narrow: they draw pairs, and pairs of one ranking are not independent"
        elif self.unit == "judges+sentences" and judges == 1:
            yield "all judgments are by one judge: ranges do not show what other judges would say"
        elif self.unit == "judges+sentences" and judges < FEWEST_JUDGES:
            yield f"{judges} judges are few: ranges hardly show what other judges would say, and may be too narrow"
