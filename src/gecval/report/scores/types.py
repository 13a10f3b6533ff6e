"""Scores and recall by type of error, and errors by category, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.report.table import DELIMITED, Cell, Table, percent
from gecval.studies.scores.type_results import ErrorCategories, TypeRecalls, TypeScores


def type_score_tables(scores: TypeScores, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """A row per type of error. Several systems are columns, for programs rows.

    ``parts`` says whether to show counts, precision and recall; by default where there is one system.
    """
    systems = list(dict.fromkeys(row.system for row in scores.types))
    if style in DELIMITED or len(systems) == 1:
        return [_long_type_table(scores, parts=parts is not False or style in DELIMITED)]
    by_key = {(row.system, row.type): row for row in scores.types}
    types = sorted({row.type for row in scores.types})
    names = (
        [("tp", "tp"), ("fp", "fp"), ("fn", "fn"), ("precision", "precision"), ("recall", "recall")] if parts else []
    )
    names += [("F", "score"), *([(f"{percent(scores.level)} interval", "interval")] if scores.level else [])]
    columns = ["type", *(system if name == "F" else f"{system} {name}" for system in systems for name, _ in names)]
    rows: list[Sequence[Cell]] = [
        [kind, *(getattr(by_key.get((system, kind)), field, None) for system in systems for _, field in names)]
        for kind in types
    ]
    bold = {
        (r, columns.index(system))
        for r, kind in enumerate(types)
        for system in systems
        if (system, kind) in by_key
        and by_key[system, kind].score == max(by_key[other, kind].score for other in systems if (other, kind) in by_key)
    }
    title = f"{scores.metric} by type of error"
    return [Table(columns, rows, title=title, bold=bold, footnotes=[scores.signature])]


def _long_type_table(scores: TypeScores, *, parts: bool) -> Table:
    with_interval = scores.level is not None
    names = ["tp", "fp", "fn", "precision", "recall"] if parts else []
    fields = [*names, "score", *(["interval"] if with_interval else [])]
    rows: list[Sequence[Cell]] = [
        [row.system, row.type, *(getattr(row, field) for field in fields)] for row in scores.types
    ]
    interval = [f"{percent(scores.level)} interval"] if scores.level else []
    columns = ["system", "type", *names, "F", *interval]
    return Table(columns, rows, footnotes=[scores.signature], level=scores.level, main="F")


def type_recall_tables(recalls: TypeRecalls, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """A row per system and type. ``parts`` says whether to show the counts; by default it does."""
    counts = ["gold", "within", "correct", "span", "overlap"]
    if not any(row.within for row in recalls.types):
        counts.remove("within")
    shown = counts if parts is not False or style in DELIMITED else []
    fields = ["system", "type", *shown, "recall", "span_recall", "overlap_recall"]
    rows: list[Sequence[Cell]] = [[getattr(row, field) for field in fields] for row in recalls.types]
    columns = [field.replace("_", " ") for field in fields]
    title = f"{recalls.metric}: recall by type of error"
    return [Table(columns, rows, title=title, footnotes=[recalls.signature], main="recall")]


def category_tables(errors: ErrorCategories, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """How many errors of each category a grammar checker finds, a column per system. Counts have no ``parts``."""
    categories = sorted({category for system in errors.systems for category in system.categories})
    rows: list[Sequence[Cell]] = [
        [category, *(system.categories.get(category, 0) for system in errors.systems)] for category in categories
    ]
    return [Table(["category", *(system.system for system in errors.systems)], rows)]
