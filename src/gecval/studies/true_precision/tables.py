"""Precision, recall and F with valid edits that no reference has, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.true_precision.result import TruePrecision


def true_precision_tables(result: TruePrecision, style: str = "text") -> list[Table]:
    """Systems, how many of their edits are valid, then types."""
    tables = [_score_table(result), _share_table(result), _type_table(result)]
    if style in DELIMITED:
        for table, title in zip(tables, ("scores", "edits", "types"), strict=True):
            table.title = title
    tables[-1].footnotes = [*_meanings(result), result.signature]
    for table in tables:
        table.level = result.level
        table.intervals = [name for name in table.columns if name.startswith("interval")]
    return tables


def _score_table(result: TruePrecision) -> Table:
    f = f"F{result.beta:g}"
    columns = ["system", "precision", "true precision", "interval of precision", "recall", "true recall"]
    columns += ["interval of recall", f, f"true {f}", "interval of F"]
    rows: list[Sequence[Cell]] = []
    for row in result.systems:
        cells: list[Cell] = [row.system, row.precision, row.true_precision, row.precision_interval]
        cells += [row.recall, row.true_recall, row.recall_interval]
        rows.append([*cells, row.score, row.true_score, row.score_interval])
    return Table(columns, rows, title="ERRANT's scores, and with valid edits that no reference has", main=f"true {f}")


def _share_table(result: TruePrecision) -> Table:
    columns = ["system", "edits", "in a reference", "in none", "valid share of these", "interval", "like judged"]
    rows: list[Sequence[Cell]] = []
    for row in result.systems:
        cells: list[Cell] = [row.system, row.edits, row.found, row.unmatched, row.valid_share, row.valid_interval]
        rows.append([*cells, "yes" if row.like_judged else "no"])
    return Table(columns, rows, title="Edits of each system", main="valid share of these")


def _type_table(result: TruePrecision) -> Table:
    columns = ["type", "edits", "in a reference", "in none", "coverage", "by coverage alone", "valid share", "interval"]
    rows: list[Sequence[Cell]] = []
    for row in result.types:
        cells: list[Cell] = [row.type, row.edits, row.found, row.unmatched, row.coverage]
        rows.append([*cells, row.coverage_model, row.valid_share, row.valid_interval])
    return Table(columns, rows, title="By type, all systems together", main="valid share")


def _meanings(result: TruePrecision) -> list[str]:
    return [
        f"calibrated on {result.calibration}; systems differ by {result.spread:.2f} on the logit scale beyond this, "
        "and the intervals are for a system that nobody judged",
        "valid: an improvement in the eyes of people who saw the edit; in a reference: any of them has the same edit",
        f"coverage: the chance that one of {result.references} references has a valid edit of this type",
    ]
