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
    if not metric.rule.rows_stand_alone:
        for subset in subsets:
            chosen = [[listed[r] for r in some] for listed, some in zip(corpus.references, subset, strict=True)]
            fewer = Corpus(corpus.sources, chosen, language=corpus.language)
            same = System(system.name, system.hypotheses, edits=system.edits)
            yield Evaluation.of(metric, fewer, same, jobs=jobs).sentence_scores()
        return
    everything = Evaluation.of(metric, corpus, system, jobs=jobs).statistics
    for subset in subsets:
        rows = np.concatenate([start + some for start, some in zip(everything.offsets, subset, strict=False)])
        some_rows = Statistics(everything.rows[rows], offsets_of(map(len, subset)))
        yield metric.rule.sentence_scores(metric, some_rows)
