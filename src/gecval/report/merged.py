"""Merged parts as tables: the scores, and the tests."""

from __future__ import annotations

from gecval.report.scores.comparisons import comparison_tables
from gecval.report.scores.tables import score_tables
from gecval.report.table import DELIMITED, Table
from gecval.studies.passport.merging import Merged
from gecval.studies.scores.results import Comparisons, Scores


def merged_tables(result: Merged, style: str = "text") -> list[Table]:
    """The tables of ``score`` and of ``compare``; programs that read one table get the scores."""
    scores = score_tables(Scores(scores=result.scores), style)
    if style in DELIMITED or not result.comparisons:
        return scores
    return [*scores, *comparison_tables(Comparisons(comparisons=result.comparisons), style)]
