"""Reading a passport that may come from anybody: every value is checked, and nothing in it is run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.metrics import metric, metric_names
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.metrics.shapes import check_fit
from gecval.stats import Resampling
from gecval.studies.passport.lines import SCHEMA, Entry, own_metric, statistics_of

MOST_BYTES = 500_000_000
MOST_RESAMPLES = 100_000
MOST_DRAWS = 10_000  # of references, as GLEU draws them
MOST_COLUMNS = 1000
MOST_SHARDS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Totals:
    """How a part without rows was resampled, how many sentences it has, and the sums for each score, [resample, k]."""

    resamples: int
    seed: int
    sentences: int
    sums: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, kw_only=True)
class Passport:
    """What a passport says, and its lines as they stand in the file."""

    made_by: str
    aggregate: Aggregate
    resampling: Resampling | None
    entries: tuple[Entry, ...]
    lines: tuple[str, ...]
    shard: tuple[int, int] | None = None  # which part of how many
    totals: Totals | None = None  # of a part that keeps no rows


def read_passport(path: Path, *, vouched: Mapping[str, Metric] | None = None) -> Passport:
    """Read a passport, or refuse it in one line.

    ``vouched`` are metrics that the reader names himself, by their spelling: these may be code or files of his own.
    """
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path}: a passport has up to {MOST_BYTES:,} bytes")
    try:
        lines = path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path} is no passport: it is not UTF-8") from None
    objects = [_object(path, number, line) for number, line in enumerate(lines, start=1)]
    try:
        return _passport(objects, lines, vouched or {})
    except InputError as error:
        raise InputError(f"{path} is no passport that can be verified: {error}") from None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"{path} is no passport: {type(error).__name__} {str(error)[:80]}") from None


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{path}: line {number} is no JSON object, so this is no passport")
    return value


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _passport(objects: list[dict[str, Any]], lines: list[str], vouched: Mapping[str, Metric]) -> Passport:
    head, *others = objects
    if head.get("schema") != SCHEMA:
        raise InputError(f"its first line does not name {SCHEMA}")
    aggregate, sentences = head["aggregate"], _whole(head["sentences"], 1, 100_000_000)
    if aggregate not in AGGREGATES:
        raise InputError(f"aggregate is {' or '.join(AGGREGATES)}")
    entries = tuple(_entries(others, sentences, aggregate, vouched=vouched))
    keys = [entry.key for entry in entries]
    systems, metrics = dict.fromkeys(key[0] for key in keys), dict.fromkeys(key[1] for key in keys)
    if not keys or len(set(keys)) < len(keys) or len(keys) != len(systems) * len(metrics):
        raise InputError("every system needs one score under every metric")
    return Passport(
        made_by=_text(head["gecval"]),
        aggregate=aggregate,
        resampling=None if head["resampling"] is None else _resampling(head["resampling"]),
        entries=entries,
        lines=tuple(lines),
        shard=_shard(head["shard"]) if "shard" in head else None,
        totals=_totals(head["totals"], others, entries) if "totals" in head else None,
    )


def _totals(given: dict[str, Any], objects: list[dict[str, Any]], entries: tuple[Entry, ...]) -> Totals:
    resamples = _whole(given["resamples"], 2, MOST_RESAMPLES)
    sums = []
    for of_score, entry in zip(objects, entries, strict=True):
        array = np.array(of_score["resampled"], dtype=np.float64)
        if array.shape != (resamples, entry.evaluation.statistics.rows.shape[1]) or not np.isfinite(array).all():
            raise InputError("the sums of resamples do not fit")
        sums.append(array)
    seed, sentences = _whole(given["seed"], 0, 2**63), _whole(given["sentences"], 1, 10**12)
    return Totals(resamples=resamples, seed=seed, sentences=sentences, sums=tuple(sums))


def _shard(given: Any) -> tuple[int, int]:
    number, count = given
    return _whole(number, 1, _whole(count, 1, MOST_SHARDS)), count


def _resampling(given: dict[str, Any]) -> Resampling:
    return Resampling(
        _whole(given["resamples"], 2, MOST_RESAMPLES),
        level=float(given["level"]),
        method=_text(given["method"]),
        seed=_whole(given["seed"], 0, 2**63),
        jackknife_blocks=_whole(given["jackknife_blocks"], 2, 100_000),
    )


def _entries(
    objects: list[dict[str, Any]], sentences: int, aggregate: Aggregate, *, vouched: Mapping[str, Metric]
) -> Iterator[Entry]:
    for given in objects:
        if "rows" in given:  # a test is computed anew
            yield read_entry(given, sentences, aggregate, vouched=vouched)


def read_entry(
    given: dict[str, Any], sentences: int, aggregate: Aggregate, *, vouched: Mapping[str, Metric] | None = None
) -> Entry:
    """A score with its statistics, every value of it checked."""
    spelling, rows, references = _text(given["metric"]), given["rows"], given["references"]
    scored = (vouched or {}).get(spelling) or _own_metric(spelling)
    if getattr(scored, "iterations", 0) > MOST_DRAWS:
        raise InputError(f"{spelling[:60]!r} draws more than {MOST_DRAWS:,} references")
    columns = _whole(given["columns"], 1, MOST_COLUMNS)
    counts = [1] * sentences if references is None else [_whole(count, 1, 100_000) for count in references]
    if len(counts) != sentences or not isinstance(rows, list) or len(rows) != columns * sum(counts):
        raise InputError("the number of rows is not what its sentences and references need")
    if not all(isinstance(value, float) and isfinite(value) for value in rows):
        raise InputError("rows hold something that is no number")
    statistics = statistics_of(rows, columns, None if references is None else counts, sentences)
    check_fit(statistics, scored, sentences)
    evaluation = Evaluation(scored, statistics, aggregate=aggregate, system=_text(given["system"]))
    return Entry(evaluation=evaluation, signature=_text(given["signature"]), output=_text(given["output"]))


def _own_metric(spelling: str) -> Metric:
    if spelling.partition("(")[0].strip() not in metric_names() or any(sign in spelling for sign in ":/\\"):
        raise InputError(f"{spelling[:60]!r} is no metric of gecval's own")
    return own_metric(metric(spelling))


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 100_000:
        raise InputError("a text is missing or too long")
    return value


def _whole(value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise InputError(f"a whole number from {least:,} to {most:,} is missing")
    return int(value)
