"""What explaining the difference of two scores gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence


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
