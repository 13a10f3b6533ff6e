"""MAEGE's tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, P, Table, percent
from gecval.studies.maege.result import FIGURES, Figure, Maege, ReplicateMean
from gecval.studies.scores.tables import negated

LABELS: dict[Figure, str] = {
    "corpus_spearman": "corpus ρ",
    "corpus_pearson": "corpus r",
    "sentence_tau": "sentence τ",
    "sentence_pearson": "sentence r",
}
TYPES = "Δ of the score by type of edit"


def maege_tables(study: Maege, style: str = "text") -> list[Table]:
    """How far metrics agree; metric against metric where there are several replicates; types where asked for."""
    tables = [agreement_table(study)]
    if study.differences:
        tables.append(difference_table(study))
    if study.types:
        tables.append(long_type_table(study) if style in DELIMITED else type_table(study))
    return tables


def agreement_table(study: Maege) -> Table:
    """A row per metric: corpus level, sentence level, tie rate; the best of each figure is bold."""
    several = study.replicates > 1
    columns, bold = ["metric"], set()
    rows: list[list[Cell]] = [[summary.metric] for summary in study]
    for figure in FIGURES:
        bold |= {(r, len(columns)) for r, summary in enumerate(study) if figure in summary.best}
        columns += [LABELS[figure], *([f"{LABELS[figure]} {percent(study.level)}"] if several else [])]
        for row, summary in zip(rows, study, strict=True):
            row += _cells(getattr(summary, figure), with_interval=several)
    for row, summary in zip(rows, study, strict=True):
        row.append(summary.tie_rate)
    notes = [
        f"{study.replicates} replicate{'s' * several} of {study.sentences} sentences, {study.conflicts} conflicting "
        f"edits left out; source: {study.settings.source}; ties count as {study.settings.ties}",
        *negated(study),
        study.signature,
    ]
    table = Table([*columns, "ties"], list(rows), title="Agreement with the lattices", digits=3, level=study.level)
    table.bold, table.footnotes = bold, notes
    return table


def difference_table(study: Maege) -> Table:
    """Every pair of metrics: by how much one agrees better than the other, over replicates."""
    with_p = any(difference.p is not None for difference in study.differences)
    rows: list[Sequence[Cell]] = [
        [
            LABELS[difference.figure],
            difference.metric,
            difference.against,
            *_cells(difference.difference, with_interval=True),
            *([P(difference.p) if difference.p is not None else None] if with_p else []),
        ]
        for difference in study.differences
    ]
    columns = ["figure", "metric", "against", "better by", percent(study.level), *(["p"] if with_p else [])]
    return Table(columns, rows, title="Metric against metric", digits=3, level=study.level)


def type_table(study: Maege) -> Table:
    """Δ by type of edit: a row per type, a column per metric; bold where the interval excludes 0."""
    by_type: dict[str, dict[str, Cell]] = {}
    bold = set()
    metrics = list(dict.fromkeys(delta.metric for delta in study.types))
    for delta in study.types:
        by_type.setdefault(delta.type, {})[delta.metric] = delta.delta.mean
        if delta.excludes_zero:
            bold.add((len(by_type) - 1, 1 + metrics.index(delta.metric)))
    rows: list[Sequence[Cell]] = [[kind, *(deltas[metric] for metric in metrics)] for kind, deltas in by_type.items()]
    return Table(["type", *metrics], rows, title=TYPES, digits=3, bold=bold)


def long_type_table(study: Maege) -> Table:
    """Δ by type of edit, a row per type and metric: for other programs."""
    rows: list[Sequence[Cell]] = [
        [row.type, row.metric, row.delta.mean, row.delta.interval, row.edits] for row in study.types
    ]
    return Table(["type", "metric", "Δ", "interval", "edits"], rows, title=TYPES, level=study.level)


def _cells(value: ReplicateMean, *, with_interval: bool) -> list[Cell]:
    return [value.mean, value.interval] if with_interval else [value.mean]
