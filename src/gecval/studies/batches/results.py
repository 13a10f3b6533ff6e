"""What scoring and filtering files of pairs gives, beside the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.result import MaybeUndefined, Result


@dataclass(frozen=True, kw_only=True)
class MeanScore:
    """The mean of a metric's scores over all rows that have one; undefined where none has."""

    metric: str
    mean: MaybeUndefined
    rows: int


@dataclass(frozen=True, kw_only=True, repr=False)
class ScoredPairs(Result):
    """How many rows a file of pairs had, and what became of them.

    ``kept`` are the rows in the output: all, but where a condition ``where`` chose. ``bad`` are those without scores.
    """

    kind: ClassVar[str] = "scored-pairs"
    main: ClassVar[str] = "means"

    output: str
    rows: int
    kept: int
    bad: int
    where: str | None = None
    means: tuple[MeanScore, ...]
