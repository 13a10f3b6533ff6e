"""What is kept of what models said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.result import Result


@dataclass(frozen=True, kw_only=True)
class CachedModel:
    """What is kept of one model. ``used`` is the day of its last use, None where it was not noted."""

    file: str
    answers: int
    bytes: int
    used: str | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Cached(Result):
    """What is kept of all models, and how many answers were removed. ``limit`` is None where there is none."""

    kind: ClassVar[str] = "cached"
    main: ClassVar[str] = "models"

    folder: str
    limit: int | None
    bytes: int
    removed: int
    models: tuple[CachedModel, ...]
