"""A trained feature model as tables and a chart: how well it agrees with people, what features bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from gecval.results.table import Cell, Table, percent
from gecval.results.theme import WIDTH
from gecval.stats import Interval
from gecval.studies.lfm.study import LfmTraining

if TYPE_CHECKING:
    from altair import LayerChart


ROW = 20  # pixels from one line to the next


def training_tables(training: LfmTraining, style: str = "text") -> list[Table]:
    """The agreement with people and, where there are several groups of features, what each brings."""
    return [_agreement(training), *([_ablations(training)] if training.ablations else [])]


def _agreement(training: LfmTraining) -> Table:
    """A row for dev, by which the model was tuned, and for test, which it has not seen."""
    interval = f"{percent(training.level)} interval"
    columns = ["split", "sentences", "r", f"r {interval}", "ρ", f"ρ {interval}", "accuracy", "majority"]
    rows: list[Sequence[Cell]] = [
        [
            agreement.split,
            agreement.pearson.n,
            agreement.pearson.value,
            agreement.pearson.interval,
            agreement.spearman.value,
            agreement.spearman.interval,
            agreement.accuracy,
            agreement.majority,
        ]
        for agreement in training.agreement
    ]
    trained = training.model.trained
    notes = [
        f"r is Pearson's, ρ Spearman's; accuracy: grammatical (judgment of {training.grammatical:g} or more) or not; "
        "majority: always saying the more frequent",
        f"ridge regression on {trained['sentences']} sentences, {len(training.model.weights)} features, "
        f"α = {trained['alpha']:g}, tuned on dev",
    ]
    title = "Predicted and human judgments of grammaticality"
    return Table(columns, rows, title=title, digits=3, footnotes=notes, level=training.level)


def _ablations(training: LfmTraining) -> Table:
    """What each group of features does alone, and what is lost without it."""
    rows: list[Sequence[Cell]] = [
        [ablation.features, ablation.alone, ablation.without, ablation.judge] for ablation in training.ablations
    ]
    return Table(["features", "alone", "without", "judge"], rows, title="Pearson's r on dev", digits=3)


def training_chart(training: LfmTraining) -> LayerChart:
    """Pearson's r of the whole model, of each group of features alone, and of all others."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        # Where there is no interval, a line of no length shows none.
        {"model": name, "features": which, "r": r, "low": low, "high": high}
        for name, which, r, interval in _points(training)
        for low, high in [(r, r) if interval is None or isnan(interval.low) else interval]
        if not isnan(r)
    ]
    kinds = ["all", *(["alone", "all others"] if training.ablations else [])]
    title = alt.TitleParams(
        "Predicted and human judgments of grammaticality",
        subtitle=[f"lines: {percent(training.level)} intervals of r", "groups of features: r on dev"],
    )
    base: Any = alt.Chart({"values": rows}, title=title, width=WIDTH, height=ROW * len(rows)).encode(
        y=alt.Y("model:N", sort=[row["model"] for row in rows], title=None),
        color=alt.Color("features:N", sort=kinds, scale=alt.Scale(domain=kinds)),
    )
    free = alt.Scale(zero=False)
    lines = base.mark_rule().encode(x=alt.X("low:Q", title="Pearson's r", scale=free), x2="high:Q")
    chart: LayerChart = lines + base.mark_point().encode(x=alt.X("r:Q", scale=free))
    return chart


def _points(training: LfmTraining) -> Iterator[tuple[str, str, float, Interval | None]]:
    """Name, kind, r, and its interval where there is one."""
    for agreement in training.agreement:
        yield agreement.split, "all", agreement.pearson.value, agreement.pearson.interval
    for ablation in training.ablations:
        yield f"{ablation.features} alone", "alone", ablation.alone, None
        yield f"without {ablation.features}", "all others", ablation.without, None
