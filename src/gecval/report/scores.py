"""Scores and comparisons as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gecval.metrics.errant_types import TypeScore
from gecval.report.table import Cell, Table
from gecval.stats import Interval
from gecval.studies import Comparison, Score


def interval_text(interval: Interval, digits: int = 3) -> str:
    return f"[{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def score_table(scores: Sequence[Score]) -> Table:
    """A row per system, a column per metric with its parts and interval; the best of each metric is bold."""
    systems = list(dict.fromkeys(one.system for one in scores))
    metrics = list(dict.fromkeys(one.metric for one in scores))
    found = {(one.system, one.metric): one for one in scores}
    columns = ["system"]
    cells: list[list[Cell]] = [[system] for system in systems]
    bold: set[tuple[int, int]] = set()
    for name in metrics:
        mine = [found[system, name] for system in systems]
        parts = list(mine[0].parts) if len(metrics) == 1 else []
        for part in parts:
            columns.append(part)
            for row, one in zip(cells, mine, strict=True):
                row.append(one.parts[part])
        best = (max if mine[0].higher_is_better else min)(one.score for one in mine)
        bold |= {(r, len(columns)) for r, one in enumerate(mine) if one.score == best and len(mine) > 1}
        columns.append(name)
        for row, one in zip(cells, mine, strict=True):
            row.append(one.score)
        if mine[0].interval is not None:
            columns.append(f"{name} {_level(mine[0])} interval" if len(metrics) > 1 else f"{_level(mine[0])} interval")
            for row, one in zip(cells, mine, strict=True):
                row.append(one.interval)
    notes = _mixed_versions(scores) + _directions(scores) + _signatures(scores)
    return Table(columns, list(cells), bold=bold, footnotes=notes)


def _directions(found: Iterable[Score | Comparison]) -> list[str]:
    lower = dict.fromkeys(one.metric for one in found if not one.higher_is_better)
    return [f"{name}: lower is better" for name in lower]


def _level(one: Score) -> str:
    _, _, settings = one.signature.partition("|bca:" if "|bca:" in one.signature else "|percentile:")
    return f"{100 * float(settings.partition('|')[0]):.6g}%"


def long_table(scores: Sequence[Score]) -> Table:
    """A row per score with everything known about it: for TSV."""
    parts = list(dict.fromkeys(name for one in scores for name in one.parts))
    rows: list[Sequence[Cell]] = [
        [
            one.system,
            one.metric,
            one.score,
            *(one.interval or (None, None)),
            *(one.parts.get(name) for name in parts),
            one.signature,
        ]
        for one in scores
    ]
    return Table(["system", "metric", "score", "low", "high", *parts, "signature"], rows)


def sentence_table(scores: Sequence[Score]) -> Table:
    """A row per sentence, a column per system and metric."""
    columns = [one.sentences for one in scores if one.sentences is not None]
    rows: list[Sequence[Cell]] = [
        [number, *map(float, values)] for number, values in enumerate(zip(*columns, strict=True), start=1)
    ]
    return Table(["sentence", *(f"{one.system} {one.metric}" for one in scores)], rows)


def scores_json(scores: Iterable[Score]) -> str:
    """One object: {"scores": [{"system": …, "metric": …, "score": …, "parts": …, "interval": …, "signature": …}]}."""
    return json.dumps({"scores": [_score_object(one) for one in scores]}, ensure_ascii=False, indent=1)


def _score_object(one: Score) -> dict[str, Any]:
    item: dict[str, Any] = {
        "system": one.system,
        "metric": one.metric,
        "score": one.score,
        "parts": one.parts,
        "interval": list(one.interval) if one.interval else None,
        "signature": one.signature,
    }
    if one.notes:
        item["notes"] = list(one.notes)
    if one.sentences is not None:
        item["sentences"] = one.sentences.tolist()
    return item


def type_score_table(scores: Mapping[str, Sequence[TypeScore]]) -> Table:
    """A row per system and type of error."""
    rows: list[Sequence[Cell]] = [
        [system, one.type, one.tp, one.fp, one.fn, one.precision, one.recall, one.score]
        for system, listed in scores.items()
        for one in listed
    ]
    return Table(["system", "type", "tp", "fp", "fn", "precision", "recall", "F"], rows)


def category_table(counts: Mapping[str, Mapping[str, int]]) -> Table:
    """How many errors of each category a grammar checker finds, a column per system."""
    categories = sorted({category for found in counts.values() for category in found})
    rows: list[Sequence[Cell]] = [
        [category, *(found.get(category, 0) for found in counts.values())] for category in categories
    ]
    return Table(["category", *counts], rows)


def comparison_table(comparisons: Sequence[Comparison]) -> Table:
    """A row per metric and system: both scores, their difference with its interval, and two p-values."""
    columns = ["metric", "baseline", "baseline score", "system", "score", "difference", "interval"]
    rows: list[Sequence[Cell]] = []
    bold = set()
    for r, one in enumerate(comparisons):
        test = one.test
        if max(test.bootstrap_p, test.randomisation_p) < 0.05:
            bold |= {(r, 5), (r, 4 if (test.difference > 0) == one.higher_is_better else 2)}
        row: list[Cell] = [one.metric, one.baseline, one.baseline_score, one.system, one.score]
        rows.append([*row, f"{test.difference:+.4f}", test.interval, test.bootstrap_p, test.randomisation_p])
    notes = ["bold: both tests give p < 0.05, and the better score"] if bold else []
    notes += _directions(comparisons) + _signatures(comparisons)
    columns += ["p bootstrap", "p randomisation"]
    return Table(columns, rows, bold=bold, interval_digits=4, footnotes=notes)


def comparisons_json(comparisons: Iterable[Comparison]) -> str:
    return json.dumps(
        {
            "comparisons": [
                {
                    "metric": one.metric,
                    "baseline": one.baseline,
                    "baseline_score": one.baseline_score,
                    "system": one.system,
                    "score": one.score,
                    "difference": one.test.difference,
                    "interval": list(one.test.interval),
                    "p_bootstrap": one.test.bootstrap_p,
                    "p_randomisation": one.test.randomisation_p,
                    "signature": one.signature,
                    **({"notes": list(one.notes)} if one.notes else {}),
                }
                for one in comparisons
            ]
        },
        ensure_ascii=False,
        indent=1,
    )


def _mixed_versions(scores: Sequence[Score]) -> list[str]:
    """A warning where one column holds scores of one metric under different settings, data or versions."""
    signatures: dict[str, set[str]] = {}
    for one in scores:
        signatures.setdefault(one.metric, set()).add(one.signature)
    return [
        f"warning: the scores of {metric} are not comparable, their signatures differ"
        for metric, found in signatures.items()
        if len(found) > 1
    ]


def _signatures(results: Sequence[Score] | Sequence[Comparison]) -> list[str]:
    return list(dict.fromkeys(one.signature for one in results))
