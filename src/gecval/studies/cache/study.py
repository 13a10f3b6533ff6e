"""What is cached of the answers of models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import Result


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
