"""What is kept of every replicate: the numbers that the result needs, and no more.

These are some 400 bytes for each metric and replicate: 100,000 replicates of ten metrics fit in half a gigabyte.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence

from gecval.studies.maege.levels import MetricResult, Sensitivity
from gecval.studies.maege.results import FIGURES, Figure

MOST_REPLICATES = 100_000


class KeptMetric:
    """One metric's numbers, replicate after replicate."""

    def __init__(self, metric: str, models: Sequence[float]) -> None:
        self.metric = metric
        self.figures: dict[Figure, array[float]] = {figure: array("d") for figure in FIGURES}
        self.tie_rates = array("d")
        self.corpora = [(model, array("d")) for model in models]
        self.deltas: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))
        self.last_sensitivity: dict[str, Sensitivity] = {}  # a single replicate has the spread of its own edits
        self.edits: defaultdict[str, int] = defaultdict(int)
        self.originals: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0])  # errors → sum and replicates
        self.sentences: dict[int, int] = {}

    def add(self, result: MetricResult) -> None:
        for figure, values in self.figures.items():
            values.append(result.figure(figure))
        self.tie_rates.append(result.sentence.counts.tie_rate)
        for (_, values), score in zip(self.corpora, result.corpus.scores, strict=True):
            values.append(score)
        for kind, sensitivity in result.types.items():
            self.deltas[kind].append(sensitivity.delta)
            self.edits[kind] += sensitivity.edits
            self.last_sensitivity[kind] = sensitivity
        for originals in result.originals:
            self.originals[originals.errors][0] += originals.score
            self.originals[originals.errors][1] += 1
            self.sentences[originals.errors] = originals.sentences


class Replicates:
    """The numbers of all metrics."""

    def __init__(self, metrics: Sequence[str], models: Sequence[float]) -> None:
        self.metrics = [KeptMetric(metric, models) for metric in metrics]
        self.count = 0

    def add(self, results: Mapping[str, MetricResult]) -> None:
        """One more replicate."""
        for kept in self.metrics:
            kept.add(results[kept.metric])
        self.count += 1
