"""Is B better than A? Paired tests on the same sentences."""

from __future__ import annotations

from gecval.corpus import Corpus, System
from gecval.metrics.evaluation import Aggregate
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.stats.contest import Contest
from gecval.stats.multiple import Correction
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.duels import evaluations_of
from gecval.studies.scores.pairs import Contender, compared, correction_notes, with_correction
from gecval.studies.scores.results import Comparison, Comparisons
from gecval.studies.scores.signature import signature_of


def compare(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    correction: Correction = "none",
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Comparisons:
    """Test each system against the baseline under every metric.

    ``correction="holm"`` (Holm) or ``"bh"`` (Benjamini & Hochberg) corrects the p-values for the number of systems that
    are tested under each metric. With ``aggregate="expected-wins"`` all systems, the baseline too, meet each other.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> before = corpus.system("before", ["He go home .", "Fine ."])
    >>> [comparison] = compare(corpus, before, {"after": ["He goes home .", "Fine ."]}, ["accuracy"])
    >>> comparison.difference, comparison.significant
    (0.5, False)
    """
    comparisons, _ = compared_to_baseline(
        corpus,
        baseline,
        systems,
        metrics,
        aggregate=aggregate,
        resampling=resampling,
        correction=correction,
        extractor=extractor,
        jobs=jobs,
        progress=progress,
    )
    return comparisons


def compared_to_baseline(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate | Contest,
    resampling: Resampling | None,
    correction: Correction,
    extractor: Edits,
    jobs: int | None,
    progress: Progress,
) -> tuple[Comparisons, list[tuple[Contender, Contender]]]:
    """The comparisons, and the baseline and the system of each."""
    resampling = resampling or Resampling()
    [baseline] = given_systems([baseline], corpus)
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), given_jobs(jobs)
    corpora = prepare(corpus, [baseline, *listed], wanted, extractor=extractor, jobs=workers, progress=progress)
    announce(progress, "testing differences")
    comparisons: list[Comparison] = []
    contenders: list[tuple[Contender, Contender]] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        first, *others = (
            Contender(evaluation, resampling)
            for evaluation in evaluations_of(metric, prepared, [baseline, *listed], aggregate, jobs=workers)
        )
        for second, system in zip(others, listed, strict=True):
            signed = signature_of(first.evaluation, prepared, [baseline, system], resampling=resampling)
            comparisons.append(compared(first, second, signature=signed))
            contenders.append((first, second))
            progress(len(comparisons), len(wanted) * len(listed))
    notes = [note for comparison in comparisons for note in comparison.notes]
    notes += correction_notes(comparisons, correction, resampling)
    notes += [
        *oddities(corpus, [baseline, *listed], wanted),
        *(note for prepared in corpora for note in prepared.notes),
    ]
    corrected = with_correction(comparisons, correction)
    return Comparisons(comparisons=corrected, notes=tuple(dict.fromkeys(notes))), contenders
