"""What MAEGE gives: how far each metric agrees with the lattices, and everything that the tables and charts show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from gecval.results.result import ResultSequence
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.maege.lattices import Lattice, MaegeSettings

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
