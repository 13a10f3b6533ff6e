"""Under-correction as tables."""

from __future__ import annotations

from math import isnan

from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.undercorrection.reranking import Reranking
from gecval.studies.undercorrection.study import UnderCorrection


def undercorrection_tables(result: UnderCorrection, style: str = "text") -> list[Table]:
    """What the reference and the systems change; then their edits by type, where that was asked for."""
    return [changes_table(result), *([type_table(result)] if result.types else [])]


def changes_table(result: UnderCorrection) -> Table:
    """A row per corrector: word changes, their numbers, word order, sentences split and joined."""
    table = Table(
        ["corrector", "words changed", *amounts(len(result[0].sentences)), "mean ρ", "reordered", "split", "joined"],
        title="Words changed per sentence, and sentences by number of words changed",
        digits=3,
        plain=["words changed"],
    )
    for corrector in result:
        row: list[Cell] = [corrector.corrector, corrector.word_changes, *corrector.sentences]
        table.rows.append([*row, corrector.order, corrector.reordered, corrector.split, corrector.joined])
    table.footnotes = [
        f"(reference): annotator {result.annotator}",
        "ρ: Spearman's, of word order; reordered: the share of sentences with ρ < 1",
        "case and punctuation do not count",
    ]
    return table


def type_table(result: UnderCorrection) -> Table:
    """A row per error type, from the least to the most under-corrected."""
    table = Table(["type", "class", "systems", "references", "ratio"], title="Edits by error type", digits=3)
    table.plain = ["systems", "references"]
    table.rows = [[row.type, row.word_class, row.systems, row.references, row.ratio] for row in result.types]
    table.footnotes = ["systems, references: edits of this type, the mean over systems and over references"]
    correlation = result.correlation
    if correlation and isnan(correlation.rho):
        table.footnotes.append("frequency of a type against its ratio: no correlation, since one of them is constant")
    elif correlation:
        p = "p < 0.001" if correlation.p < 0.001 else f"p = {correlation.p:.3f}"
        table.footnotes.append(f"frequency of a type against its ratio: Spearman's ρ = {correlation.rho:.2f}, {p}")
    return table


def reranking_tables(result: Reranking, style: str = "text") -> list[Table]:
    """A row per number of references: what the oracle scores and how much it changes."""
    columns = ["references", result.metric, "words changed", *amounts(len(result[0].sentences))]
    table = Table(columns, title="Oracle re-ranking: sentences by number of words changed", digits=3)
    table.plain = ["words changed"]
    for choice in result:
        counts: list[Cell] = [*choice.sentences] if style in DELIMITED else [f"{n:.1f}" for n in choice.sentences]
        table.rows.append([choice.references, choice.score, choice.word_changes, *counts])
    table.footnotes = [
        f"the oracle chooses among {len(result.candidates)} candidates by {result.metric}; means over "
        f"{result.repetitions} draws of references",
        *([] if result.higher_is_better else [f"{result.metric}: lower is better"]),
    ]
    return [table]


def amounts(size: int) -> list[str]:
    """Numbers of words changed; the last stands for all above it too.

    >>> amounts(4)
    ['0', '1', '2', '3+']
    """
    return [*map(str, range(size - 1)), f"{size - 1}+"]
