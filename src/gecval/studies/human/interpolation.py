"""Two metrics mixed: which weight λ of interpolated(R, G, λ) agrees best with people? (Napoles et al. 2016)

    S_I = λ·S_R + (1 − λ)·S_G,   λ = 0, 0.01, … 1

R is a reference-based metric, G a reference-less one. The oracle picks λ on the systems that it is then judged by, so
its correlation is too high. Cross-validation scores each system with the λ that is best for all others; the mean and
the standard deviation of these others bring the scores to one scale. Where several λ are equally good, the smallest
counts.

Only R gains from more references. The curve over the number of references draws some of them at random, several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.interpolated import mixed_directions
from gecval.metrics.subsets import sentence_scores_against
from gecval.progress import Progress, announce, silent
from gecval.result import MaybeUndefined
from gecval.stats.correlation import Coefficient, coefficients
from gecval.stats.resampling import Array, Interval

WEIGHTS = np.linspace(0, 1, 101)


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """The correlation with people at each weight, at the best one, and with weights chosen on other systems."""

    correlations: Array
    oracle: MaybeUndefined
    oracle_weight: float
    cross_validated: MaybeUndefined
    cross_validated_weights: Array

    @property
    def reference_based_alone(self) -> float:
        """The correlation at λ = 1."""
        return float(self.correlations[-1])

    @property
    def reference_less_alone(self) -> float:
        """The correlation at λ = 0."""
        return float(self.correlations[0])

    @property
    def cross_validated_range(self) -> tuple[float, float]:
        """The smallest and the largest weight that cross-validation chose."""
        return float(self.cross_validated_weights.min()), float(self.cross_validated_weights.max())


def sweep(people: Array, with_references: Array, without: Array, *, coefficient: Coefficient = "spearman") -> Sweep:
    """Sweep λ over two metrics' system scores.

    >>> people = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> swept = sweep(people, np.array([1.0, 2.0, 4.0, 4.0, 5.0]), np.array([1.0, 3.0, 2.0, 5.0, 5.0]))
    >>> swept.oracle, swept.oracle_weight
    (1.0, 0.34)
    """
    check_systems(len(people))
    # [weight, system]; the mean over sentences of a weighted mean is the weighted mean of means.
    scores = WEIGHTS[:, None] * with_references + (1 - WEIGHTS[:, None]) * without
    correlations = coefficients(people, scores, coefficient)
    best = _best(correlations)
    held_out, weights = np.empty(len(people)), np.empty(len(people))
    for system in range(len(people)):
        others = np.delete(np.arange(len(people)), system)
        chosen = _best(coefficients(people[others], scores[:, others], coefficient))
        spread = scores[chosen, others].std()
        held_out[system] = (scores[chosen, system] - scores[chosen, others].mean()) / (spread if spread > 0 else 1.0)
        weights[system] = WEIGHTS[chosen]
    return Sweep(
        correlations=correlations,
        oracle=float(correlations[best]),
        oracle_weight=float(WEIGHTS[best]),
        cross_validated=float(coefficients(people, held_out, coefficient)),
        cross_validated_weights=weights,
    )


def check_systems(number: int) -> None:
    """Refuse too few systems: a weight chosen on three, for the fourth, means nothing."""
    if number < 4:
        raise InputError(f"choosing a weight needs four systems or more, not {number}", parameter="hybrids")


def _best(correlations: Array) -> int:
    """The first of the best. Differences by rounding do not count."""
    known = np.nan_to_num(correlations, nan=-np.inf)
    return int(np.flatnonzero(known >= known.max() - 1e-12)[0])


@dataclass(frozen=True, kw_only=True)
class ReferencePoint:
    """With so many references: the mean correlation of the reference-based metric alone and of the oracle hybrid."""

    references: int
    alone: MaybeUndefined
    alone_interval: Interval
    oracle: MaybeUndefined
    oracle_interval: Interval


def reference_curve(
    people: Array,
    corpus: Corpus,
    systems: Sequence[System],
    *,
    with_references: Metric,
    without: Metric,
    coefficient: Coefficient = "spearman",
    repeats: int = 10,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[ReferencePoint]:
    """Correlations with 1, 2, … all references. Each number is drawn ``repeats`` times, for 95% t intervals."""
    if with_references.higher_is_better != without.higher_is_better:
        raise mixed_directions(with_references, without)
    counts = np.diff(corpus.reference_slots)
    if counts.min() != counts.max():
        raise InputError(f"the curve needs equally many references for every sentence, not {corpus.reference_count}")
    most = int(counts[0])
    rng = np.random.default_rng(seed)
    drawn = [np.sort(rng.choice(most, size=size, replace=False)) for size in range(1, most + 1) for _ in range(repeats)]
    subsets = [[chosen] * len(corpus) for chosen in drawn]
    announce(progress, "scoring with fewer references")
    scores, fixed = np.empty((len(subsets), len(systems))), np.empty(len(systems))
    for done, system in enumerate(systems):
        drawn_scores = sentence_scores_against(with_references, corpus, system, subsets, jobs=jobs)
        scores[:, done] = [sentence_scores.mean() for sentence_scores in drawn_scores]
        fixed[done] = Evaluation.of(without, corpus, system, aggregate="mean", jobs=jobs).score()
        progress(done + 1, len(systems))
    up = without.direction
    sweeps = [sweep(people, up * system_scores, up * fixed, coefficient=coefficient) for system_scores in scores]
    points = []
    for size in range(1, most + 1):
        draws = sweeps[(size - 1) * repeats : size * repeats]
        alone = np.array([swept.reference_based_alone for swept in draws])
        oracle = np.array([swept.oracle for swept in draws])
        points.append(
            ReferencePoint(
                references=size,
                alone=float(alone.mean()),
                alone_interval=_t_interval(alone),
                oracle=float(oracle.mean()),
                oracle_interval=_t_interval(oracle),
            )
        )
    return points


def _t_interval(values: Array, level: float = 0.95) -> Interval:
    mean, spread = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    reach = float(stats.t.ppf(0.5 + level / 2, max(len(values) - 1, 1))) * spread / len(values) ** 0.5
    return Interval(mean - reach, mean + reach)
