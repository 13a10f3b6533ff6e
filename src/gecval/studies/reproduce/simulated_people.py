"""Simulations of what people and crowds judge: correlations of few systems, rankings by judgments, crowd coverage."""

from __future__ import annotations

from collections.abc import Iterator
from math import asin, pi

import numpy as np

from gecval.stats.correlation import correlate
from gecval.stats.resampling import Array
from gecval.studies.reproduce.result import Promise, PValues

LEVEL, ALPHA, SEED = 0.95, 0.05, 1

# Correlations of a metric with people, over few systems.
#
# Scores of systems are normal, with Pearson's r = 0.7 or 0. Spearman's ρ is then 6/π · asin(r/2).


SYSTEMS = (4, 5, 7, 10, 15)
AGREEMENT = 0.7


def simulate_correlations(experiments: int) -> Iterator[Promise | PValues]:
    for systems in SYSTEMS:
        rng = np.random.default_rng([SEED, systems])
        rho = 6 / pi * asin(AGREEMENT / 2)
        covered = known = 0
        for _ in range(experiments):
            people, metric = _scores(rng, systems, AGREEMENT)
            low, high = correlate(people, metric, "spearman").interval
            known += not np.isnan(low)
            covered += low <= rho <= high
        if known:
            yield Promise(
                claim="interval of Spearman's ρ",
                settings=f"{systems} systems, ρ = {rho:.2f}",
                promised=LEVEL,
                measured=covered / known,
                experiments=known,
            )
        p_values = np.array([correlate(*_scores(rng, systems, 0.0), "spearman").p for _ in range(experiments)])
        yield Promise(
            claim="test of Spearman's ρ",
            settings=f"{systems} systems, ρ = 0",
            promised=ALPHA,
            measured=float(np.mean(p_values <= ALPHA)),
            experiments=experiments,
            at_least=False,
        )
        yield PValues(test=f"Spearman's ρ, {systems} systems", values=p_values)


def _scores(rng: np.random.Generator, systems: int, r: float) -> tuple[Array, Array]:
    people, noise = rng.standard_normal((2, systems))
    return people, r * people + np.sqrt(1 - r * r) * noise
