"""What is cached of the answers of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import Result
from gecval.results.table import DELIMITED, Cell, Table


@dataclass(frozen=True, kw_only=True)
class CachedModel:
    """What is cached of one model. ``used`` is the day of its last use, None where it was not noted."""

    file: str
    answers: int
    bytes: int
    used: str | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Cached(Result):
    """What is cached of all models, and how many answers were removed. ``limit`` is None where there is none."""

    kind: ClassVar[str] = "cached"
    view: ClassVar[str] = "cached_tables"
    main: ClassVar[str] = "models"

    folder: str
    limit: int | None
    bytes: int
    removed: int
    models: tuple[CachedModel, ...]


def cached_tables(result: Cached, style: str = "text") -> list[Table]:
    """A row for each model, the largest first."""
    rows: list[Sequence[Cell]] = [[model.file, model.answers, model.bytes, model.used] for model in result.models]
    limit = "no limit" if result.limit is None else f"{result.limit / 1e6:,.0f} MB allowed"
    gone = f"; {result.removed:,} answers removed" if result.removed else ""
    title = f"{result.folder}: {result.bytes / 1e6:,.1f} MB cached, {limit}{gone}"
    return [Table(["file", "answers", "bytes", "last used"], rows, title="cache" if style in DELIMITED else title)]
