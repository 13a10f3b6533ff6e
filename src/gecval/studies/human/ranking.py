"""Which system do people like best? Rankings from their judgments, with ranges of ranks, and how far judges agree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.progress import Progress, announce, silent
from gecval.stats.kappa import Kappa, judge_kappa
from gecval.stats.ranking import HeadToHead, Opponents, Standing, Ties, Unit, expected_wins, standings
from gecval.stats.resampling import Array, times_drawn
from gecval.stats.trueskill import trueskill

Method = Literal["expected-wins", "trueskill"]
METHODS: tuple[Method, ...] = ("expected-wins", "trueskill")


@dataclass(frozen=True)
class Ranker:
    """How to rank.

    ``ties`` and ``opponents`` are the two tools' variants of Expected Wins, ``unit`` is what its bootstrap draws. Pairs
    are what the tools draw, but the pairs of one ranking hang together, so that ranges from sentences are wider.
    TrueSkill is the mean of ``runs`` runs, which differ by chance; its ranges are those of the runs.
    """

    methods: tuple[Method, ...] = METHODS
    ties: Ties = "ignored"
    opponents: Opponents = "all"
    unit: Unit = "pairs"
    resamples: int = 1000
    runs: int = 50
    level: float = 0.95
    seed: int = 1

    def __post_init__(self) -> None:
        if self.resamples < 2 or self.runs < 2:
            raise InputError(
                f"ranges of ranks need 2 resamples and 2 runs or more, not {self.resamples} and {self.runs}"
            )
        if not 0 < self.level < 1:
            raise InputError(f"the confidence level must lie between 0 and 1, not {self.level}")

    def signature(self, method: Method) -> str:
        if method == "trueskill":
            return f"trueskill|runs:{self.runs}|level:{self.level}|seed:{self.seed}"
        settings = f"ties:{self.ties}|opponents:{self.opponents}|unit:{self.unit}|resamples:{self.resamples}"
        return f"{method}|{settings}|level:{self.level}|seed:{self.seed}"

    def notes(self, method: Method) -> Iterator[str]:
        """What to bear in mind when reading the ranges."""
        number, what = (self.runs, "runs") if method == "trueskill" else (self.resamples, "resamples")
        enough = math.ceil(round(2 / (1 - self.level), 6))  # so that one of them lies in either tail
        if number < enough:
            yield f"{number} {what} are too few for ranges of {100 * self.level:.6g}%: take {enough} or more"
        if method == "expected-wins" and self.unit == "pairs":
            yield "pairs of one ranking hang together: --unit sentences gives wider, more honest ranges"


@dataclass(frozen=True)
class Ranking:
    """Systems from best to worst by the judgments of one set."""

    judgments: str
    method: Method
    standings: tuple[Standing, ...]
    ranker: Ranker

    @property
    def level(self) -> float:
        return self.ranker.level

    @property
    def signature(self) -> str:
        return self.ranker.signature(self.method)

    @property
    def scores(self) -> dict[str, float]:
        return {one.system: one.score for one in self.standings}


@dataclass(frozen=True)
class JudgmentCounts:
    """How much was judged: rankings, pairs of outputs, pairs of systems that these stand for, the ties in each."""

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


def count(judgments: Judgments) -> JudgmentCounts:
    """Count judgments, and see how far judges agree with each other and with themselves."""
    seen = HeadToHead.of(judgments.systems, judgments.output_preferences)
    expanded = HeadToHead.of(judgments.systems, judgments.preferences)
    kappas = [
        judge_kappa(judgments.output_preferences, judgments.sentences, judgments.judges, same_judge=same)
        for same in (False, True)
    ]
    return JudgmentCounts(
        judgments.name,
        len(judgments.items),
        len({item.sentence for item in judgments.items if item.placements}),
        len(set(judgments.judges.tolist())),
        seen.pairs,
        round(float(seen.ties.sum() / 2)),
        expanded.pairs,
        round(float(expanded.ties.sum() / 2)),
        *kappas,
    )


def rank(judgments: Judgments, method: Method, ranker: Ranker, *, progress: Progress = silent) -> Ranking:
    """Rank the systems of one set of judgments.

    >>> from gecval.formats.judgments import Judgment, Placement
    >>> item = Judgment(1, "anna", (Placement(("mine",), 1), Placement(("yours",), 2)))
    >>> ranking = rank(Judgments("mine", (item,)), "expected-wins", Ranker())
    >>> ranking.scores
    {'mine': 1.0, 'yours': 0.0}
    """
    head = HeadToHead.of(judgments.systems, judgments.preferences)
    for system, met in zip(head.systems, (head.wins + head.wins.T + head.ties).sum(axis=1), strict=True):
        if not met:
            raise InputError(f"{judgments.name}: {system} was never ranked beside another system")
    scores, resampled = _trueskill(head, ranker, progress) if method == "trueskill" else _wins(head, judgments, ranker)
    listed = standings(head.systems, scores, resampled, level=ranker.level)
    return Ranking(judgments.name, method, tuple(listed), ranker)


def _wins(head: HeadToHead, judgments: Judgments, ranker: Ranker) -> tuple[Array, Array]:
    rng = np.random.default_rng(ranker.seed)
    if ranker.unit == "pairs":
        again = head.resampled(ranker.resamples, rng)
    else:
        weights = times_drawn(judgments.sentences, ranker.resamples, rng)
        again = HeadToHead.of(head.systems, judgments.preferences, weights)
    scores, resampled = (expected_wins(one, ties=ranker.ties, opponents=ranker.opponents) for one in (head, again))
    return scores, resampled


def _trueskill(head: HeadToHead, ranker: Ranker, progress: Progress) -> tuple[Array, Array]:
    announce(progress, "ranking by TrueSkill")
    skills = trueskill(head, np.random.default_rng(ranker.seed), runs=ranker.runs, progress=progress)
    return skills.scores, skills.mu
