"""What a history of scores gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gecval.results import theme
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, Signed, Table, percent
from gecval.stats import Interval

if TYPE_CHECKING:
    from altair import LayerChart, VConcatChart


@dataclass(frozen=True, kw_only=True)
class TrackedScore:
    """A score of one commit, and whether it has changed.

    Scores of one ``series``, from 1, have the same system name, data, metric and settings; only they are compared.
    ``since`` is the commit that it is held against: the first of the series, or that of the last change. ``look``
    counts how often this was asked; at a look, ``change_interval`` of ``difference`` has the level ``change_level``.
    """

    derived: ClassVar[tuple[str, ...]] = ("change",)

    series: int
    commit: str
    time: str
    system: str
    metric: str
    score: float
    interval: Interval | None
    level: float | None
    since: str
    look: int
    difference: float
    change_interval: Interval | None
    change_level: float | None
    changed: bool
    higher_is_better: bool = True
    output: str
    signature: str

    @property
    def change(self) -> str | None:
        """``better`` or ``worse`` where the score has changed beyond chance."""
        if not self.changed:
            return None
        return "better" if (self.difference > 0) == self.higher_is_better else "worse"


@dataclass(frozen=True, kw_only=True, repr=False)
class History(ResultSequence[TrackedScore]):
    """Scores commit by commit: a sequence of ``TrackedScore``, series after series, in the order of the file."""

    kind: ClassVar[str] = "history"
    view: ClassVar[str] = "history_tables"
    main: ClassVar[str] = "scores"

    level: float  # that all looks of a stretch keep together
    scores: tuple[TrackedScore, ...]

    @property
    def changes(self) -> tuple[TrackedScore, ...]:
        """The scores that differ from the stretch before them beyond chance."""
        return tuple(score for score in self.scores if score.changed)


# The tables and the chart that show it.


def history_tables(history: History, style: str = "text") -> list[Table]:
    """A table per series, a row per commit; for programs one table."""
    if style in DELIMITED:
        return [_table(history.scores, history.level)]
    tables = [_table(series, history.level, title=_title(series[0])) for series in by_series(history)]
    for table in tables[:-1]:
        del table.footnotes[0]  # what a change is, once
    return tables


def by_series(history: History) -> list[list[TrackedScore]]:
    series: dict[int, list[TrackedScore]] = {}
    for score in history:
        series.setdefault(score.series, []).append(score)
    return list(series.values())


def _title(score: TrackedScore) -> str:
    return f"Series {score.series}: {score.system}, {score.metric}"


def _table(scores: Sequence[TrackedScore], level: float, *, title: str = "") -> Table:
    names = [] if title else ["series", "system", "metric"]
    columns = [*names, "commit", "time", "score", "interval", "since", "difference", "change"]
    rows: list[Sequence[Cell]] = []
    for score in scores:
        named: list[Cell] = [] if title else [score.series, score.system, score.metric]
        row: list[Cell] = [*named, score.commit, score.time, score.score, score.interval, score.since]
        rows.append([*row, Signed(score.difference), score.change])
    bold = {(r, columns.index("change")) for r, score in enumerate(scores) if score.changed}
    notes = [
        f"change: beyond chance since the commit in since; all looks of a stretch keep {percent(level)} together",
        *dict.fromkeys(score.signature for score in scores),
    ]
    levels = {score.level for score in scores}
    return Table(
        columns, rows, title=title, bold=bold, bold_note="changes", footnotes=notes, intervals=["interval"],
        level=levels.pop() if len(levels) == 1 else None,
    )  # fmt: skip


def history_chart(history: History) -> VConcatChart:
    """A panel per series: scores over commits with their intervals; changes are marked."""
    import altair as alt

    chart: VConcatChart = alt.vconcat(*map(_panel, by_series(history))).resolve_scale(x="independent", y="independent")
    return chart


def _panel(scores: Sequence[TrackedScore]) -> LayerChart:
    import altair as alt

    values = [
        {
            "commit": score.commit,
            "score": score.score,
            "low": score.interval.low if score.interval else score.score,
            "high": score.interval.high if score.interval else score.score,
            "change": score.change or "",
        }
        for score in scores
    ]
    subtitle = "diamonds: changes beyond chance"
    if scores[0].level:
        subtitle = f"lines: {percent(scores[0].level)} intervals; {subtitle}"
    base: Any = alt.Chart({"values": values}).encode(
        x=alt.X("commit:O", sort=None, title="commit", axis=alt.Axis(labelAngle=-45, labelOverlap=True, labelLimit=90))
    )
    scale = alt.Scale(zero=False)
    y = alt.Y("score:Q", title=scores[0].metric, scale=scale)
    lines = base.mark_rule(strokeWidth=2, color=theme.SYSTEM).encode(alt.Y("low:Q", scale=scale), alt.Y2("high:Q"))
    path = base.mark_line(color=theme.REFERENCE, strokeWidth=1).encode(y)
    dots = base.mark_point(opacity=1).encode(y, tooltip=["commit:N", "score:Q", "change:N"])
    seen = alt.condition("datum.change != ''", alt.value(1), alt.value(0))  # a filter would mix up the order of commits
    marks = base.mark_point(shape="diamond", size=160, color=theme.HIGHLIGHT).encode(y, opacity=seen)
    chart: Any = alt.layer(path, lines, dots, marks)
    title = alt.TitleParams(_title(scores[0]), subtitle=subtitle)
    sized: LayerChart = chart.properties(title=title, width=theme.WIDTH, height=theme.PANEL_HEIGHT)
    return sized
