"""Reports: tables in several styles, JSON."""

from gecval.report.scores import (
    comparison_table,
    comparisons_json,
    long_table,
    score_table,
    scores_json,
    sentence_table,
)
from gecval.report.table import Table

__all__ = [
    "Table",
    "comparison_table",
    "comparisons_json",
    "long_table",
    "score_table",
    "scores_json",
    "sentence_table",
]
