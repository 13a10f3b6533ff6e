"""Is B better than A? Paired tests on the same sentences."""

from __future__ import annotations

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling, paired_test
from gecval.studies.inputs import Edits, Metrics, Systems, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.results import Comparison, Comparisons
from gecval.studies.scores.signature import signature


def compare(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate = "corpus",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Comparisons:
    """Test each system against the baseline under every metric.

    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> before = corpus.system("before", ["He go home .", "Fine ."])
    >>> [comparison] = compare(corpus, before, {"after": ["He goes home .", "Fine ."]}, ["accuracy"])
    >>> comparison.difference, comparison.significant
    (0.5, False)
    """
    resampling = resampling or Resampling()
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), jobs or cores()
    corpora = prepare(corpus, [baseline, *listed], wanted, extractor, jobs=workers, progress=progress)
    announce(progress, "testing differences")
    comparisons = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        first = Evaluation.of(metric, prepared, baseline, aggregate=aggregate, jobs=workers)
        for system in listed:
            second = Evaluation.of(metric, prepared, system, aggregate=aggregate, jobs=workers)
            test = paired_test(first, second, first.beside(second), resampling)
            comparisons.append(
                Comparison(
                    metric=repr(metric),
                    baseline=baseline.name,
                    baseline_score=first.score(),
                    system=system.name,
                    score=second.score(),
                    difference=test.difference,
                    interval=test.interval,
                    level=resampling.level,
                    p_bootstrap=test.bootstrap_p,
                    p_randomisation=test.randomisation_p,
                    signature=signature(metric, prepared, aggregate, resampling),
                    notes=first.statistics.notes + second.statistics.notes,
                    higher_is_better=metric.higher_is_better,
                )
            )
    notes = [note for comparison in comparisons for note in comparison.notes]
    notes += [*oddities(corpus, [baseline, *listed]), *(note for prepared in corpora for note in prepared.notes)]
    return Comparisons(comparisons=tuple(comparisons), notes=tuple(dict.fromkeys(notes)))
