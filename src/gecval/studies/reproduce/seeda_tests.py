"""Which differences between metrics on SEEDA are larger than chance?

Williams' test asks whether two correlations with the same people over the same systems differ. Where a metric does not
run here, its system scores are those of SEEDA's README, over all 1312 sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from gecval.stats.correlation import coefficients, correlate, williams_test
from gecval.stats.multiple import corrected
from gecval.stats.resampling import Array
from gecval.studies.reproduce.results import LEVEL, Figure, PaperTable
from gecval.studies.reproduce.seeda_bench import Scored, Setting
from gecval.studies.reproduce.seeda_published import GEC_METRICS, OTHERS, README_SCORES

CHANCE = 1 - LEVEL


def readme_scores(settings: Sequence[Setting]) -> PaperTable:
    """The metrics of SEEDA's README against people, with intervals."""
    rows: dict[str, dict[str, Figure]] = {name: {} for name in README_SCORES}
    for setting in settings:
        for name, scores in _of_the_readme(setting).items():
            r = correlate(setting.trueskill, scores, level=LEVEL)
            rows[name][setting.name] = Figure(ours=r.value, interval=r.interval)
    return PaperTable(
        title="SEEDA: r of the system scores that its README publishes",
        columns=tuple(setting.name for setting in settings),
        rows=rows,
        notes=("scores over all 1312 sentences, not over the 391 judged ones; the README prints no correlations",),
    )


def published_differences(settings: Sequence[Setting], scored: Mapping[str, Scored]) -> PaperTable:
    """Every two metrics with a published r: their difference, and whether chance may explain it."""
    rows: dict[str, dict[str, Figure]] = {}
    for setting in settings:
        known = {name: cells["r"] for name, cells in _published(setting).items() if "r" in cells}
        scores = _of_the_readme(setting) | _ours(setting, scored)
        pairs = [(a, b) for a, b in combinations(known, 2) if a in scores and b in scores]
        p_values = [williams_test(setting.trueskill, scores[a], scores[b]) for a, b in pairs]
        for (a, b), p, holm in zip(pairs, p_values, corrected(p_values, "holm"), strict=True):
            r_a, r_b = (float(coefficients(setting.trueskill, scores[name])) for name in (a, b))
            rows[f"{setting.name}: {a} − {b}"] = {
                "difference of r": Figure(published=known[a] - known[b], ours=r_a - r_b),
                "p": Figure(ours=p),
                "p, Holm": Figure(ours=holm),
            }
    chance, alone = (sum((cells[column].ours or 0) >= CHANCE for cells in rows.values()) for column in ("p, Holm", "p"))
    return PaperTable(
        title="SEEDA: published differences between metrics, and Williams' test",
        columns=("difference of r", "p", "p, Holm"),
        rows=rows,
        notes=(
            f"of {len(rows)} published differences, {len(rows) - chance} are larger than chance at {CHANCE:.0%} "
            f"(Holm's correction within each setting), {len(rows) - alone} if each is tested alone",
            "the two published figures of a difference may be of two papers; p is of our scores",
            f"metrics that do not run here have the scores of SEEDA's README: {', '.join(README_SCORES)}",
        ),
        row_name="difference",
    )


def against_the_best(settings: Sequence[Setting], scored: Mapping[str, Scored]) -> PaperTable:
    """In each setting, every metric against the one with the highest r: p of Williams' test."""
    rows: dict[str, dict[str, Figure]] = {name: {} for name in scored}
    notes = ["the best is chosen on the systems that it is tested on, which flatters it"]
    for setting in settings:
        scores = _ours(setting, scored)
        r = {name: float(coefficients(setting.trueskill, given)) for name, given in scores.items()}
        best = max(r, key=lambda name: r[name] if np.isfinite(r[name]) else -2.0)
        others = [name for name in scores if name != best and np.isfinite(r[name])]
        p_values = corrected([williams_test(setting.trueskill, scores[best], scores[name]) for name in others], "holm")
        for name, p in zip(others, p_values, strict=True):
            rows[name][setting.name] = Figure(ours=p)
        equal = [name for name, p in zip(others, p_values, strict=True) if p >= CHANCE]
        notes.append(
            f"{setting.name}: {best} is best, r {r[best]:.3f}; not worse beyond chance: {', '.join(equal) or 'none'}"
        )
    return PaperTable(
        title="SEEDA: p of Williams' test against the metric with the highest r, Holm's correction",
        columns=tuple(setting.name for setting in settings),
        rows=rows,
        notes=tuple(notes),
    )


def _published(setting: Setting) -> dict[str, dict[str, float]]:
    """Both lists of published figures as one; where both have a figure, that of the other papers."""
    library, others = GEC_METRICS[setting.name], OTHERS[setting.name]
    return {name: library.get(name, {}) | others.get(name, {}) for name in library | others}


def _of_the_readme(setting: Setting) -> dict[str, Array]:
    systems = setting.judgments.systems
    return {
        name: np.array([dict(zip(systems, scores, strict=True))[system] for system in setting.systems])
        for name, scores in README_SCORES.items()
    }


def _ours(setting: Setting, scored: Mapping[str, Scored]) -> dict[str, Array]:
    return {name: given.on(setting) for name, given in scored.items()}
