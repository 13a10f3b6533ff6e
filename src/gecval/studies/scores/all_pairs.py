"""Who is better than whom? Every pair of systems, with a correction for how many pairs there are, and a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.stats.contest import Contest
from gecval.stats.multiple import Correction
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.clusters import ranking
from gecval.studies.scores.duels import evaluations_of
from gecval.studies.scores.pairs import Contender, compared, correction_notes, with_correction
from gecval.studies.scores.results import AllPairs, Comparison, Score
from gecval.studies.scores.scoring import scored
from gecval.studies.scores.signature import signature_of


def compare_all(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    correction: Correction = "holm",
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> AllPairs:
    """Rank the systems under every metric, and test every pair.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> outputs = {"copy": corpus.sources, "good": ["He goes home .", "Fine ."], "bad": ["He", "F"]}
    >>> pairs = compare_all(corpus, outputs, ["accuracy"])
    >>> [(score.system, score.ranks, score.cluster) for score in pairs.scores]
    [('good', (1, 2), 1), ('copy', (1, 3), 1), ('bad', (2, 3), 1)]
    >>> [(pair.system, pair.baseline) for pair in pairs]
    [('good', 'copy'), ('good', 'bad'), ('copy', 'bad')]
    """
    resampling = resampling or Resampling()
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), given_jobs(jobs)
    if len(listed) < 2:
        raise InputError("there is no pair: give two systems or more", parameter="systems")
    corpora = prepare(corpus, listed, wanted, extractor=extractor, jobs=workers, progress=progress)
    announce(progress, "testing differences")
    scores: list[Score] = []
    comparisons: list[Comparison] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        evaluations = evaluations_of(metric, prepared, listed, aggregate, jobs=workers)
        of_metric = ranked_pairs(evaluations, prepared, listed, resampling)
        scores += of_metric.scores
        for comparison in of_metric.comparisons:
            comparisons.append(comparison)
            progress(len(comparisons), len(wanted) * len(listed) * (len(listed) - 1) // 2)
    notes = [note for score in scores for note in score.notes]
    notes += correction_notes(comparisons, correction, resampling)
    notes += [*oddities(corpus, listed, wanted), *(note for prepared in corpora for note in prepared.notes)]
    return AllPairs(
        correction=correction,
        scores=tuple(scores),
        comparisons=with_correction(comparisons, correction),
        notes=tuple(dict.fromkeys(notes)),
    )


class RankedPairs(NamedTuple):
    """Systems under one metric: their scores from best to worst, and every pair, made as it is asked for."""

    scores: list[Score]
    comparisons: Iterator[Comparison]


def ranked_pairs(
    evaluations: Sequence[Evaluation], corpus: Corpus, systems: Sequence[System], resampling: Resampling
) -> RankedPairs:
    """Rank systems under one metric, and test every pair; ``p`` is not yet corrected."""
    contenders = {evaluation.system: Contender(evaluation, resampling) for evaluation in evaluations}
    places = ranking(list(contenders.values()))
    by_name = {system.name: system for system in systems}
    scores = [scored(contenders[place.system], corpus, by_name[place.system], standing=place) for place in places]

    def signed(*pair: Contender) -> str:
        return signature_of(evaluations[0], corpus, [by_name[c.name] for c in pair], resampling=resampling)

    pairs = combinations([contenders[place.system] for place in places], 2)
    return RankedPairs(scores, (compared(worse, better, signature=signed(worse, better)) for better, worse in pairs))
