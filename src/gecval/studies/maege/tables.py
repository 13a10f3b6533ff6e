"""MAEGE's tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from gecval.results.table import DELIMITED, Cell, P, Table, percent
from gecval.studies.maege.result import FIGURES, Figure, Maege, PValue, ReplicateMean
from gecval.studies.scores.tables import negated

LABELS: dict[Figure, str] = {
    "corpus_spearman": "corpus ρ",
    "corpus_pearson": "corpus r",
    "sentence_tau": "sentence τ",
    "sentence_pearson": "sentence r",
}
TYPES = "Δ of the score by type of edit"


def maege_tables(study: Maege, style: str = "text") -> list[Table]:
    """How far metrics agree; metric against metric where there are several replicates; types where asked for.

    For programs, agreement and chance are one table.
    """
    agreement, chance = agreement_table(study), significance_table(study)
    tables = [agreement, chance]
    if style in DELIMITED:
        agreement.columns = [*agreement.columns, *chance.columns[1:]]
        agreement.rows = [[*row, *more[1:]] for row, more in zip(agreement.rows, chance.rows, strict=True)]
        tables = [agreement]
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
        f"edits left out; source: {study.settings.source}; ties count as {study.settings.ties}; {study.chains} chains "
        f"with {study.corrections} corrections",
        *negated(study),
        study.signature,
    ]
    table = Table([*columns, "ties"], list(rows), title="Agreement with the lattices", digits=3, level=study.level)
    table.bold, table.footnotes = bold, notes
    return table


def significance_table(study: Maege) -> Table:
    """A row per metric: how likely chance gives each of its figures, alone and corrected for several metrics."""
    corrected = len(study.metrics) > 1
    columns = ["metric", "rise", *([f"rise {percent(study.level)}"] if study.replicates > 1 else [])]
    rows: list[list[Cell]] = [
        [summary.metric, *_cells(summary.rise, with_interval=study.replicates > 1)] for summary in study
    ]
    for figure in FIGURES:
        columns += [f"p of {LABELS[figure]}", *(["Holm " + LABELS[figure]] if corrected else [])]
        for row, summary in zip(rows, study, strict=True):
            value: PValue = getattr(summary, f"{figure}_p")
            row += [P(value.p), *([P(value.holm)] if corrected else [])]
    notes = [
        "rise: by how much the better correction of a pair scores more, on average",
        f"p: of one replicate{', the median over all' if study.replicates > 1 else ''}; that of τ takes pairs for "
        "independent, which those of one chain are not, and so is too small",
    ]
    notes += [f"Holm: corrected for {len(study.metrics)} tests, one a metric"] if corrected else []
    table = Table(columns, list(rows), title="Chance, and how much scores rise", digits=4, level=study.level)
    table.footnotes = notes
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
    by_type: dict[str, dict[str, list[Cell]]] = {}
    bold = set()
    metrics = list(dict.fromkeys(delta.metric for delta in study.types))
    for delta in study.types:
        by_type.setdefault(delta.type, {})[delta.metric] = _cells(delta.delta, with_interval=True)
        if delta.excludes_zero:
            bold.add((len(by_type) - 1, 1 + 2 * metrics.index(delta.metric)))
    rows: list[Sequence[Cell]] = [
        [kind, *chain.from_iterable(deltas[metric] for metric in metrics)] for kind, deltas in by_type.items()
    ]
    columns = ["type", *chain.from_iterable((metric, f"{metric} {percent(study.level)}") for metric in metrics)]
    return Table(columns, rows, title=TYPES, digits=3, bold=bold, level=study.level)


def long_type_table(study: Maege) -> Table:
    """Δ by type of edit, a row per type and metric: for other programs."""
    rows: list[Sequence[Cell]] = [
        [row.type, row.metric, row.delta.mean, row.delta.interval, row.edits] for row in study.types
    ]
    return Table(["type", "metric", "Δ", "interval", "edits"], rows, title=TYPES, level=study.level)


def _cells(value: ReplicateMean, *, with_interval: bool) -> list[Cell]:
    return [value.mean, value.interval] if with_interval else [value.mean]
