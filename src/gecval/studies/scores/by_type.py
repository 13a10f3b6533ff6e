"""Which errors does a system correct? ERRANT's score and M²'s recall by type, and a checker's errors by category.

Each sentence is compared with the annotator whom the whole score chose, in resamples too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.error_types import Detail, ErrorsByCategory, RecallByType, ScoresByType, find_scores_by_type
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.reference_rules.reference_rule import count_draws
from gecval.results.result import Result
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Table, percent
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Interval, Resampling
from gecval.stats.paired_tests import Correction, Family, Test
from gecval.stats.resampling import (
    Confidence,
    few_units_notes,
    resampled_interval,
    resolve_optional_resampling,
    resolve_resampling,
)
from gecval.studies.compare.result import Comparisons
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems
from gecval.studies.scores.scored_system import ScoredSystem, compare_pair, correct_comparisons, correction_notes


@dataclass(frozen=True, kw_only=True)
class SystemTypeScore:
    """How a system fares with errors of one type. ``interval`` is None where no interval was asked for."""

    system: str
    type: str
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    score: float
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class TypeScores(Result):
    """Scores of systems under ERRANT, a row for each type of error."""

    kind: ClassVar[str] = "type-scores"
    view: ClassVar[str] = "type_score_tables"
    main: ClassVar[str] = "types"

    metric: str
    detail: Detail
    level: float | None = None
    types: tuple[SystemTypeScore, ...]
    signature: str


@dataclass(frozen=True, kw_only=True)
class SystemTypeRecall:
    """How many gold edits of one type a system made, or touched.

    ``span`` also counts other corrections of the same words, ``overlap`` also edits that share a place. ``within`` are
    edits in word-order edits that ``m2(nested="estgec")`` adds, and counts as made.
    """

    derived: ClassVar[tuple[str, ...]] = ("recall", "span_recall", "overlap_recall")

    system: str
    type: str
    gold: int
    within: int
    correct: int
    span: int
    overlap: int

    @property
    def recall(self) -> float:
        return self._share(self.correct)

    @property
    def span_recall(self) -> float:
        return self._share(self.span)

    @property
    def overlap_recall(self) -> float:
        return self._share(self.overlap)

    def _share(self, made: int) -> float:
        return (made + self.within) / (self.gold + self.within)


@dataclass(frozen=True, kw_only=True, repr=False)
class TypeRecalls(Result):
    """Recall of systems under M², a row for each type of gold edit."""

    kind: ClassVar[str] = "type-recalls"
    view: ClassVar[str] = "type_recall_tables"
    main: ClassVar[str] = "types"

    metric: str
    detail: Detail
    types: tuple[SystemTypeRecall, ...]
    signature: str


@dataclass(frozen=True, kw_only=True)
class SystemErrors:
    """How many errors of each category a grammar checker finds in one output."""

    system: str
    categories: Mapping[str, int]


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorCategories(Result):
    """The errors that a grammar checker finds in outputs, by its categories."""

    kind: ClassVar[str] = "error-categories"
    view: ClassVar[str] = "category_tables"
    main: ClassVar[str] = "systems"

    metric: str
    systems: tuple[SystemErrors, ...]


# The study.


def score_by_type(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    detail: Detail = "category",
    confidence: Confidence = False,
    edits: Edits = None,
    run: Run = HERE,
) -> TypeScores | TypeRecalls | ErrorCategories:
    """The scores of ``errant`` by type of error, the recall of ``m2``, or the errors that ``lt`` finds by category.

    ``confidence`` gives the scores of ``errant`` confidence intervals. ``detail`` says how fine types are.
    """
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics)
    metric = wanted[0] if len(wanted) == 1 else None
    if isinstance(metric, ErrorsByCategory):
        return _categories(metric, corpus, listed, run=run)
    if isinstance(metric, RecallByType):
        [prepared] = prepare(corpus, listed, wanted, extractor=edits, run=run)
        announce(run.progress, "scoring by type")
        recalls = _recalls(metric, prepared, listed, detail, run=run)
        return replace(recalls, notes=(*input_notes(corpus, listed, wanted), *recalls.notes))
    errant = _scores_by_type(wanted)
    [prepared] = prepare(corpus, listed, wanted, extractor=edits, types=True, run=run)
    announce(run.progress, "scoring by type")
    resampling = resolve_optional_resampling(confidence) if len(corpus) > 1 else None
    types = []
    for system in listed:
        statistics = Evaluation.of(errant, prepared, system, run=run.quiet()).statistics
        types += score_types(errant, prepared, system, statistics, detail=detail, resampling=resampling, run=run)
    return TypeScores(
        metric=repr(errant),
        detail=detail,
        level=resampling.level if resampling else None,
        types=tuple(row for row, _ in types),
        signature=str(Signature.of(errant, prepared, "corpus", systems=listed, resampling=resampling)),
        notes=(*input_notes(corpus, listed, wanted), *prepared.notes),
    )


def score_types(
    metric: ScoresByType,
    corpus: Corpus,
    system: System,
    statistics: Statistics,
    *,
    detail: Detail,
    resampling: Resampling | None,
    run: Run,
) -> list[tuple[SystemTypeScore, int]]:
    """A system's score for each type, and how many of its false positives touch an edit of the reference.

    ``statistics`` are those of the system under the metric, on the same corpus.
    """
    counts = metric.counts_by_type(corpus, system, statistics, detail, run=run)
    intervals = _type_intervals(metric, [of_type.statistics for of_type in counts.values()], resampling)
    rows = []
    for (kind, of_type), interval in zip(counts.items(), intervals, strict=True):
        total = of_type.statistics.rows.sum(axis=0)
        parts = metric.parts(total)
        row = SystemTypeScore(
            system=system.name,
            type=kind,
            tp=int(parts["tp"]),
            fp=int(parts["fp"]),
            fn=int(parts["fn"]),
            precision=parts["precision"],
            recall=parts["recall"],
            score=float(metric.score(total)),
            interval=interval,
        )
        rows.append((row, of_type.wrong))
    return rows


def _type_intervals(
    metric: Metric, statistics: Sequence[Statistics], resampling: Resampling | None
) -> list[Interval | None]:
    """The interval of each type. One matrix product counts all types: counts are whole numbers, so it is exact."""
    if resampling is None or not statistics:
        return [None] * len(statistics)
    size, columns = statistics[0].rows.shape
    rows = np.concatenate([of_type.rows for of_type in statistics], axis=1)
    with_empty = np.concatenate([rows, np.zeros_like(rows[:1])])  # ``size`` stands for no sentence

    def score(totals: Array) -> Array:
        return metric.score(totals.reshape(len(totals), -1, columns))

    counts = (count_draws(draws, size + 1) for draws in resampling.draws(size))
    resampled = np.concatenate([score(of_sentences @ with_empty) for of_sentences in counts])
    observed = score(rows.sum(axis=0, keepdims=True))[0]
    blocks = resampling.leave_out(size)
    without = score(rows.sum(axis=0) - np.stack([rows[block].sum(axis=0) for block in blocks]))
    return [
        resampled_interval(
            resampled[:, k],
            float(observed[k]),
            lambda _, k=k: without[:, k],  # type: ignore[misc]
            size=size,
            resampling=resampling,
            scale=metric.scale,
        )
        for k in range(len(statistics))
    ]


def compare_by_type(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    detail: Detail = "category",
    confidence: Confidence = True,
    test: Test = "studentised",
    correction: Correction = "none",
    family: Family = "all",
    edits: Edits = None,
    run: Run = HERE,
) -> Comparisons:
    """Test each system against the baseline under ``errant``, for every type of error that one of the two has.

    ``correction`` (``holm`` or ``bh``) corrects the p-values for the number of types and systems.
    """
    listed, wanted, resampling = (
        resolve_systems(systems, corpus),
        resolve_metrics(metrics),
        resolve_resampling(confidence),
    )
    errant = _scores_by_type(wanted)
    [prepared] = prepare(corpus, [baseline, *listed], wanted, extractor=edits, types=True, run=run)
    announce(run.progress, "testing differences")
    nothing = Statistics.one_per_sentence(np.zeros((len(corpus), 3)))

    def with_statistics(system: System, statistics: Statistics | None) -> ScoredSystem:
        return ScoredSystem(Evaluation(errant, statistics or nothing, run=run, system=system.name), resampling)

    def statistics_by_type(system: System) -> dict[str, Statistics]:
        whole = Evaluation.of(errant, prepared, system, run=run.quiet()).statistics
        counts = errant.counts_by_type(prepared, system, whole, detail, run=run)
        return {kind: of_type.statistics for kind, of_type in counts.items()}

    before = statistics_by_type(baseline)
    outputs = [(system, statistics_by_type(system)) for system in listed]
    of_baseline = {kind: with_statistics(baseline, statistics) for kind, statistics in before.items()}
    comparisons = []
    for system, after in outputs:
        signed = Signature.of(errant, prepared, "corpus", systems=[baseline, system], resampling=resampling)
        for kind in sorted(set(before) | set(after)):
            first = of_baseline.get(kind) or with_statistics(baseline, None)
            comparisons.append(
                compare_pair(first, with_statistics(system, after.get(kind)), signature=signed, type=kind, test=test)
            )
    notes = (
        *correction_notes(comparisons, correction, resampling, family),
        *few_units_notes(resampling, len(corpus)),
        *input_notes(corpus, [baseline, *listed], wanted),
    )
    corrected = correct_comparisons(comparisons, correction, family)
    return Comparisons(comparisons=corrected, notes=notes + prepared.notes)


def _recalls(metric: RecallByType, corpus: Corpus, systems: list[System], detail: Detail, *, run: Run) -> TypeRecalls:
    types: list[SystemTypeRecall] = []
    notes: list[str] = []
    for system in systems:
        statistics = Evaluation.of(metric, corpus, system, run=run.quiet()).statistics
        by_type = metric.recall_by_type(corpus, system, statistics, detail, run=run)
        types += [SystemTypeRecall(system=system.name, type=kind, **asdict(row)) for kind, row in by_type.items()]
        notes += statistics.notes
    return TypeRecalls(
        metric=repr(metric),
        detail=detail,
        types=tuple(types),
        signature=str(Signature.of(metric, corpus, "corpus")),
        notes=(*dict.fromkeys(notes), *corpus.notes),
    )


def _scores_by_type(metrics: Sequence[Metric]) -> ScoresByType:
    errant = find_scores_by_type(metrics)
    if errant is None or len(metrics) > 1:
        raise InputError(
            "scores by type of error are those of errant, and of no other metric; m2 has recall by type, and lt and "
            "grammaticality count errors by category, both without a comparison",
            parameter="metrics",
        )
    return errant


def _categories(metric: ErrorsByCategory, corpus: Corpus, systems: list[System], *, run: Run) -> ErrorCategories:
    metric.prepare(corpus, systems, run=run)
    errors = [
        SystemErrors(system=system.name, categories=metric.errors_by_category(system, run=run)) for system in systems
    ]
    return ErrorCategories(metric=repr(metric), systems=tuple(errors), notes=corpus.notes)


# Its tables.


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
