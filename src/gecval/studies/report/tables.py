"""A report's overview as tables: the ranking and every pair, then types of errors and what was changed."""

from __future__ import annotations

from gecval.results.table import DELIMITED, Table
from gecval.studies.compare.result import AllPairs
from gecval.studies.compare.tables import all_pairs_tables
from gecval.studies.coverage.tables import reference_tables
from gecval.studies.report.result import Overview
from gecval.studies.scores.result import Scores
from gecval.studies.scores.tables import score_tables
from gecval.studies.undercorrection.tables import undercorrection_tables


def overview_tables(result: Overview, style: str = "text") -> list[Table]:
    """What the verbs score, compare, undercorrection and coverage print. Programs get the scores."""
    if style in DELIMITED or not result.comparisons:
        scores = score_tables(Scores(scores=result.scores), style)
    else:
        pairs = AllPairs(correction=result.correction, scores=result.scores, comparisons=result.comparisons)
        scores = all_pairs_tables(pairs, style)
    if style in DELIMITED:
        return scores
    types = [_type_table(result)] if result.types else []
    changes = undercorrection_tables(result.changes, style) if result.changes else []
    hidden = reference_tables(result.coverage, style) if result.coverage else []
    return [*scores, *types, *changes, *hidden]


def _type_table(result: Overview) -> Table:
    table = Table(["system", "type", "right", "wrong", "missed", "unneeded", "F", "interval"], title="By type of error")
    table.rows = [
        [row.system, row.type, row.right, row.wrong, row.missed, row.unneeded, row.score, row.interval]
        for row in result.types or ()
    ]
    return table
