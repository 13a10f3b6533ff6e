"""One system under one metric: the statistics array, and everything that can be asked of it.

A metric may be anybody's. So this is the place that checks what it gives: that the array fits the corpus and the rule,
and that every score is a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.references import offsets_of
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.reference_rules import Draws, Pooled, RunningBest, any_draws
from gecval.runtime.run import SERIAL, Run

Aggregate = Literal["corpus", "mean"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)


@dataclass(frozen=True)
class Evaluation:
    """``aggregate`` is ``corpus`` (score of the summed statistics) or ``mean`` (mean of the sentence scores).

    >>> from gecval.metrics import metric
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> evaluation = Evaluation.of(metric("accuracy"), corpus, corpus.system("copy", ["He go home .", "Fine ."]))
    >>> evaluation.score(), evaluation.sentence_scores().tolist()
    (0.5, [0.0, 1.0])
    """

    metric: Metric
    statistics: Statistics
    aggregate: Aggregate = "corpus"
    run: Run = SERIAL
    system: str = "the system"  # for messages

    def __post_init__(self) -> None:
        if self.aggregate not in AGGREGATES:
            raise InputError(f"aggregate is {' or '.join(AGGREGATES)}, not {self.aggregate!r}", parameter="aggregate")

    @classmethod
    def of(
        cls, metric: Metric, corpus: Corpus, system: System, *, aggregate: Aggregate = "corpus", run: Run = SERIAL
    ) -> Evaluation:
        check_metric(metric, corpus)
        corpus.check_length(system.name, system.hypotheses)  # a system of another corpus may be of any length
        if corpus.tokenize or system.edits is not None:
            system = corpus.system(system.name, system.hypotheses, edits=system.edits)
        statistics = metric.statistics(corpus, system, run=run)
        check_fit(statistics, metric, len(corpus))
        return cls(metric, statistics, aggregate=aggregate, run=run, system=system.name)

    @property
    def signed_metric(self) -> Metric:
        """The metric that the signature of the score names."""
        return self.metric

    @property
    def signed_aggregate(self) -> str:
        """The aggregate in the signature of the score, with further fields where it needs them."""
        return self.aggregate

    @property
    def scale(self) -> tuple[float, float]:
        return self.metric.scale

    def __len__(self) -> int:
        return len(self.statistics)

    def score(self) -> float:
        if self.aggregate == "mean":
            return float(self.sentence_scores().mean())
        with _silence_numpy():
            scores = self.metric.score(self._totals)
        return float(self._numbers(scores, len(self._totals), self.system).mean())

    def parts(self) -> dict[str, float]:
        """What the corpus score is made of. The mean of sentence scores has no such parts."""
        if self.aggregate == "mean":
            return {}
        with _silence_numpy():
            parts = self.metric.parts(self._totals.mean(axis=0))
        for name, value in parts.items():
            self._numbers([value], 1, f"{name!r} of {self.system}")
        return parts

    @cached_property
    def _totals(self) -> Array:
        return self.metric.rule.totals(self.metric, self.statistics, run=self.run)

    def sentence_scores(self) -> Array:
        with _silence_numpy():
            scores = self.metric.rule.sentence_scores(self.metric, self.statistics)
        return self._numbers(scores, len(self), self.system, item="sentence")

    def scores_over(self, draws: Draws) -> Array:
        """The score over each list of sentences, as resampling draws them; ``len(self)`` stands for no sentence."""
        filled_up = any_draws(draws, len(self))
        if self.aggregate == "mean":
            if filled_up:
                counts = (draws < len(self)).sum(axis=1)
                return np.asarray(np.append(self.sentence_scores(), 0.0)[draws].sum(axis=1) / counts)
            means: Array = self.sentence_scores()[draws].mean(axis=1)
            return means
        statistics = self.statistics.with_empty_sentence() if filled_up else self.statistics
        with _silence_numpy():
            scores = self.metric.rule.scores_over(self.metric, statistics, draws, run=self.run)
        return self._numbers(scores, len(draws), self.system, item="resample")

    def scores_swapped(self, first: Draws, second: Draws) -> tuple[Array, Array]:
        """``scores_over`` both lists, for two systems as one (``concatenate``): a list has what the other lacks."""
        if self.aggregate == "mean":
            return self.scores_over(first), self.scores_over(second)
        with _silence_numpy():
            scores = self.metric.rule.scores_swapped(self.metric, self.statistics, (first, second), run=self.run)
        ours, theirs = (self._numbers(listed, len(first), self.system, item="resample") for listed in scores)
        return ours, theirs

    def scores_without(self, blocks: list[slice]) -> Array:
        """The score with each block of sentences left out."""
        if self.aggregate == "mean":
            scores = self.sentence_scores()
            left_out = np.add.reduceat(scores, [block.start for block in blocks])
            kept = len(scores) - np.array([block.stop - block.start for block in blocks])
            means_without: Array = (scores.sum() - left_out) / kept
            return means_without
        with _silence_numpy():
            scores = self.metric.rule.scores_without(self.metric, self.statistics, blocks, run=self.run)
        return self._numbers(scores, len(blocks), self.system, item="jackknife block")

    def _numbers(self, scores: ArrayLike, count: int, what: str, *, item: str = "") -> Array:
        """The scores, refused where they are not so many finite numbers."""
        listed = np.asarray(scores, dtype=np.float64)
        if listed.shape != (count,):
            raise InputError(f"{self.metric!r}: score must give one number for each row, whatever the number of rows")
        wrong = np.flatnonzero(~np.isfinite(listed))
        if len(wrong):
            where = f"{item} {wrong[0] + 1} of {what}" if item else what
            raise InputError(f"{self.metric!r} gives {listed[wrong[0]]} for {where}; let it say what 0 / 0 is to be")
        return listed

    def over(self, sentences: NDArray[np.int64]) -> Evaluation:
        """The same system on a corpus of these sentences alone: what scoring them from scratch gives."""
        return replace(self, statistics=self.statistics.take(sentences))

    @property
    def by_position(self) -> bool:
        """Whether ``scores_over`` some sentences only comes near the score of ``over`` them.

        Sampled references are drawn by the place of a sentence in the corpus, and ``over`` changes the places.
        """
        several = len(self.statistics.rows) > len(self)
        return self.aggregate == "corpus" and self.metric.rule.by_position and several

    def fractions(self, *, as_chosen: bool = False) -> tuple[Array, Array] | None:
        """Numerators n and denominators d of all sentences, where the score of any of them rises with Σn / Σd.

        Running rules choose again where sentences are left out, so they have fractions only ``as_chosen``: with the
        references that the score of all sentences chose.
        """
        if self.aggregate == "mean":
            return self.sentence_scores(), np.ones(len(self))
        weights, rule = self.metric.as_ratio(), self.metric.rule
        if len(self.statistics.rows) == len(self):
            rows: Array | None = self.statistics.rows
        elif rule.fixed_row:
            rows = rule.sentence_rows(self.metric, self.statistics)
        elif isinstance(rule, RunningBest) and as_chosen:
            rows = self.statistics.rows[rule.choose_rows(self.statistics)]
        else:
            return None
        return (rows @ np.asarray(weights[0], float), rows @ np.asarray(weights[1], float)) if weights else None

    def concatenate(self, other: Evaluation) -> Evaluation:
        """Both systems as one: sentence *i* of the other is number ``i + len(self)``."""
        both = self.statistics.concatenate(other.statistics)
        systems = f"{self.system} and {other.system}"
        return Evaluation(self.metric, both, aggregate=self.aggregate, run=self.run, system=systems)


def check_metric(metric: Metric, corpus: Corpus) -> None:
    """Refuse a corpus that the metric cannot score. A metric looks at a corpus once, however many systems there are."""
    corpus.derive(_Gate(type(metric), repr(metric), metric))


@dataclass(frozen=True)
class _Gate:
    """A metric's check of a corpus, as a key for ``Corpus.derive``. The spelling of a metric has its parameters."""

    kind: type[Metric]
    spelling: str
    metric: Metric = field(compare=False)

    def __call__(self, corpus: Corpus) -> None:
        self.metric.check(corpus)


def _silence_numpy() -> AbstractContextManager[None]:
    """A score that is no number is refused here, in one line. So numpy need not warn about it."""
    return np.errstate(all="ignore")


# Scores against some of the references only.
#
# If the statistics have one row per reference, and no row depends on another reference, the rows of the chosen
# references are picked. Otherwise the statistics are computed again.


Subset = Sequence[NDArray[np.int64]]  # for each sentence, which of its references


def sentence_scores_against(
    metric: Metric, corpus: Corpus, system: System, subsets: Iterable[Subset], *, run: Run = SERIAL
) -> Iterator[Array]:
    """The score of each sentence, for each choice of references.

    >>> from gecval.metrics import metric
    >>> corpus = Corpus.from_texts(["a b"], [["a c", "a d"]])
    >>> both, second = np.array([0, 1]), np.array([1])
    >>> scores = sentence_scores_against(metric("accuracy"), corpus, corpus.system("x", ["a c"]), [[both], [second]])
    >>> [against.tolist() for against in scores]
    [[1.0], [0.0]]
    """
    for evaluation in evaluations_against(metric, corpus, system, subsets, run=run):
        yield evaluation.sentence_scores()


def evaluations_against(
    metric: Metric,
    corpus: Corpus,
    system: System,
    subsets: Iterable[Subset],
    *,
    aggregate: Aggregate = "corpus",
    run: Run = SERIAL,
) -> Iterator[Evaluation]:
    """The system under the metric, for each choice of references."""
    everything = None
    if metric.rule.rows_stand_alone:
        everything = Evaluation.of(metric, corpus, system, aggregate=aggregate, run=run.quiet())
    for subset in subsets:
        if everything is not None and len(everything.statistics.rows) == corpus.reference_slots[-1]:
            starts = everything.statistics.offsets[:-1]
            rows = np.concatenate([start + some for start, some in zip(starts, subset, strict=True)])
            fewer_rows = Statistics(everything.statistics.rows[rows], offsets_of(map(len, subset)))
            yield replace(everything, statistics=fewer_rows)
        else:
            chosen = [[listed[r] for r in some] for listed, some in zip(corpus.references, subset, strict=True)]
            fewer = Corpus(corpus.sources, chosen, language=corpus.language)
            same = System(system.name, system.hypotheses, edits=system.edits)
            yield Evaluation.of(metric, fewer, same, aggregate=aggregate, run=run.quiet())


# Whether a metric's statistics fit. After this check nothing looks at shapes again, not even the native core.


def check_fit(statistics: Statistics, metric: Metric, sentences: int) -> None:
    """Refuse statistics of another number of sentences, and those that the metric's rule cannot read."""
    wrong = _misfit(statistics, metric, sentences)
    if wrong:
        raise InputError(f"{metric!r}: its statistics {wrong}")


def _misfit(statistics: Statistics, metric: Metric, sentences: int) -> str | None:
    rows, offsets = statistics.rows, statistics.offsets
    for name, array, dimensions, kind in (("rows", rows, 2, np.float64), ("offsets", offsets, 1, np.int64)):
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.ndim != dimensions:
            return f"need {name} in a numpy array with {dimensions} axes and numbers of type {kind.__name__}"
    if len(offsets) != sentences + 1:
        return f"are of {len(offsets) - 1} sentences, and the corpus has {sentences}"
    if offsets[0] != 0 or offsets[-1] != len(rows) or (np.diff(offsets) < 1).any():
        return f"need offsets that rise from 0 to the number of rows, {len(rows)}, with a row or more for each sentence"
    if isinstance(metric.rule, Pooled) and len(rows) != sentences:
        return f"have {len(rows)} rows, and the rule {metric.rule.name} takes one for each of {sentences} sentences"
    if metric.rule.columns not in (None, rows.shape[1]):
        return f"have {rows.shape[1]} columns, and the rule {metric.rule.name} takes {metric.rule.columns}"
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        sentence = int(np.searchsorted(offsets, row, side="right"))
        return f"hold {rows[row][~np.isfinite(rows[row])][0]} for sentence {sentence}"
    return None
