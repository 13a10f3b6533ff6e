"""What is cached of the answers of models, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Table
from gecval.studies.cache.study import Cached


def cached_tables(result: Cached, style: str = "text") -> list[Table]:
    """A row for each model, the largest first."""
    rows: list[Sequence[Cell]] = [[model.file, model.answers, model.bytes, model.used] for model in result.models]
    limit = "no limit" if result.limit is None else f"{result.limit / 1e6:,.0f} MB allowed"
    gone = f"; {result.removed:,} answers removed" if result.removed else ""
    title = f"{result.folder}: {result.bytes / 1e6:,.1f} MB cached, {limit}{gone}"
    return [Table(["file", "answers", "bytes", "last used"], rows, title="cache" if style in DELIMITED else title)]
