"""What each edit adds to a score, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Signed, Table
from gecval.studies.explain.study import EditValue, ExplainedSentence, Explanation

HOW = {
    "shapley": "value: the edit's mean gain over all orders in which the edits can be made (Shapley)",
    "add-one-in": "value: the gain of the edit alone, scaled so that a sentence's values add up to its gain",
    "leave-one-out": "value: the loss without the edit, scaled so that a sentence's values add up to its gain",
}


def explanation_tables(explanation: Explanation, style: str = "text", *, top: int | None = 20) -> list[Table]:
    """The ``top`` edits that add or cost most, then all edits by type; None: every edit, in order, and no more.

    Programs get every edit.
    """
    edits = [(sentence, edit) for sentence in explanation.sentences for edit in sentence.edits]
    if style in DELIMITED:
        return [_edit_table(edits)]
    footnotes = [HOW[explanation.method], *explanation.signatures]
    shown = edits if top is None else sorted(edits, key=lambda pair: -abs(pair[1].value))[:top]
    table = _edit_table(shown)
    if len(shown) < len(edits):
        table.title = f"The {len(shown)} edits of {len(edits)} that add or cost most"
    else:
        table.title = "What each edit adds"
    if top is None:
        table.footnotes = footnotes
        return [table]
    types = Table(
        ["system", "metric", "type", "edits", "mean value", "helpful", "harmful"],
        [
            [row.system, row.metric, row.type or "-", row.edits, Signed(row.mean), row.helpful, row.harmful]
            for row in explanation.types
        ],
        title="By type of edit",
        footnotes=footnotes,
    )
    return [table, types]


def _edit_table(edits: Sequence[tuple[ExplainedSentence, EditValue]]) -> Table:
    with_errors = any(edit.error is not None for _, edit in edits)
    columns = ["system", "metric", "sentence", "start", "end", "original", "correction", "type", "value"]
    rows: list[Sequence[Cell]] = []
    for sentence, edit in edits:
        row: list[Cell] = [sentence.system, sentence.metric, sentence.sentence, edit.start, edit.end]
        row += [edit.original, edit.correction, edit.type, Signed(edit.value)]
        rows.append([*row, edit.error] if with_errors else row)
    return Table([*columns, "standard error"] if with_errors else columns, rows)
