"""Which system do people like best? Rankings by judgments, with ranges of ranks; and how far judges agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.progress import Progress, announce, silent
from gecval.stats.kappa import Kappa, judge_kappa
from gecval.stats.ranking import HeadToHead, Standing, expected_wins, standings
from gecval.stats.resampling import Array, times_drawn
from gecval.stats.trueskill import trueskill
from gecval.studies.human.ranker import METHODS, Method, Ranker

__all__ = ["METHODS", "JudgmentCounts", "Method", "Ranker", "Ranking", "count", "rank"]


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The systems of one set of judgments, from best to worst."""

    judgments: str
    method: Method
    systems: tuple[Standing, ...]
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
    systems, so these stand for more ``pairs`` of systems, of which ``ties`` are ties.
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


def count(judgments: Judgments) -> JudgmentCounts:
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
    )


def rank(judgments: Judgments, method: Method, ranker: Ranker, *, progress: Progress = silent) -> Ranking:
    """Rank the systems of one set of judgments.

    >>> from gecval.formats.judgments import Judgment, Placement
    >>> judgment = Judgment(1, "anna", (Placement(("mine",), 1), Placement(("yours",), 2)))
    >>> rank(Judgments("a set", (judgment,)), "expected-wins", Ranker()).scores
    {'mine': 1.0, 'yours': 0.0}
    """
    head = HeadToHead.of(judgments.systems, judgments.preferences)
    for system, met in zip(head.systems, (head.wins + head.wins.T + head.ties).sum(axis=1), strict=True):
        if not met:
            raise InputError(f"{judgments.name}: {system} was never ranked beside another system")
    scores, resampled = _trueskill(head, ranker, progress) if method == "trueskill" else _wins(head, judgments, ranker)
    return Ranking(
        judgments=judgments.name,
        method=method,
        systems=tuple(standings(head.systems, scores, resampled, level=ranker.level)),
        level=ranker.level,
        signature=ranker.signature(method),
        notes=tuple(
            ranker.notes(method, sentences=len({item.sentence for item in judgments.items if item.placements}))
        ),
    )


def _wins(head: HeadToHead, judgments: Judgments, ranker: Ranker) -> tuple[Array, Array]:
    rng = np.random.default_rng(ranker.seed)
    if ranker.unit == "pairs":
        again = head.resampled(ranker.resamples, rng)
    else:
        # A sentence whose judges all skipped it is no sentence to draw.
        ranked = [bool(item.placements) for item in judgments.items]
        weights = times_drawn(judgments.sentences[ranked], ranker.resamples, rng)
        again = HeadToHead.of(head.systems, judgments.preferences[ranked], weights)
    scores, resampled = (
        expected_wins(wins, ties=ranker.human_ties, opponents=ranker.opponents) for wins in (head, again)
    )
    return scores, resampled


def _trueskill(head: HeadToHead, ranker: Ranker, progress: Progress) -> tuple[Array, Array]:
    announce(progress, "ranking by TrueSkill")
    skills = trueskill(head, np.random.default_rng(ranker.seed), runs=ranker.runs, progress=progress)
    return skills.scores, skills.mu
