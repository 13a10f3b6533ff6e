"""What metrics would ask a chat model, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import Cell, Table
from gecval.studies.cost.study import Costs

COLUMNS = ["metric", "prompts", "answered", "to ask", "prompt tokens", "most answer tokens"]


def cost_tables(result: Costs, style: str = "text") -> list[Table]:
    rows: list[Sequence[Cell]] = [
        [row.metric, row.prompts, row.answered, row.to_ask, row.prompt_tokens, row.most_answer_tokens]
        for row in result.costs
    ]
    files = dict.fromkeys(f"{row.model}: answers are cached in {row.audit}" for row in result.costs)
    return [Table(COLUMNS, rows, footnotes=list(files))]
