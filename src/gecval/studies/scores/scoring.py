"""How good is it? Scores of systems under metrics, with intervals, parts and signatures."""

from __future__ import annotations

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling, bootstrap_interval
from gecval.studies.inputs import Edits, Metrics, Systems, given_metrics, given_systems
from gecval.studies.oddities import nothing_right, oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.results import Score, Scores
from gecval.studies.scores.signature import signature


def score(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate = "corpus",
    resampling: Resampling | None = None,
    sentences: bool = False,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Scores:
    """Score every system under every metric.

    Parameters
    ----------
    corpus
        Sources and references.
    systems
        Systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    aggregate
        ``corpus`` is the score of the whole corpus, ``mean`` the mean of the sentence scores.
    resampling
        Gives each score a confidence interval.
    sentences
        Keep the score of every sentence too.
    extractor
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    jobs
        Threads; by default as many as there are cores.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> [result] = score(corpus, {"mine": ["He goes home ."]}, ["gleu"])
    >>> result.system, result.metric, result.score
    ('mine', 'gleu', 1.0)
    """
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), jobs or cores()
    corpora = prepare(corpus, listed, wanted, extractor, jobs=workers, progress=progress)
    announce(progress, "scoring")
    scores = tuple(
        _score(
            prepared,
            system,
            metric,
            aggregate=aggregate,
            resampling=resampling if len(corpus) > 1 else None,
            sentences=sentences,
            jobs=workers,
        )
        for system in listed
        for metric, prepared in zip(wanted, corpora, strict=True)
    )
    notes = [*(note for result in scores for note in result.notes), *oddities(corpus, listed)]
    notes += [note for prepared in corpora for note in prepared.notes]
    return Scores(scores=scores, notes=tuple(dict.fromkeys(notes)))


def _score(
    corpus: Corpus,
    system: System,
    metric: Metric,
    *,
    aggregate: Aggregate,
    resampling: Resampling | None,
    sentences: bool,
    jobs: int,
) -> Score:
    evaluation = Evaluation.of(metric, corpus, system, aggregate=aggregate, jobs=jobs)
    parts = evaluation.parts()
    odd = nothing_right(parts, corpus, system)
    return Score(
        system=system.name,
        metric=repr(metric),
        score=evaluation.score(),
        parts=parts,
        interval=bootstrap_interval(evaluation, resampling) if resampling else None,
        level=resampling.level if resampling else None,
        signature=signature(metric, corpus, aggregate, resampling),
        notes=evaluation.statistics.notes + ((odd,) if odd else ()),
        higher_is_better=metric.higher_is_better,
        sentences=evaluation.sentence_scores() if sentences else None,
    )
