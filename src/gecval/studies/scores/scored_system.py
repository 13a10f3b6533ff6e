"""Scores and paired tests of systems under one metric, each system's resamples drawn once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation, Subset, evaluations_against
from gecval.results.signature import Signature
from gecval.runtime.run import SERIAL, Run
from gecval.stats import Interval, PairedTest, Resampling, paired_test
from gecval.stats.contributions import Contributions
from gecval.stats.paired_tests import (
    FAMILIES,
    Correction,
    Family,
    Test,
    contributions,
    correct_p_values,
    flip_signs,
    studentised_p,
)
from gecval.stats.ranking import Contest, Standing, standings
from gecval.stats.resampling import ANNOTATORS, Array, check_annotators, resampled_interval, resampled_scores
from gecval.studies.compare.result import SIGNIFICANT, Comparison
from gecval.studies.scores.contests import evaluate_systems
from gecval.studies.scores.result import Score

ENOUGH_ANNOTATORS = 5  # from which on no note says that they are few


@dataclass(frozen=True)
class ScoredSystem:
    """A system under a metric, with its score over every resample where there are resamples.

    ``fewer`` are its scores against all annotators but each, where annotators are a sample too.
    """

    evaluation: Evaluation
    resampling: Resampling | None
    fewer: Array | None = field(default=None, kw_only=True)

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
        return self.evaluation.scores_without(self.resampling.leave_out(len(self.evaluation)))

    @cached_property
    def contributions(self) -> Contributions:
        """What each sentence or document adds to its score."""
        assert self.resampling is not None
        return contributions(self.evaluation, self.resampling, without=self.jackknife)

    @cached_property
    def flipped(self) -> Array:
        """The contributions, added up under every trial's signs of the studentised test."""
        assert self.resampling is not None
        return flip_signs(self.contributions, self.resampling, len(self.evaluation))

    def interval(self) -> Interval | None:
        """The confidence interval of its score, where there are resamples."""
        if self.resampling is None:
            return None
        if self.fewer is not None:
            crossed = self.contributions.over_annotators(self.fewer, self.resampling.level)
            return Interval(*crossed[:2]).clip(self.evaluation.scale, self.score)
        return resampled_interval(
            self.resampled,
            self.score,
            lambda blocks: self.jackknife,
            size=len(self.evaluation),
            resampling=self.resampling,
            scale=self.evaluation.scale,
        )


def score_systems(
    metric: Metric,
    corpus: Corpus,
    systems: Sequence[System],
    aggregate: Aggregate | Contest,
    resampling: Resampling | None,
    *,
    run: Run = SERIAL,
) -> list[ScoredSystem]:
    """Every system under a metric; where annotators are a sample too, also against all of them but each."""
    evaluations = evaluate_systems(metric, corpus, systems, aggregate, run=run)
    if resampling is None or resampling.method != ANNOTATORS:
        return [ScoredSystem(evaluation, resampling) for evaluation in evaluations]
    if aggregate != "corpus" and aggregate != "mean":
        raise InputError(f"with {aggregate}, annotators are no sample: leave them out", parameter=("unit", "aggregate"))
    subsets = _leave_out_annotators(metric, corpus)

    def against_fewer(system: System) -> Array:
        against = evaluations_against(metric, corpus, system, subsets, aggregate=aggregate, run=run)
        return np.array([evaluation.score() for evaluation in against])

    return [
        ScoredSystem(evaluation, resampling, fewer=against_fewer(system))
        for evaluation, system in zip(evaluations, systems, strict=True)
    ]


def _leave_out_annotators(metric: Metric, corpus: Corpus) -> list[Subset]:
    """All annotators but each, for every sentence."""
    counts = np.diff(corpus.reference_slots)
    if metric.needs is None or counts.max() == 0:
        raise InputError(f"{metric!r} asks no references, so annotators are no sample", parameter="unit")
    if counts.min() < 2 or counts.min() < counts.max():
        raise InputError(
            "annotators are a sample where each of two or more corrected every sentence; here a sentence has "
            f"{corpus.reference_count} of them",
            parameter="unit",
        )
    return [[np.delete(np.arange(counts[0]), left_out)] * len(corpus) for left_out in range(counts[0])]


def few_annotators_notes(resampling: Resampling | None, corpus: Corpus) -> list[str]:
    """A note where there are so few annotators that they hardly show how far they differ."""
    if resampling is None or resampling.method != ANNOTATORS:
        return []
    return note_annotators(int(np.diff(corpus.reference_slots).max()))


def note_annotators(number: int) -> list[str]:
    """A note for so many annotators of each sentence, if they are few.

    >>> note_annotators(5)
    []
    """
    if number >= ENOUGH_ANNOTATORS:
        return []
    return [f"{number} annotators are few: how far they differ is rough below {ENOUGH_ANNOTATORS}"]


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
    swaps: bool = True,
) -> Comparison:
    """The tests of one pair; ``p`` is that of the ``test`` that counts, and not yet corrected.

    ``swaps=False`` leaves out approximate randomisation, which takes most of the time.
    """
    first, second, resampling = baseline.evaluation, system.evaluation, system.resampling
    assert resampling is not None
    if system.fewer is not None and baseline.fewer is not None:
        if test == "larger":
            check_annotators(resampling, "the larger of two tests")
        added, fewer = system.contributions - baseline.contributions, system.fewer - baseline.fewer
        low, high, p_studentised = added.over_annotators(fewer, resampling.level)
        tested = PairedTest(
            difference=added.score, interval=Interval(low, high), bootstrap_p=math.nan, randomisation_p=math.nan
        )
    else:
        tested = paired_test(
            first,
            second,
            first.concatenate(second),
            resampling,
            resampled=(baseline.resampled, system.resampled),
            differences_without=lambda blocks: system.jackknife - baseline.jackknife,
            swaps=swaps,
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
            family_of_tests, correct_p_values([member.p for member in family_of_tests], correction), strict=True
        )
    )


def ensure_resamples(systems: int) -> int:
    """Resamples with which Holm's corrected p of all pairs can fall below 0.05, from 1000 to 5000, as they take time.

    >>> ensure_resamples(4), ensure_resamples(13), ensure_resamples(50)
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
    trials, of = (resampling.flips, "random signs") if studentised else (resampling.resamples, "resamples")
    most, least = max(counts.values(), default=0), 1 / (trials + 1)
    if correction != "holm" or most * least < SIGNIFICANT:  # with bh, many small p help each other
        return []
    enough = 10 ** math.ceil(math.log10(most / SIGNIFICANT))
    return [f"with {most} comparisons and {trials} {of} no corrected p can be below {SIGNIFICANT}; take {enough} {of}"]


# Which systems are not significantly different? Ranges of ranks over resamples, and clusters that share ranks.


def rank_systems(scored_systems: Sequence[ScoredSystem]) -> list[Standing]:
    """The systems from best to worst under one metric. Their scores count as if higher were better."""
    if len(scored_systems) < 2:
        raise InputError("a ranking needs two systems or more", parameter="systems")
    if len(scored_systems[0].evaluation) < 2:
        raise InputError("a ranking needs two sentences or more: one does not show what chance can do")
    resampling = scored_systems[0].resampling
    assert resampling is not None
    check_annotators(resampling, "a range of ranks")
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
