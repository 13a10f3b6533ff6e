"""What is to be explained: two signatures, or two results with a signature for each score."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.studies.difference.signatures import Signature, read_signature
from gecval.studies.scores.results import Score, Scores

MOST_BYTES = 500_000_000


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A signature, with the system, the spelling of the metric and the score where a result states them."""

    signature: Signature
    system: str | None = None
    metric: str | None = None
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Sides:
    """Two that belong together: the same system under the same metric, or the only ones there are."""

    a: Stated
    b: Stated

    @property
    def system(self) -> str | None:
        names = dict.fromkeys(name for name in (self.a.system, self.b.system) if name is not None)
        return " → ".join(names) or None


def stated(given: str | Path | Score | Scores) -> list[Stated]:
    """Everything that a signature, a score, scores, or a JSON file of scores states."""
    if isinstance(given, Score | Scores):
        rows: Iterable[Any] = [given] if isinstance(given, Score) else given
        return [
            Stated(signature=read_signature(row.signature), system=row.system, metric=row.metric, score=row.score)
            for row in rows
        ]
    if isinstance(given, str):
        return [Stated(signature=read_signature(given))]
    return _from_file(given)


def _from_file(path: Path) -> list[Stated]:
    what = "a file that `gecval score --format json` writes"
    if not path.is_file():
        raise InputError(f"{path} is neither a signature nor a file; give a signature in quotes, or {what}")
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path} has more than {MOST_BYTES:,} bytes; give {what}")
    try:
        rows = json.loads(path.read_bytes())["scores"]
        listed = [
            Stated(
                signature=read_signature(row["signature"]),
                system=_text(row["system"]),
                metric=_text(row["metric"]),
                score=_number(row["score"]),
            )
            for row in rows
        ]
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} holds no scores with signatures; give {what}") from None
    if not listed:
        raise InputError(f"{path} holds no scores; give {what}")
    return listed


def paired(a: list[Stated], b: list[Stated]) -> tuple[list[Sides], list[str]]:
    """Which belong together, and notes on what is left out."""
    if a[0].system is None or b[0].system is None:
        only, others = (a[0], b) if a[0].system is None else (b[0], a)
        alike = [row for row in others if row.signature.metric == only.signature.metric] or others
        return [Sides(a=only, b=row) if only is a[0] else Sides(a=row, b=only) for row in alike], []
    systems = [name for name in dict.fromkeys(row.system for row in a) if name in {row.system for row in b}]
    names = [{row.system for row in rows} for rows in (a, b)]
    if not systems and max(map(len, names)) > 1:
        raise InputError("no system is in both results; give results that share a system, or have one system each")
    pairs = [(name, name) for name in systems] or [(a[0].system, b[0].system)]
    made: list[Sides] = []
    for first, second in pairs:
        made += _by_metric([row for row in a if row.system == first], [row for row in b if row.system == second])
    if not made:
        raise InputError("no metric is in both results; give results that share a metric, or have one metric each")
    used = {id(side.a) for side in made} | {id(side.b) for side in made}
    left = [f"{row.system} under {row.metric}" for row in (*a, *b) if id(row) not in used]
    notes = [f"left out, as only one of the two results has it: {', '.join(left)}"] if left else []
    return made, notes


def _by_metric(a: list[Stated], b: list[Stated]) -> list[Sides]:
    """Scores with the same spelling; then the only ones of a metric; then the only ones that are left."""
    made: list[Sides] = []
    for key in (lambda row: row.metric, lambda row: row.signature.metric, lambda row: None):
        for value in dict.fromkeys(key(row) for row in a):
            first, second = ([row for row in rows if key(row) == value] for rows in (a, b))
            if len(first) == len(second) == 1:
                made.append(Sides(a=first[0], b=second[0]))
                a, b = ([row for row in rows if row is not used[0]] for rows, used in ((a, first), (b, second)))
    return made


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise TypeError
    return float(value)
