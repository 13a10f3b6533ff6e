"""Scores and comparisons as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gecval.report.grid import P, Signed
from gecval.report.table import DELIMITED, Cell, Table, percent
from gecval.studies.scores.by_type import ErrorCategories, TypeScores
from gecval.studies.scores.results import Comparison, Comparisons, Score, Scores


def score_tables(scores: Scores, style: str = "text") -> list[Table]:
    """Sentence by sentence where that was asked for; for programs a row per score, for people a row per system."""
    if any(score.sentences is not None for score in scores):
        return [sentence_table(scores)]
    return [long_table(scores) if style in DELIMITED else score_table(scores)]


def score_table(scores: Scores) -> Table:
    """A row per system, a column per metric with its parts and interval; the best of each metric is bold."""
    columns = ["system"]
    cells: list[list[Cell]] = [[system] for system in scores.systems]
    bold: set[tuple[int, int]] = set()
    alone = len(scores.metrics) == 1

    def add(name: str, column: Sequence[Cell]) -> None:
        columns.append(name)
        for row, cell in zip(cells, column, strict=True):
            row.append(cell)

    for metric in scores.metrics:
        of_metric = [scores[system, metric] for system in scores.systems]
        first = of_metric[0]
        for part in first.parts if alone else ():
            add(part, [score.parts[part] for score in of_metric])
        best = (max if first.higher_is_better else min)(score.score for score in of_metric)
        bold |= {(r, len(columns)) for r, score in enumerate(of_metric) if score.score == best and len(of_metric) > 1}
        add(metric, [score.score for score in of_metric])
        if first.interval is not None and first.level is not None:
            name = f"{percent(first.level)} interval"
            add(name if alone else f"{metric} {name}", [score.interval for score in of_metric])
    notes = _incomparable(scores) + _directions(scores) + _signatures(scores)
    return Table(columns, list(cells), bold=bold, footnotes=notes)


def long_table(scores: Scores) -> Table:
    """A row per score with everything known about it: for other programs."""
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    rows: list[Sequence[Cell]] = [
        [
            score.system,
            score.metric,
            score.score,
            *(score.interval or (None, None)),
            *(score.parts.get(name) for name in parts),
            score.signature,
        ]
        for score in scores
    ]
    return Table(["system", "metric", "score", "low", "high", *parts, "signature"], rows)


def sentence_table(scores: Scores) -> Table:
    """A row per sentence, a column per system and metric."""
    columns = [score.sentences for score in scores if score.sentences is not None]
    rows: list[Sequence[Cell]] = [
        [number, *map(float, values)] for number, values in enumerate(zip(*columns, strict=True), start=1)
    ]
    return Table(["sentence", *(f"{score.system} {score.metric}" for score in scores)], rows)


def comparison_tables(comparisons: Comparisons, style: str = "text") -> list[Table]:
    """A row per metric and system: both scores, their difference with its interval, and two p-values."""
    columns = ["metric", "baseline", "baseline score", "system", "score", "difference", "interval"]
    rows: list[Sequence[Cell]] = []
    bold = set()
    for r, comparison in enumerate(comparisons):
        if comparison.significant:
            bold |= {(r, 5), (r, 4 if comparison.system_is_better else 2)}
        row: list[Cell] = [comparison.metric, comparison.baseline, comparison.baseline_score]
        row += [comparison.system, comparison.score, Signed(comparison.difference), comparison.interval]
        rows.append([*row, P(comparison.p_bootstrap), P(comparison.p_randomisation)])
    notes = ["bold: both tests give p < 0.05, and the better score"] if bold else []
    notes += _directions(comparisons) + _signatures(comparisons)
    columns += ["p bootstrap", "p randomisation"]
    return [Table(columns, rows, bold=bold, interval_digits=4, footnotes=notes)]


def type_score_tables(scores: TypeScores, style: str = "text") -> list[Table]:
    """A row per system and type of error."""
    rows: list[Sequence[Cell]] = [
        [row.system, row.type, row.tp, row.fp, row.fn, row.precision, row.recall, row.score] for row in scores.types
    ]
    return [Table(["system", "type", "tp", "fp", "fn", "precision", "recall", "F"], rows)]


def category_tables(errors: ErrorCategories, style: str = "text") -> list[Table]:
    """How many errors of each category a grammar checker finds, a column per system."""
    categories = sorted({category for system in errors.systems for category in system.categories})
    rows: list[Sequence[Cell]] = [
        [category, *(system.categories.get(category, 0) for system in errors.systems)] for category in categories
    ]
    return [Table(["category", *(system.system for system in errors.systems)], rows)]


def _directions(results: Iterable[Score | Comparison]) -> list[str]:
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better" for name in lower]


def _incomparable(scores: Scores) -> list[str]:
    """A warning where one column holds scores of one metric under different settings, data or versions."""
    signatures: dict[str, set[str]] = {}
    for score in scores:
        signatures.setdefault(score.metric, set()).add(score.signature)
    return [
        f"warning: the scores of {metric} are not comparable, their signatures differ"
        for metric, different in signatures.items()
        if len(different) > 1
    ]


def _signatures(results: Iterable[Score | Comparison]) -> list[str]:
    return list(dict.fromkeys(result.signature for result in results))
