"""GREEN (Koyama 2024): F over n-grams that are kept, deleted and inserted as in the reference.

    TPₙ = rightly kept, deleted, inserted      FPₙ = deleted, inserted too much      FNₙ = deleted, inserted too little
    P = (Π Pₙ)^(1/N),  R = (Π Rₙ)^(1/N),  GREEN = (1 + β²)PR / (β²P + R),    n = 1 … N

The best reference of each sentence counts. Where there are no n-grams to be right about, Pₙ = 1. ``form`` says what the
public tools do differently. ``gec-metrics``: Rₙ = 1 likewise, words are parted at single blanks. ``author``: Rₙ = 0, so
that a sentence of fewer than N words scores 0, words are parted at any blank, and ties between references are broken by
the scores of lower orders. The author's tool has β = 1 by default.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.encoding import Blanks, Encoded, Tokens, characters
from gecval.corpus.references import offsets_of
from gecval.metrics.base import (
    Array,
    Metric,
    PageFormula,
    Statistics,
    check_one_of,
    check_positive,
    check_whole,
    f_score,
    ratio,
)
from gecval.metrics.reference_rules import Best
from gecval.runtime.run import SERIAL, Run

UNITS = ("word", "char")
FORMS = ("gec-metrics", "author")


@dataclass(frozen=True, repr=False)
class Green(Metric):
    name: ClassVar[str] = "green"
    title: ClassVar[str] = "GREEN"
    summary: ClassVar[str] = "F over n-grams kept, deleted and inserted as in the reference"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Koyama 2024"

    beta: float = 2.0
    n: int = 4
    unit: str = "word"
    form: str = "gec-metrics"

    def __post_init__(self) -> None:
        check_positive(self.name, beta=self.beta)
        check_whole(self.name, n=self.n)
        check_one_of(self.name, UNITS, unit=self.unit)
        check_one_of(self.name, FORMS, form=self.form)

    @property
    def rule(self) -> Best:
        return _BestByOrders(self.n) if self.form == "author" else Best()

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        sources, hypotheses, references = self._tokens(corpus, system, run)
        rows = _native.green(
            *sources, *hypotheses, *references, corpus.reference_slots, orders=self.n, jobs=run.threads
        )
        return Statistics(rows, corpus.reference_slots)

    def _tokens(self, corpus: Corpus, system: System, run: Run) -> tuple[Tokens, Tokens, Tokens]:
        """The tokens of sources, hypotheses and references."""
        if self.unit == "char":
            return characters(corpus.sources), characters(system.hypotheses), characters(corpus.reference_texts)
        encoded = Encoded.of(corpus)
        blanks: Blanks = "unicode" if self.form == "author" else "space"
        sources = encoded.source_tokens(blanks, run=run)
        hypotheses = encoded.hypothesis_tokens(system, blanks, run=run)
        references = encoded.reference_tokens(blanks, run=run)
        if blanks == "unicode":
            return sources, hypotheses, references
        [empty], _, _ = encoded.vocabulary.encode([""], blanks="space")
        return _without_empty(sources, empty), _without_empty(hypotheses, empty), _without_empty(references, empty)

    def score(self, totals: Array) -> Array:
        return self.score_of_orders(totals, self.n)

    def score_of_orders(self, totals: Array, n: int) -> Array:
        """The score of the first n orders alone."""
        precision, recall = self._precision_recall(totals[..., : 3 * n])
        return f_score(precision, recall, self.beta)

    def page_formula(self) -> PageFormula | None:
        return {"name": "green", "beta": self.beta, "noRecall": float(self.form == "gec-metrics")}

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall = self._precision_recall(totals)
        return {"precision": float(precision), "recall": float(recall)}

    def _precision_recall(self, totals: Array) -> tuple[Array, Array]:
        tp, fp, fn = totals[..., 0::3], totals[..., 1::3], totals[..., 2::3]
        no_ngrams = 1.0 if self.form == "gec-metrics" else 0.0
        return _geometric_mean(ratio(tp, tp + fp, empty=1.0)), _geometric_mean(ratio(tp, tp + fn, empty=no_ngrams))


@dataclass(frozen=True)
class _BestByOrders(Best):
    """Of references with equal scores, the one whose lower orders alone score better; then the earlier."""

    orders: int

    def repetitions(self, metric: Metric, statistics: Statistics) -> Iterator[Array]:
        assert isinstance(metric, Green)
        sentence = np.repeat(np.arange(len(statistics)), np.diff(statistics.offsets))
        scores = [-metric.score_of_orders(statistics.rows, n) for n in range(1, self.orders + 1)]
        order = np.lexsort((*scores, sentence))
        yield statistics.rows[order[statistics.offsets[:-1]]]


def _geometric_mean(values: Array) -> Array:
    """0 as soon as one of the values is 0."""
    positive_values = np.where(values > 0, values, 1.0)
    mean: Array = np.where((values > 0).all(axis=-1), np.exp(np.log(positive_values).mean(axis=-1)), 0.0)
    return mean


def _without_empty(tokens: Tokens, empty: int) -> Tokens:
    """Split at each blank, an empty text is one empty token; here it has none."""
    ids, offsets = tokens
    starts, lengths = offsets[:-1], np.diff(offsets)
    alone = (lengths == 1) & (ids[np.minimum(starts, len(ids) - 1)] == empty) if len(ids) else np.zeros(0, dtype=bool)
    if not alone.any():
        return tokens
    return Tokens(np.delete(ids, starts[alone]), offsets_of((lengths - alone).tolist()))
