"""What is cached of the answers of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import ClassVar

from gecval.models.cache import cache_files
from gecval.models.model_files import list_converted_folders
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


def list_cached(folder: Path, *, limit: int | None, removed: int = 0) -> Cached:
    """What is in the folder of the caches: the answers of models, and models that were converted."""
    models = [
        CachedModel(
            file=file.path.name,
            answers=file.entries,
            bytes=file.bytes,
            used=_day(file.used) if file.used else None,
        )
        for file in cache_files(folder)
    ]
    models += [
        CachedModel(
            file=f"{place.parent.name}/{place.name}",
            answers=0,
            bytes=sum(file.stat().st_size for file in place.iterdir()),
            used=_day(place.stat().st_mtime),
        )
        for place in list_converted_folders(folder)
    ]
    models.sort(key=lambda model: (-model.bytes, model.file))
    total = sum(model.bytes for model in models)
    return Cached(folder=str(folder), limit=limit, bytes=total, removed=removed, models=tuple(models))


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d")


def cached_tables(result: Cached, style: str = "text") -> list[Table]:
    """A row for each model, the largest first."""
    rows: list[Sequence[Cell]] = [[model.file, model.answers, model.bytes, model.used] for model in result.models]
    limit = "no limit" if result.limit is None else f"{result.limit / 1e6:,.0f} MB allowed"
    gone = f"; {result.removed:,} answers removed" if result.removed else ""
    title = f"{result.folder}: {result.bytes / 1e6:,.1f} MB cached, {limit}{gone}"
    return [Table(["file", "answers", "bytes", "last used"], rows, title="cache" if style in DELIMITED else title)]
