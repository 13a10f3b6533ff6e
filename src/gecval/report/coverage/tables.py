"""Coverage as tables and as the paper's Figures 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gecval.report.table import UNKNOWN, Cell, Table
from gecval.stats import Interval
from gecval.studies.coverage.annotators import AgainstPeople
from gecval.studies.coverage.perfect_system import PerfectScore
from gecval.studies.coverage.true_score import ReferenceCoverage, TrueScore, break_even
from gecval.studies.coverage.variants import Coverage, Threshold, VariantEstimate

if TYPE_CHECKING:
    from altair import LayerChart

DETECTION = (0.5, 0.8, 0.9, 0.95)
NO_INTERVAL = Interval(UNKNOWN, UNKNOWN)
ONE_SENTENCE = "no interval: one sentence does not show how much sentences differ"


def threshold_table(thresholds: Sequence[Threshold], estimates: Sequence[VariantEstimate] = ()) -> Table:
    """The mean number of corrections above each frequency, and their probability (Tables 1 and 4)."""
    table = Table(["frequency at least", "variants", "mass"], title="Corrections per sentence", digits=3)
    table.rows = [[one.frequency, round(one.variants, 2), one.mass] for one in thresholds]
    if estimates:
        low, high = np.mean([one.range for one in estimates], axis=0)
        table.footnotes = [
            f"{len(estimates)} sentences, {np.mean([sum(one.counts) for one in estimates]):.1f} corrections each, "
            f"{np.mean([len(one.counts) for one in estimates]):.1f} of them different",
            f"from {low:.0f} to {high:.0f} variants would explain the corrections nearly as well: trust coverage more",
        ]
    return table


def coverage_table(curve: Sequence[Coverage], scores: Mapping[str, Sequence[PerfectScore]]) -> Table:
    """A row per number of references: coverage, and what a perfect system scores."""
    columns = ["references", "coverage", "interval", "different references", "observed", "hidden"]
    found = {name: {one.references: one for one in listed} for name, listed in scores.items()}
    table = Table([*columns, *(column for name in scores for column in (name, f"{name} interval"))], digits=3)
    table.title = "A perfect system's expected accuracy, and its scores" if scores else "A perfect system's accuracy"
    for point in curve:
        row: list[Cell] = [point.references, point.with_replacement, point.interval or NO_INTERVAL]
        row += [point.without_replacement, point.observed, point.bias]
        for one in (found[name].get(point.references) for name in scores):
            row += [one.score, one.interval] if one else [None, None]
        table.rows.append(row)
    table.footnotes = [
        "coverage: by the histograms, of M people; different references: drawn until M corrections differ (for whole "
        "variants, so that the two need not agree at M = 1); observed: of M people among those asked, without bias",
        *([] if curve[0].interval else [ONE_SENTENCE]),
    ]
    return table


def reference_table(covered: ReferenceCoverage, *, alpha: float) -> Table:
    """What the references of a corpus cover, and what follows from it; why, where something cannot be told."""
    table = Table(["question", "answer", "remark"], title=f"{covered.references} references a sentence", digits=3)
    halving = "at least, and at most" if covered.to_halve else "all references agree: what they miss does not show"
    table.rows = [
        ["how likely is a valid correction among them?", covered.coverage, None],
        ["… under all histograms that fit nearly as well", covered.range, None],
        ["… if it changes the source", *_answer(covered.changed, "no reference changes it")],
        ["… if it leaves the source alone", *_answer(covered.unchanged, "no reference leaves it alone")],
        ["how many references more would halve what is hidden?", covered.to_halve or NO_INTERVAL, halving],
    ]
    price = f" (a wrong one costs {alpha:g})" if alpha else ""
    for p_detect in DETECTION:
        question = f"p_correct from which correcting pays if p_detect is {p_detect:g}{price}"
        table.rows.append([question, *_break_even(covered.changed, p_detect, alpha)])
    return table


def _answer(value: float | None, reason: str) -> list[Cell]:
    return [UNKNOWN, reason] if value is None else [value, None]


def _break_even(changed: float | None, p_detect: float, alpha: float) -> list[Cell]:
    if not changed:
        return [
            UNKNOWN,
            "no reference changes the source" if changed is None else "no two references agree on a change",
        ]
    least = break_even(p_detect, changed, alpha=alpha)
    return [least, "above 1: never" if least > 1 else None]


def true_score_table(scores: Sequence[TrueScore]) -> Table:
    """Accuracy as measured, and corrected for coverage."""
    columns = ["system", "accuracy", "interval", "true accuracy", "true interval"]
    table = Table(columns, title="Accuracy, measured and corrected for coverage", digits=3)
    table.rows = [
        [
            one.system,
            one.accuracy,
            one.interval or NO_INTERVAL,
            one.true_accuracy,
            one.true_interval or NO_INTERVAL,
        ]
        for one in scores
    ]
    table.footnotes = ["assuming that a system, where it is right, chooses among valid corrections as people do"]
    table.footnotes += [] if all(one.interval for one in scores) else [ONE_SENTENCE]
    return table


def people_table(scores: Sequence[AgainstPeople]) -> Table:
    """Systems beside people, against the same references."""
    table = Table(["metric", "system", "score", "people", "ratio"], title="All annotators but one", digits=3)
    table.rows = [[one.metric, one.system, one.score, one.people, one.ratio] for one in scores]
    if any(one.interval for one in scores):
        table.columns = [*table.columns, "interval", "people's interval"]
        table.rows = [[*row, one.interval, one.people_interval] for row, one in zip(table.rows, scores, strict=True)]
    table.bold = {(r, 2) for r, one in enumerate(scores) if one.above_people}
    table.footnotes = (
        ["a system above people (bold) is not better than they are: it is better covered"] if table.bold else []
    )
    return table


def curve_chart(curves: Mapping[str, Sequence[PerfectScore]], *, title: str) -> LayerChart:
    """Scores of a perfect system over the number of references, with their intervals (Figure 1)."""
    import altair as alt

    values = [
        {"references": one.references, "what": name, **_with_ends(one.score, one.interval)}
        for name, listed in curves.items()
        for one in listed
    ]
    base = alt.Chart({"values": values}, title=title, width=420, height=280).encode(
        alt.X("references:Q", title="number of references M", axis=alt.Axis(tickMinStep=1)),
        alt.Color("what:N", title=None, sort=list(curves)),
    )
    band = base.mark_errorband().encode(alt.Y("low:Q", title="score", scale=alt.Scale(domain=[0, 1])), alt.Y2("high:Q"))
    chart: LayerChart = band + base.mark_line(point=True).encode(alt.Y("score:Q"))
    return chart


def as_scores(curve: Sequence[Coverage]) -> list[PerfectScore]:
    """A coverage curve as the scores that it stands for; a band of no height is none."""
    return [
        PerfectScore(
            one.references, one.with_replacement, one.interval or Interval(one.with_replacement, one.with_replacement)
        )
        for one in curve
    ]


def people_chart(scores: Sequence[AgainstPeople]) -> LayerChart:
    """Systems in rising order, with intervals where there are any, and people in red (Figure 2)."""
    import altair as alt

    values: list[dict[str, Any]] = [{"system": one.system, **_with_ends(one.score, one.interval)} for one in scores]
    values.append({"system": "(people)", **_with_ends(scores[0].people, scores[0].people_interval)})
    values.sort(key=lambda value: value["score"])
    base = alt.Chart({"values": values}, width=460, height=280).encode(
        alt.X("system:N", sort=[value["system"] for value in values], title=None)
    )
    colour = alt.condition("datum.system == '(people)'", alt.value("#c33"), alt.value("#4c78a8"))
    bars = base.mark_bar().encode(alt.Y("score:Q", title=scores[0].metric), color=colour)
    chart: LayerChart = bars + base.mark_rule(strokeWidth=2).encode(alt.Y("low:Q"), alt.Y2("high:Q"))
    return chart


def _with_ends(score: float, interval: Interval | None) -> dict[str, float]:
    """A score and the ends of its interval; where it has none, a band or a rule of no height shows none."""
    low, high = interval or (score, score)
    return {"score": score, "low": low, "high": high}
