"""Merged parts as tables: the scores, and the tests."""

from __future__ import annotations

from gecval.results.table import DELIMITED, Table
from gecval.studies.compare.result import Comparisons
from gecval.studies.compare.tables import comparison_tables
from gecval.studies.merge.study import Merged
from gecval.studies.scores.result import Scores
from gecval.studies.scores.tables import score_tables


def merged_tables(result: Merged, style: str = "text") -> list[Table]:
    """The tables of ``score`` and of ``compare``; programs that read one table get the scores."""
    scores = score_tables(Scores(scores=result.scores), style)
    if style in DELIMITED or not result.comparisons:
        return scores
    return [*scores, *comparison_tables(Comparisons(comparisons=result.comparisons), style)]
