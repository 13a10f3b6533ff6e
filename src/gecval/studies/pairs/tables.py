"""What became of a file of pairs, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.pairs.study import ScoredPairs


def scored_pairs_tables(result: ScoredPairs, style: str = "text") -> list[Table]:
    """A row for each metric, with the mean over all rows that have a score; or one for the rows alone."""
    rows: list[Sequence[Cell]] = [[mean.metric, mean.mean, mean.rows] for mean in result.means]
    chosen = f"{result.kept:,} of {result.rows:,} rows" if result.where is not None else f"{result.rows:,} rows"
    title = f"{chosen} in {result.output}"
    if not rows:
        return [Table(["rows", "kept"], [[result.rows, result.kept]], title="pairs" if style in DELIMITED else title)]
    return [Table(["metric", "mean", "rows"], rows, title="means" if style in DELIMITED else title)]
