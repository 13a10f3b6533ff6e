"""Scores and paired tests of systems under one metric, each system's resamples drawn once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from gecval.errors import InputError
from gecval.metrics.evaluation import Evaluation
from gecval.results.signature import Signature
from gecval.stats import Interval, Resampling, paired_test
from gecval.stats.contributions import Contributions
from gecval.stats.paired import FAMILIES, Correction, Family, Test, contributions, corrected, flipped, studentised_p
from gecval.stats.ranking import Standing, standings
from gecval.stats.resampling import Array, resampled_interval, resampled_scores
from gecval.studies.compare.result import SIGNIFICANT, Comparison
from gecval.studies.scores.result import Score


@dataclass(frozen=True)
class ScoredSystem:
    """A system under a metric, with its score over every resample where there are resamples."""

    evaluation: Evaluation
    resampling: Resampling | None

    @property
    def name(self) -> str:
        return self.evaluation.system

    @cached_property
    def score(self) -> float:
        return self.evaluation.score()

    @cached_property
    def resampled(self) -> Array:
        assert self.resampling is not None
        return resampled_scores(self.evaluation, self.resampling)

    @cached_property
    def jackknife(self) -> Array:
        """Its score without each block of sentences that the jackknife leaves out: every pair needs it."""
        assert self.resampling is not None
        return self.evaluation.scores_without(self.resampling.left_out(len(self.evaluation)))

    @cached_property
    def contributions(self) -> Contributions:
        """What each sentence or document adds to its score."""
        assert self.resampling is not None
        return contributions(self.evaluation, self.resampling, without=self.jackknife)

    @cached_property
    def flipped(self) -> Array:
        """The contributions, added up under every trial's signs of the studentised test."""
        assert self.resampling is not None
        return flipped(self.contributions, self.resampling, len(self.evaluation))

    def interval(self) -> Interval | None:
        """The confidence interval of its score, where there are resamples."""
        if self.resampling is None:
            return None
        return resampled_interval(
            self.resampled,
            self.score,
            lambda blocks: self.jackknife,
            size=len(self.evaluation),
            resampling=self.resampling,
        )


def build_score(
    scored: ScoredSystem,
    signature: Signature,
    *,
    notes: tuple[str, ...] = (),
    sentences: bool = False,
    standing: Standing | None = None,
) -> Score:
    """The score of one system under one metric, with its interval where there are resamples."""
    evaluation, resampling = scored.evaluation, scored.resampling
    return Score(
        system=evaluation.system,
        metric=repr(evaluation.metric),
        score=scored.score,
        parts=evaluation.parts(),
        interval=scored.interval(),
        level=resampling.level if resampling else None,
        signature=str(signature),
        notes=evaluation.statistics.notes + notes,
        higher_is_better=evaluation.metric.higher_is_better,
        sentences=evaluation.sentence_scores() if sentences else None,
        ranks=standing.ranks if standing else None,
        cluster=standing.cluster if standing else None,
    )


def compare_pair(
    baseline: ScoredSystem,
    system: ScoredSystem,
    *,
    signature: Signature,
    type: str | None = None,
    test: Test = "studentised",
) -> Comparison:
    """The tests of one pair; ``p`` is that of the ``test`` that counts, and not yet corrected."""
    first, second, resampling = baseline.evaluation, system.evaluation, system.resampling
    assert resampling is not None
    tested = paired_test(
        first,
        second,
        first.concatenate(second),
        resampling,
        resampled=(baseline.resampled, system.resampled),
        differences_without=lambda blocks: system.jackknife - baseline.jackknife,
    )
    p_studentised = studentised_p(baseline.flipped, system.flipped, tested.difference)
    return Comparison(
        metric=repr(first.metric),
        baseline=baseline.name,
        baseline_score=baseline.score,
        system=system.name,
        score=system.score,
        difference=tested.difference,
        interval=tested.interval,
        level=resampling.level,
        p_studentised=p_studentised,
        p_bootstrap=tested.bootstrap_p,
        p_randomisation=tested.randomisation_p,
        p=p_studentised if test == "studentised" else max(tested.bootstrap_p, tested.randomisation_p),
        test=test,
        type=type,
        signature=str(signature.with_test(test, resampling)),
        notes=first.statistics.notes + second.statistics.notes,
        higher_is_better=first.metric.higher_is_better,
    )


def correct_comparisons(
    comparisons: Sequence[Comparison], correction: Correction, family: Family = "all"
) -> tuple[Comparison, ...]:
    """The comparisons with corrected ``p``. A family is all of them, or those under one metric."""
    if family not in FAMILIES:
        raise InputError(f"the family is {' or '.join(FAMILIES)}, not {family!r}", parameter="family")
    families = [list(comparisons)]
    if family == "metric":
        families = [list(tests) for _, tests in groupby(comparisons, lambda comparison: comparison.metric)]
    return tuple(
        replace(comparison, p=p, correction=correction, family=family)
        for family_of_tests in families
        for comparison, p in zip(
            family_of_tests, corrected([member.p for member in family_of_tests], correction), strict=True
        )
    )


def enough_resamples(systems: int) -> int:
    """Resamples with which Holm's corrected p of all pairs can fall below 0.05, from 1000 to 5000, as they take time.

    >>> enough_resamples(4), enough_resamples(13), enough_resamples(50)
    (1000, 2000, 5000)
    """
    pairs = systems * (systems - 1) // 2
    return min(5000, max(1, math.ceil(1.2 * pairs / SIGNIFICANT / 1000)) * 1000)


def correction_notes(
    comparisons: Sequence[Comparison], correction: Correction, resampling: Resampling, family: Family = "all"
) -> list[str]:
    """A note where there are so many tests that the smallest p that resampling can give is not small enough."""
    counts = Counter(comparison.metric if family == "metric" else "" for comparison in comparisons)
    studentised = all(comparison.test == "studentised" for comparison in comparisons)
    trials = (resampling.flips if studentised else None) or resampling.resamples
    most, least = max(counts.values(), default=0), 1 / (trials + 1)
    if correction != "holm" or most * least < SIGNIFICANT:  # with bh, many small p help each other
        return []
    enough = 10 ** math.ceil(math.log10(most / SIGNIFICANT))
    return [
        f"with {most} comparisons and {trials} resamples no corrected p can be below {SIGNIFICANT}; "
        f"take {enough} resamples"
    ]


# Which systems are not significantly different? Ranges of ranks over resamples, and clusters that share ranks.


def rank_systems(scored_systems: Sequence[ScoredSystem]) -> list[Standing]:
    """The systems from best to worst under one metric. Their scores count as if higher were better."""
    if len(scored_systems) < 2:
        raise InputError("a ranking needs two systems or more", parameter="systems")
    if len(scored_systems[0].evaluation) < 2:
        raise InputError("a ranking needs two sentences or more: one does not show what chance can do")
    resampling = scored_systems[0].resampling
    assert resampling is not None
    return rank_by_resamples(
        [scored.name for scored in scored_systems],
        [scored.score for scored in scored_systems],
        [scored.resampled for scored in scored_systems],
        direction=scored_systems[0].evaluation.metric.direction,
        level=resampling.level,
    )


def rank_by_resamples(
    systems: Sequence[str], scores: Sequence[float], resampled: Sequence[Array], *, direction: int, level: float
) -> list[Standing]:
    """The same from the scores over all resamples, for whoever has kept them."""
    return standings(systems, direction * np.array(scores), direction * np.stack(resampled, axis=1), level=level)
