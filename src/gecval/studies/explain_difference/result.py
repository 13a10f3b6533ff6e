"""What explaining the difference of two scores gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, Signed, Table


@dataclass(frozen=True, kw_only=True)
class DifferingField:
    """A field in which two signatures differ. ``a`` or ``b`` is None where a signature does not have it.

    ``changes`` says whether it can change the score, and ``why`` says why, or why not.
    """

    metric: str
    field: str
    a: str | None
    b: str | None
    changes: bool
    why: str


@dataclass(frozen=True, kw_only=True)
class Step:
    """A setting that goes from A's value to B's: the score after it, and by how much it changed.

    All settings of the steps before are B's already. ``alone`` is the change where all other settings are A's; None
    where the setting makes no sense there. The first step has no ``change``: it is the score with all settings of A.
    """

    system: str
    metric: str
    step: int
    setting: str
    a: str | None = None
    b: str | None = None
    score: float
    change: float | None = None
    alone: float | None = None


@dataclass(frozen=True, kw_only=True)
class StatedPair:
    """Two scores of a system as two results state them, and as the given data give them, where they do."""

    system: str
    metric: str
    a: float | None
    b: float | None
    a_again: float | None = None
    b_again: float | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class ExplainedDifference(ResultSequence[DifferingField]):
    """Why two scores differ: fields of their signatures, and the way from A to B, one setting at a time.

    ``steps`` is empty where no data are given. ``complete`` says that the steps begin with all settings of A and end
    with all settings of B, the data included; it is None without steps. ``interacts`` names metrics whose steps change
    the score by another amount alone than along the way.
    """

    kind: ClassVar[str] = "explained-difference"
    view: ClassVar[str] = "difference_tables"
    main: ClassVar[str] = "fields"

    fields: tuple[DifferingField, ...]
    steps: tuple[Step, ...] = ()
    pairs: tuple[StatedPair, ...] = ()
    complete: bool | None = None
    interacts: tuple[str, ...] = ()


# The tables that show it.


CHANGES = {True: "can change it", False: "cannot"}
ORDER = "order of the steps: references, edits, parameters of the metric, aggregate; each keeps those before it"


def difference_tables(result: ExplainedDifference, style: str = "text") -> list[Table]:
    """What differs, then the scores as stated, then the way from A to B."""
    tables = [_field_table(result), _pair_table(result), _step_table(result)]
    if style in DELIMITED:
        for table, title in zip(tables, ("fields", "scores", "steps"), strict=True):
            table.title = title
    return [tables[0], *(table for table in tables[1:] if table.rows)]


def _field_table(result: ExplainedDifference) -> Table:
    rows: list[Sequence[Cell]] = [
        [row.metric, row.field, row.a, row.b, CHANGES[row.changes], row.why] for row in result.fields
    ]
    notes = ["no signature names the output: another output changes the score under the same signature"]
    columns = ["metric", "field", "A", "B", "the score", "why"]
    return Table(columns, rows, title="What differs", footnotes=notes)


def _pair_table(result: ExplainedDifference) -> Table:
    rows: list[Sequence[Cell]] = []
    for pair in result.pairs:
        difference = None if pair.a is None or pair.b is None else Signed(pair.b - pair.a)
        rows.append([pair.system, pair.metric, pair.a, pair.b, difference, pair.a_again, pair.b_again])
    columns = ["system", "metric", "score A", "score B", "difference", "A again", "B again"]
    title = "The scores as stated, and again from the given data"
    if not result.steps:
        columns, rows, title = columns[:-2], [row[:-2] for row in rows], "The scores as stated"
    return Table(columns, rows, title=title, main="score B")


def _step_table(result: ExplainedDifference) -> Table:
    rows: list[Sequence[Cell]] = []
    for step in result.steps:
        cells: list[Cell] = [step.system, step.metric, step.step, step.setting, step.a, step.b, step.score]
        rows.append([*cells, *(None if value is None else Signed(value) for value in (step.change, step.alone))])
    notes = [ORDER, "alone: the change where this setting is B's and all others are A's"]
    if result.interacts:
        notes.append(
            f"steps interact ({', '.join(result.interacts)}): in another order, each would change the score by another "
            "amount; only the sum stays"
        )
    columns = ["system", "metric", "step", "setting", "A", "B", "score", "change", "alone"]
    title = "From A to B, one setting at a time" if result.complete else "One setting at a time, as far as data go"
    return Table(columns, rows, title=title, footnotes=notes, plain=["step"])
