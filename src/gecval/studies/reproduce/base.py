"""A published table beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gecval.stats import Interval


@dataclass(frozen=True)
class Figure:
    """A published number and ours; either may be unknown."""

    published: float | None = None
    ours: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True)
class Reproduction:
    """One table of a paper: ``rows[label][column]`` is a figure."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Figure]]
    notes: tuple[str, ...] = ()
    row_name: str = field(default="metric")
