"""Does `gecval power` predict how often a difference is found? All 78 pairs of the 13 systems of CoNLL-2014.

The true difference of a pair is that over all 1,312 sentences. Test sets of 200 sentences are drawn from them, and the
tests of `compare` are made on each: the share with p < 0.05 in both is the observed rate. The predicted one comes from
all sentences, or from a random half of them, as if no more were at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from gecval.metrics import Metric
from gecval.progress import Progress, announce, silent
from gecval.stats.influence import influences
from gecval.stats.power import SIGNIFICANT, carriers, simulated
from gecval.studies.power.run import LEAST_CARRIERS, SIMULATIONS
from gecval.studies.reproduce.decisions_population import Outputs, QuickTests, alone, populations
from gecval.studies.reproduce.results import Figure, PaperTable

SENTENCES, EXPERIMENTS, SEED = 200, 400, 1
EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.01)  # of predicted chances: pairs of one range are averaged
COLUMNS = ("pairs", "predicted", "from half", "observed", "error", "error from half", "furthest")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Predicted and observed chances of one pair of systems."""

    predicted: float
    from_half: float
    observed: float
    carriers: float  # in a test set


def tables(progress: Progress = silent) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in populations(progress=progress):
        announce(progress, f"{wanted!r}: all pairs, {EXPERIMENTS} test sets each")
        pairs = list(_pairs(wanted, outputs, progress))
        enough = [pair for pair in pairs if pair.carriers >= LEAST_CARRIERS]
        for low, high in pairwise(EDGES):
            group = [pair for pair in enough if low <= pair.predicted < high]
            if group:
                rows[f"{wanted!r}, {low:.0%} to {min(high, 1):.0%}"] = _row(group)
        rows[f"{wanted!r}, all of these"] = _row(enough)
        if few := [pair for pair in pairs if pair.carriers < LEAST_CARRIERS]:
            rows[f"{wanted!r}, few carriers"] = _row(few)
    return [
        PaperTable(
            title=f"The chance to find a difference with {SENTENCES} sentences: predicted and observed",
            columns=COLUMNS,
            rows=rows,
            row_name="metric, predicted chance",
            notes=(
                f"means over pairs; observed: {EXPERIMENTS} test sets a pair; error: predicted − observed; furthest: "
                "the largest error of a single pair, of which 5 points may be chance",
                f"few carriers: fewer than {LEAST_CARRIERS} sentences of a test set carry the difference; "
                "`gecval power` says so in a note",
                "from half: predicted from a random half of the sentences, for the difference over all of them",
            ),
        )
    ]


def _row(pairs: Sequence[Pair]) -> dict[str, Figure]:
    predicted, half, observed = (
        np.array([getattr(pair, name) for pair in pairs]) for name in ("predicted", "from_half", "observed")
    )
    values = {
        "pairs": len(pairs),
        "predicted": predicted.mean(),
        "from half": half.mean(),
        "observed": observed.mean(),
        "error": (predicted - observed).mean(),
        "error from half": (half - observed).mean(),
        "furthest": np.abs(predicted - observed).max(),
    }
    return {name: Figure(ours=int(value) if name == "pairs" else float(value)) for name, value in values.items()}


def _pairs(wanted: Metric, outputs: Outputs, progress: Progress) -> list[Pair]:
    rng, tests = np.random.default_rng(SEED), QuickTests(SENTENCES)
    pairs = []
    names = list(combinations(sorted(outputs), 2))
    for number, (first, second) in enumerate(names):
        progress(number, len(names))
        a, b = (outputs[name].statistics.rows for name in (first, second))
        whole = alone(wanted, a), alone(wanted, b)
        half = np.sort(rng.permutation(len(a))[: len(a) // 2])
        spread = simulated([whole], [SENTENCES], simulations=SIMULATIONS, seed=SEED)
        halves = alone(wanted, a[half]), alone(wanted, b[half])
        from_half = simulated([halves], [SENTENCES], simulations=SIMULATIONS, seed=SEED)
        found = 0
        for _ in range(EXPERIMENTS):
            drawn = rng.integers(len(a), size=SENTENCES)
            found += tests.p_values(wanted, a[drawn], b[drawn]).both < SIGNIFICANT
        pairs.append(
            Pair(
                predicted=spread.chance(spread.difference, SENTENCES),
                from_half=from_half.chance(spread.difference, SENTENCES),
                observed=found / EXPERIMENTS,
                carriers=carriers(influences(*whole)) * SENTENCES / len(a),
            )
        )
    return pairs
