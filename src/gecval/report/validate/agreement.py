"""The table of all metrics and all sets of judgments: on the screen, for programs, and as a page of documentation."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite
from shlex import quote

from gecval.report.grid import DASH
from gecval.report.table import DELIMITED, Cell, Table, percent, render_tables
from gecval.stats import Interval
from gecval.studies.validate.table import AgreementFigure, AgreementTable

SIGNS = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "accuracy": "accuracy"}
# Each table of the page shows one of the figures.
TITLES = {
    "pearson": "Over systems: Pearson's r",
    "spearman": "Over systems: Spearman's ρ",
    "kendall": "Over systems: Kendall's τ",
    "accuracy": "Over sentences: accuracy",
}
TEXTS = {
    "pearson": "Do the metric's scores of systems rise with people's? 1 is perfect, 0 is chance.",
    "spearman": "The same for ranks: does the metric order the systems as people do?",
    "kendall": "Pairs of systems in the same order minus pairs in the other, of all pairs.",
    "accuracy": "Of two outputs of a sentence, does the metric prefer the one that people prefer? 0.5 is a coin's.",
}
ABOUT = (
    "People's scores are Expected Wins; metrics score the judged sentences. GJG15 and NSPT15 have the participants of "
    "CoNLL-2014 and the source. SEEDA has newer systems. Its base leaves out the source and the two fluent outputs, "
    "GPT-3.5 and REF-F; `with fluent` has these two. The references are CoNLL-2014's two official ones, with the "
    "annotators' own edits. A metric's tie counts half."
)


def agreement_tables(result: AgreementTable, style: str = "text") -> list[Table]:
    """A table for each set of judgments; for programs a row per figure."""
    if style in DELIMITED:
        rows: list[Sequence[Cell]] = [
            [figure.metric, figure.judgments, figure.outputs, figure.by, figure.value, figure.interval]
            for figure in result.figures
        ]
        columns = ["metric", "judgments", "outputs", "by", "value", "interval"]
        return [Table(columns, rows, level=result.level, main="value", intervals=["interval"])]
    sets = dict.fromkeys((figure.judgments, figure.outputs) for figure in result.figures)
    return [_table(result, *judged) for judged in sets]


def _table(result: AgreementTable, judgments: str, outputs: str) -> Table:
    """One set of judgments, all metrics."""
    figures = {
        (figure.metric, figure.by): figure
        for figure in result.figures
        if (figure.judgments, figure.outputs) == (judgments, outputs)
    }
    rows: list[Sequence[Cell]] = []
    for row in result:
        cells: list[Cell] = [row.metric]
        for by in SIGNS:
            figure = figures.get((row.metric, by))
            cells += [figure.value, figure.interval] if figure else [None, None]
        rows.append(cells)
    intervals = [f"{sign} interval" for sign in SIGNS.values()]
    columns = ["metric", *(name for pair in zip(SIGNS.values(), intervals, strict=True) for name in pair)]
    text = (
        f"r, ρ and τ over systems, with Expected Wins; accuracy over sentences. Intervals are {percent(result.level)}."
    )
    return Table(columns, rows, title=f"{judgments}, {outputs}", digits=3, intervals=intervals, footnotes=[text])


def agreement_page(result: AgreementTable, output: str, asked: Sequence[str] | None) -> str:
    """The tables as a page in Markdown. Its last line is the command that made it; ``asked`` are the metrics named."""
    parts = ["# Which metric agrees with people?", ABOUT]
    for by, title in TITLES.items():
        sets, figures = _placed(result, by)
        table = Table(["metric", *sets])
        table.rows += [[row.metric, *(_cell(figures.get((row.metric, place))) for place in sets)] for row in result]
        parts += [f"## {title}", TEXTS[by], escape(render_tables([table], "markdown"), quote=False)]
    intervals = f"In brackets are {percent(result.level)} intervals."
    parts += ["## How it was made", intervals, *(f"- {escape(note, quote=False)}" for note in result.notes)]
    named = f" -m {quote(','.join(asked))}" if asked else ""
    return "\n\n".join([*parts, f"    gecval validate --agreement{named} -o {quote(output)}"])


def _placed(result: AgreementTable, by: str) -> tuple[list[str], dict[tuple[str, str], AgreementFigure]]:
    """The sets of judgments in their order, and the figure of each metric and set."""
    figures = {
        (figure.metric, f"{figure.judgments}, {figure.outputs}"): figure for figure in result.figures if figure.by == by
    }
    return list(dict.fromkeys(place for _, place in figures)), figures


def _cell(figure: AgreementFigure | None) -> str:
    if figure is None or not isfinite(figure.value):
        return DASH
    interval: Interval = figure.interval
    return f"{figure.value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"
