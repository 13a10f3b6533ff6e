"""Scores as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from gecval.results.table import DELIMITED, Cell, Table, percent
from gecval.studies.compare.result import Comparison
from gecval.studies.scores.result import ErrorCategories, Score, Scores, TypeRecalls, TypeScores
from gecval.studies.scores.sentences import SentenceScores


def score_tables(scores: Scores, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """Sentence by sentence where that was asked for; for programs a row per score, for people a row per system."""
    if any(score.sentences is not None for score in scores):
        return [sentence_table(scores)]
    return [long_table(scores) if style in DELIMITED else score_table(scores, parts=parts)]


def score_table(scores: Scores, *, parts: bool | None = None) -> Table:
    """A row per system, a column per metric with its interval, ranks and cluster; the best of each metric is bold.

    ``parts`` says whether to show what scores are made of, such as precision; by default where there is one metric.
    """
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
        for part in first.parts if (alone if parts is None else parts) else ():
            add(part if alone else f"{metric} {part}", [score.parts[part] for score in of_metric])
        best = (max if first.higher_is_better else min)(score.score for score in of_metric)
        bold |= {(r, len(columns)) for r, score in enumerate(of_metric) if score.score == best and len(of_metric) > 1}
        add(metric, [score.score for score in of_metric])
        if first.interval is not None and first.level is not None:
            name = f"{percent(first.level)} interval"
            add(name if alone else f"{metric} {name}", [score.interval for score in of_metric])
        if first.ranks is not None:
            add("ranks" if alone else f"{metric} ranks", [ranks_text(score.ranks) for score in of_metric])
            add("cluster" if alone else f"{metric} cluster", [score.cluster for score in of_metric])
    notes = _incomparable(scores) + directions(scores) + signatures(scores)
    return Table(columns, list(cells), bold=bold, footnotes=notes)


def sentence_score_tables(scores: SentenceScores, style: str = "text") -> list[Table]:
    """A row per sentence, system and metric; texts and edits are in JSON and JSONL only."""
    rows: list[Sequence[Cell]] = [
        [row.sentence, row.system, name, of_metric.score, of_metric.tp, of_metric.fp, of_metric.fn]
        for row in scores.sentences
        for name, of_metric in row.scores.items()
    ]
    return [Table(["sentence", "system", "metric", "score", "tp", "fp", "fn"], rows)]


def ranks_text(ranks: tuple[int, int] | None) -> str:
    """A range of ranks.

    >>> ranks_text((1, 3)), ranks_text((2, 2))
    ('1-3', '2')
    """
    best, worst = ranks or ("", "")
    return str(best) if best == worst else f"{best}-{worst}"


def long_table(scores: Iterable[Score]) -> Table:
    """A row per score with everything known about it: for other programs."""
    scores = list(scores)
    ranked = any(score.ranks for score in scores)
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    rows: list[Sequence[Cell]] = [
        [
            score.system,
            score.metric,
            score.score,
            score.interval,
            *([*(score.ranks or (None, None)), score.cluster] if ranked else []),
            *(score.parts.get(name) for name in parts),
            score.signature,
        ]
        for score in scores
    ]
    places = ["best rank", "worst rank", "cluster"] if ranked else []
    level = next((score.level for score in scores if score.level is not None), None)
    columns = ["system", "metric", "score", "interval", *places, *parts, "signature"]
    return Table(columns, rows, level=level, intervals=["interval"])


def sentence_table(scores: Scores) -> Table:
    """A row per sentence, a column per system and metric."""
    columns = [score.sentences for score in scores if score.sentences is not None]
    rows: list[Sequence[Cell]] = [
        [number, *map(float, values)] for number, values in enumerate(zip(*columns, strict=True), start=1)
    ]
    return Table(["sentence", *(f"{score.system} {score.metric}" for score in scores)], rows)


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


# Scores and recall by type of error, and errors by category, as tables.


def type_score_tables(scores: TypeScores, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """A row per type of error. Several systems are columns, for programs rows.

    ``parts`` says whether to show counts, precision and recall; by default where there is one system.
    """
    systems = list(dict.fromkeys(row.system for row in scores.types))
    if style in DELIMITED or len(systems) == 1:
        return [_long_type_table(scores, parts=parts is not False or style in DELIMITED)]
    by_key = {(row.system, row.type): row for row in scores.types}
    types = sorted({row.type for row in scores.types})
    names = (
        [("tp", "tp"), ("fp", "fp"), ("fn", "fn"), ("precision", "precision"), ("recall", "recall")] if parts else []
    )
    names += [("F", "score"), *([(f"{percent(scores.level)} interval", "interval")] if scores.level else [])]
    columns = ["type", *(system if name == "F" else f"{system} {name}" for system in systems for name, _ in names)]
    rows: list[Sequence[Cell]] = [
        [kind, *(getattr(by_key.get((system, kind)), field, None) for system in systems for _, field in names)]
        for kind in types
    ]
    bold = {
        (r, columns.index(system))
        for r, kind in enumerate(types)
        for system in systems
        if (system, kind) in by_key
        and by_key[system, kind].score == max(by_key[other, kind].score for other in systems if (other, kind) in by_key)
    }
    title = f"{scores.metric} by type of error"
    return [Table(columns, rows, title=title, bold=bold, footnotes=[scores.signature])]


def _long_type_table(scores: TypeScores, *, parts: bool) -> Table:
    with_interval = scores.level is not None
    names = ["tp", "fp", "fn", "precision", "recall"] if parts else []
    fields = [*names, "score", *(["interval"] if with_interval else [])]
    rows: list[Sequence[Cell]] = [
        [row.system, row.type, *(getattr(row, field) for field in fields)] for row in scores.types
    ]
    interval = [f"{percent(scores.level)} interval"] if scores.level else []
    columns = ["system", "type", *names, "F", *interval]
    return Table(columns, rows, footnotes=[scores.signature], level=scores.level, main="F")


def type_recall_tables(recalls: TypeRecalls, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """A row per system and type. ``parts`` says whether to show the counts; by default it does."""
    counts = ["gold", "within", "correct", "span", "overlap"]
    if not any(row.within for row in recalls.types):
        counts.remove("within")
    shown = counts if parts is not False or style in DELIMITED else []
    fields = ["system", "type", *shown, "recall", "span_recall", "overlap_recall"]
    rows: list[Sequence[Cell]] = [[getattr(row, field) for field in fields] for row in recalls.types]
    columns = [field.replace("_", " ") for field in fields]
    title = f"{recalls.metric}: recall by type of error"
    return [Table(columns, rows, title=title, footnotes=[recalls.signature], main="recall")]


def category_tables(errors: ErrorCategories, style: str = "text", *, parts: bool | None = None) -> list[Table]:
    """How many errors of each category a grammar checker finds, a column per system. Counts have no ``parts``."""
    categories = sorted({category for system in errors.systems for category in system.categories})
    rows: list[Sequence[Cell]] = [
        [category, *(system.categories.get(category, 0) for system in errors.systems)] for category in categories
    ]
    return [Table(["category", *(system.system for system in errors.systems)], rows)]


# What stands below tables of scores: which way is up, and the signatures.


class Directed(Protocol):
    """A result of a metric that knows which way is up."""

    @property
    def metric(self) -> str: ...

    @property
    def higher_is_better(self) -> bool: ...


def directions(results: Iterable[Score | Comparison]) -> list[str]:
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better" for name in lower]


def negated(results: Iterable[Directed]) -> list[str]:
    """What tables of agreement say: there, more is better for every metric."""
    lower = dict.fromkeys(result.metric for result in results if not result.higher_is_better)
    return [f"{name}: lower is better, so that the figures are those of the negated score" for name in lower]


def signatures(results: Iterable[Score | Comparison]) -> list[str]:
    return list(dict.fromkeys(result.signature for result in results))
