"""Is B better than A? Paired tests on the same sentences."""

from __future__ import annotations

from gecval.corpus import Corpus, System
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.stats.multiple import Correction
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.pairs import Contender, compared, correction_notes, with_correction
from gecval.studies.scores.results import Comparisons
from gecval.studies.scores.signature import signature


def compare(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate = "corpus",
    resampling: Resampling | None = None,
    correction: Correction = "none",
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Comparisons:
    """Test each system against the baseline under every metric.

    ``correction="holm"`` corrects the p-values for the number of systems that are tested under each metric.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> before = corpus.system("before", ["He go home .", "Fine ."])
    >>> [comparison] = compare(corpus, before, {"after": ["He goes home .", "Fine ."]}, ["accuracy"])
    >>> comparison.difference, comparison.significant
    (0.5, False)
    """
    resampling = resampling or Resampling()
    [baseline] = given_systems([baseline], corpus)
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), given_jobs(jobs)
    corpora = prepare(corpus, [baseline, *listed], wanted, extractor=extractor, jobs=workers, progress=progress)
    announce(progress, "testing differences")
    comparisons = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        first, *others = (
            Contender(Evaluation.of(metric, prepared, system, aggregate=aggregate, jobs=workers), resampling)
            for system in [baseline, *listed]
        )
        signed = signature(metric, prepared, aggregate, resampling=resampling)
        for second in others:
            comparisons.append(compared(first, second, signature=signed))
            progress(len(comparisons), len(wanted) * len(listed))
    notes = [note for comparison in comparisons for note in comparison.notes]
    notes += correction_notes(comparisons, correction, resampling)
    notes += [*oddities(corpus, [baseline, *listed]), *(note for prepared in corpora for note in prepared.notes)]
    return Comparisons(comparisons=with_correction(comparisons, correction), notes=tuple(dict.fromkeys(notes)))
