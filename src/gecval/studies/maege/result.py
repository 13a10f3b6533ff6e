"""What MAEGE gives: how far each metric agrees with the lattices, and everything that the tables and charts show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Literal, get_args

from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, P, Table, percent
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.maege.lattices import Lattice, MaegeSettings
from gecval.studies.scores.result import negated

# The four ways to agree: of corpus scores with the models (ρ and r), of sentence scores with the chains (τ and r).
Figure = Literal["corpus_spearman", "corpus_pearson", "sentence_tau", "sentence_pearson"]
FIGURES: tuple[Figure, ...] = get_args(Figure)


@dataclass(frozen=True, kw_only=True)
class ReplicateMean:
    """A figure over all replicates: its mean, the interval that holds most of them, their standard deviation.

    A single replicate has no interval and the deviation 0. Replicates without a value, such as the correlation of a
    constant, do not count; where none has one, the mean is NaN.
    """

    mean: MaybeUndefined
    interval: Interval | None
    deviation: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class PValue:
    """How likely chance alone gives a figure as far from 0, in one replicate: the median over all of them.

    ``holm`` is corrected for as many tests as there are metrics.
    """

    p: MaybeUndefined
    holm: MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class MetricSummary:
    """How far one metric agrees with the lattices. ``best`` names the figures in which no other metric does better.

    Where lower scores are better, the figures are those of the negated score, so that agreement is always positive.
    ``rise`` is by how much the better correction of a pair scores more, on average.
    """

    metric: str
    corpus_spearman: ReplicateMean
    corpus_pearson: ReplicateMean
    sentence_tau: ReplicateMean
    sentence_pearson: ReplicateMean
    corpus_spearman_p: PValue
    corpus_pearson_p: PValue
    sentence_tau_p: PValue
    sentence_pearson_p: PValue
    tie_rate: float
    rise: ReplicateMean
    best: tuple[Figure, ...] = ()
    higher_is_better: bool = True


@dataclass(frozen=True, kw_only=True)
class MetricReplicates:
    """The figures of one metric in every replicate, one value for each."""

    metric: str
    corpus_spearman: tuple[MaybeUndefined, ...]
    corpus_pearson: tuple[MaybeUndefined, ...]
    sentence_tau: tuple[MaybeUndefined, ...]
    sentence_pearson: tuple[MaybeUndefined, ...]
    tie_rate: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class MetricDifference:
    """How much better a metric agrees than another, replicate by replicate.

    ``p`` is two-sided, by the share of replicates on either side of 0. It is None where replicates are too few for any
    p below 0.05.
    """

    figure: Figure
    metric: str
    against: str
    difference: ReplicateMean
    p: float | None


@dataclass(frozen=True, kw_only=True)
class TypeDelta:
    """Δ: how much an edit of one type changes the score of a metric, on average."""

    derived: ClassVar[tuple[str, ...]] = ("excludes_zero",)

    type: str
    metric: str
    edits: int
    delta: ReplicateMean

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside the interval."""
        interval = self.delta.interval
        return interval is not None and (interval.low > 0 or interval.high < 0)


@dataclass(frozen=True, kw_only=True)
class CorpusScore:
    """The score of the corpora to which a model applies so many edits a sentence, on average."""

    metric: str
    model: float
    score: ReplicateMean


@dataclass(frozen=True, kw_only=True)
class OriginalsScore:
    """The mean score of the originals that have so many errors (Figure 5 of the paper)."""

    metric: str
    errors: int
    score: float
    sentences: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Maege(ResultSequence[MetricSummary]):
    """Metrics validated on lattices of corrections: a sequence of ``MetricSummary``, best sentence-level τ first.

    ``level`` is that of all intervals. ``types`` is empty unless it was asked for. ``example`` is the first lattice
    with three edits or more, for a picture; ``conflicts`` counts the edits that were left out of lattices. A replicate
    has ``chains`` with so many ``corrections`` together.
    """

    kind: ClassVar[str] = "maege"
    view: ClassVar[str] = "maege_tables"
    main: ClassVar[str] = "metrics"

    settings: MaegeSettings
    replicates: int
    seed: int
    sentences: int
    chains: int
    corrections: int
    conflicts: int
    level: float
    metrics: tuple[MetricSummary, ...]
    differences: tuple[MetricDifference, ...] = ()
    types: tuple[TypeDelta, ...] = ()
    corpora: tuple[CorpusScore, ...]
    originals: tuple[OriginalsScore, ...]
    by_replicate: tuple[MetricReplicates, ...]
    example: Lattice | None = None
    signature: str

    def __getitem__(self, key: int | str) -> MetricSummary:
        """The n-th metric, or the one of this name."""
        if isinstance(key, int):
            return self.metrics[key]
        for summary in self.metrics:
            if summary.metric == key:
                return summary
        raise KeyError(f"no metric {key!r}; there is {', '.join(summary.metric for summary in self.metrics)}")


# The result as tables.


LABELS: dict[Figure, str] = {
    "corpus_spearman": "corpus ρ",
    "corpus_pearson": "corpus r",
    "sentence_tau": "sentence τ",
    "sentence_pearson": "sentence r",
}
TYPES = "Δ of the score by type of edit"


def maege_tables(study: Maege, style: str = "text") -> list[Table]:
    """How far metrics agree; metric against metric where there are several replicates; types where asked for.

    For programs, agreement and chance are one table.
    """
    agreement, chance = agreement_table(study), significance_table(study)
    tables = [agreement, chance]
    if style in DELIMITED:
        agreement.columns = [*agreement.columns, *chance.columns[1:]]
        agreement.rows = [[*row, *more[1:]] for row, more in zip(agreement.rows, chance.rows, strict=True)]
        tables = [agreement]
    if study.differences:
        tables.append(difference_table(study))
    if study.types:
        tables.append(long_type_table(study) if style in DELIMITED else type_table(study))
    return tables


def agreement_table(study: Maege) -> Table:
    """A row per metric: corpus level, sentence level, tie rate; the best of each figure is bold."""
    several = study.replicates > 1
    columns, bold = ["metric"], set()
    rows: list[list[Cell]] = [[summary.metric] for summary in study]
    for figure in FIGURES:
        bold |= {(r, len(columns)) for r, summary in enumerate(study) if figure in summary.best}
        columns += [LABELS[figure], *([f"{LABELS[figure]} {percent(study.level)}"] if several else [])]
        for row, summary in zip(rows, study, strict=True):
            row += _cells(getattr(summary, figure), with_interval=several)
    for row, summary in zip(rows, study, strict=True):
        row.append(summary.tie_rate)
    notes = [
        f"{study.replicates} replicate{'s' * several} of {study.sentences} sentences, {study.conflicts} conflicting "
        f"edits left out; source: {study.settings.source}; ties count as {study.settings.ties}; {study.chains} chains "
        f"with {study.corrections} corrections",
        *negated(study),
        study.signature,
    ]
    table = Table([*columns, "ties"], list(rows), title="Agreement with the lattices", digits=3, level=study.level)
    table.bold, table.footnotes = bold, notes
    return table


def significance_table(study: Maege) -> Table:
    """A row per metric: how likely chance gives each of its figures, alone and corrected for several metrics."""
    corrected = len(study.metrics) > 1
    columns = ["metric", "rise", *([f"rise {percent(study.level)}"] if study.replicates > 1 else [])]
    rows: list[list[Cell]] = [
        [summary.metric, *_cells(summary.rise, with_interval=study.replicates > 1)] for summary in study
    ]
    for figure in FIGURES:
        columns += [f"p of {LABELS[figure]}", *(["Holm " + LABELS[figure]] if corrected else [])]
        for row, summary in zip(rows, study, strict=True):
            value: PValue = getattr(summary, f"{figure}_p")
            row += [P(value.p), *([P(value.holm)] if corrected else [])]
    notes = [
        "rise: by how much the better correction of a pair scores more, on average",
        f"p: of one replicate{', the median over all' if study.replicates > 1 else ''}; that of τ takes pairs for "
        "independent, which those of one chain are not, and so is too small",
    ]
    notes += [f"Holm: corrected for {len(study.metrics)} tests, one a metric"] if corrected else []
    table = Table(columns, list(rows), title="Chance, and how much scores rise", digits=4, level=study.level)
    table.footnotes = notes
    return table


def difference_table(study: Maege) -> Table:
    """Every pair of metrics: by how much one agrees better than the other, over replicates."""
    with_p = any(difference.p is not None for difference in study.differences)
    rows: list[Sequence[Cell]] = [
        [
            LABELS[difference.figure],
            difference.metric,
            difference.against,
            *_cells(difference.difference, with_interval=True),
            *([P(difference.p) if difference.p is not None else None] if with_p else []),
        ]
        for difference in study.differences
    ]
    columns = ["figure", "metric", "against", "better by", percent(study.level), *(["p"] if with_p else [])]
    return Table(columns, rows, title="Metric against metric", digits=3, level=study.level)


def type_table(study: Maege) -> Table:
    """Δ by type of edit: a row per type, a column per metric; bold where the interval excludes 0."""
    by_type: dict[str, dict[str, list[Cell]]] = {}
    bold = set()
    metrics = list(dict.fromkeys(delta.metric for delta in study.types))
    for delta in study.types:
        by_type.setdefault(delta.type, {})[delta.metric] = _cells(delta.delta, with_interval=True)
        if delta.excludes_zero:
            bold.add((len(by_type) - 1, 1 + 2 * metrics.index(delta.metric)))
    rows: list[Sequence[Cell]] = [
        [kind, *chain.from_iterable(deltas[metric] for metric in metrics)] for kind, deltas in by_type.items()
    ]
    columns = ["type", *chain.from_iterable((metric, f"{metric} {percent(study.level)}") for metric in metrics)]
    return Table(columns, rows, title=TYPES, digits=3, bold=bold, level=study.level)


def long_type_table(study: Maege) -> Table:
    """Δ by type of edit, a row per type and metric: for other programs."""
    rows: list[Sequence[Cell]] = [
        [row.type, row.metric, row.delta.mean, row.delta.interval, row.edits] for row in study.types
    ]
    return Table(["type", "metric", "Δ", "interval", "edits"], rows, title=TYPES, level=study.level)


def _cells(value: ReplicateMean, *, with_interval: bool) -> list[Cell]:
    return [value.mean, value.interval] if with_interval else [value.mean]
