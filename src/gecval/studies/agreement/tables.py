"""The agreement of annotators as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Signed, Table
from gecval.studies.agreement.result import Agreed, Agreement, AnnotatorAgreement

FIGURES = ("F", "interval of F", "κ", "interval of κ")
OUTLIER = {True: "yes", False: "no", None: "–"}


def agreement_tables(agreed: Agreement, style: str = "text") -> list[Table]:
    """All annotators and each against the rest; then each pair; then each type. Programs get the same tables."""
    tables = [_annotator_table(agreed), _pair_table(agreed), _type_table(agreed)]
    if style in DELIMITED:
        for table, title in zip(tables, ("annotators", "pairs", "types"), strict=True):
            table.title = title
    for table in tables:
        table.level, table.main = agreed.level, "F"
        table.intervals = [name for name in table.columns if name.startswith("interval")]
    shown = [table for table in tables if table.rows]
    shown[-1].footnotes = [*_meanings(agreed), agreed.signature]
    return shown


def _figures(row: Agreed) -> list[Cell]:
    return [row.f, row.f_interval, row.kappa, row.kappa_interval]


def _annotator_table(agreed: Agreement) -> Table:
    columns = ["annotator", "sentences", "edits", "precision", "recall", *FIGURES]
    columns += ["F among others", "distance", "interval of distance", "outlier"]
    rows: list[Sequence[Cell]] = [_annotator(row) for row in agreed.annotators]
    everybody: list[Cell] = ["all", agreed.overall.sentences, sum(row.edits for row in agreed.annotators), None, None]
    rows.append([*everybody, *_figures(agreed.overall), None, None, None, None])
    outliers = {(r, 0) for r, row in enumerate(agreed.annotators) if row.outlier}
    title = "Each annotator against the rest"
    return Table(columns, rows, title=title, bold=outliers, bold_note="outliers")


def _annotator(row: AnnotatorAgreement) -> list[Cell]:
    cells: list[Cell] = [row.annotator, row.sentences, row.edits, row.precision, row.recall, *_figures(row)]
    return [*cells, row.among_others, Signed(row.distance), row.distance_interval, OUTLIER[row.outlier]]


def _pair_table(agreed: Agreement) -> Table:
    columns = ["first", "second", "sentences", "first edits", "second edits", "same edits", *FIGURES]
    rows: list[Sequence[Cell]] = [
        [pair.first, pair.second, pair.sentences, pair.first_edits, pair.second_edits, pair.same_edits, *_figures(pair)]
        for pair in agreed.pairs
    ]
    return Table(columns, rows, title="Each pair")


def _type_table(agreed: Agreement) -> Table:
    rows: list[Sequence[Cell]] = [[row.type, row.edits, *_figures(row)] for row in agreed.types]
    return Table(["type", "edits", *FIGURES], rows, title="By type of edit")


def _meanings(agreed: Agreement) -> list[str]:
    return [
        "F: 2 × same edits / all edits of two annotators, over sentences that both saw; same: span and a correction",
        "κ: over tokens that are changed or not; Cohen's of pairs, Fleiss' of all annotators and of types",
        f"outlier: the interval of distance, F − F among others, lies below −{agreed.far:g}; these intervals hold "
        "together at the level",
    ]
