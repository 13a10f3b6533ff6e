"""Scores against some of the references only.

If the statistics have one row per reference, and no row depends on another reference, the rows of the chosen references
are picked. Otherwise the statistics are computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.references import offsets_of

Subset = Sequence[NDArray[np.int64]]  # for each sentence, which of its references


def sentence_scores_against(
    metric: Metric, corpus: Corpus, system: System, subsets: Iterable[Subset], *, jobs: int = 1
) -> Iterator[Array]:
    """The score of each sentence, for each choice of references.

    >>> from gecval.metrics import metric
    >>> corpus = Corpus.from_texts(["a b"], [["a c", "a d"]])
    >>> both, second = np.array([0, 1]), np.array([1])
    >>> scores = sentence_scores_against(metric("accuracy"), corpus, corpus.system("x", ["a c"]), [[both], [second]])
    >>> [against.tolist() for against in scores]
    [[1.0], [0.0]]
    """
    for evaluation in evaluations_against(metric, corpus, system, subsets, jobs=jobs):
        yield evaluation.sentence_scores()


def evaluations_against(
    metric: Metric,
    corpus: Corpus,
    system: System,
    subsets: Iterable[Subset],
    *,
    aggregate: Aggregate = "corpus",
    jobs: int = 1,
) -> Iterator[Evaluation]:
    """The system under the metric, for each choice of references."""
    everything = None
    if metric.rule.rows_stand_alone:
        everything = Evaluation.of(metric, corpus, system, aggregate=aggregate, jobs=jobs)
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
            yield Evaluation.of(metric, fewer, same, aggregate=aggregate, jobs=jobs)
