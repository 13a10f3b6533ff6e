"""Is B better than A? Paired tests on the same sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import PairedTest, Resampling, paired_test
from gecval.studies.preparation import prepare
from gecval.studies.scores.scoring import signature


@dataclass(frozen=True)
class Comparison:
    """System B against baseline A under one metric."""

    baseline: str
    system: str
    metric: str
    baseline_score: float
    score: float
    test: PairedTest
    signature: str
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True


def compare(
    corpus: Corpus,
    baseline: System,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    aggregate: Aggregate = "corpus",
    resampling: Resampling | None = None,
    extractor: Extractor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> list[Comparison]:
    """Test each system against the baseline under every metric."""
    resampling = resampling or Resampling()
    workers = jobs or cores()
    seen = prepare(corpus, [baseline, *systems], metrics, extractor, jobs=workers, progress=progress)
    announce(progress, "testing differences")
    results = []
    for metric, one in zip(metrics, seen, strict=True):
        first = Evaluation.of(metric, one, baseline, aggregate=aggregate, jobs=workers)
        for system in systems:
            second = Evaluation.of(metric, one, system, aggregate=aggregate, jobs=workers)
            results.append(
                Comparison(
                    baseline.name,
                    system.name,
                    repr(metric),
                    first.score(),
                    second.score(),
                    paired_test(first, second, first.beside(second), resampling),
                    signature(metric, one, aggregate, resampling),
                    first.statistics.notes + second.statistics.notes,
                    metric.higher_is_better,
                )
            )
    return results
