"""All metrics against one set of judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gecval.corpus import System
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Metric
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation, HybridSweep, MetricComparison
from gecval.studies.human.sentences import SentenceAccuracy, sentence_accuracy
from gecval.studies.human.system_scores import Evaluations, Sentences
from gecval.studies.human.systems import SystemScores, comparison_notes, comparisons, correlation, hybrids


@dataclass(frozen=True, kw_only=True)
class SetOfJudgments:
    """One set, placed on the corpus, with its rankings and the judged systems that metrics are compared on."""

    judgments: Judgments
    rankings: Sequence[Ranking]
    systems: Sequence[System] = ()
    sentences: Sentences  # those that metrics score


@dataclass(frozen=True, kw_only=True)
class MetricAgreement:
    """What all metrics make of one set of judgments."""

    correlations: Sequence[HumanCorrelation]
    accuracies: Sequence[SentenceAccuracy]
    comparisons: Sequence[MetricComparison]
    hybrids: Sequence[HybridSweep]
    notes: Sequence[str]


def metric_agreement(
    part: SetOfJudgments,
    evaluations: Mapping[Metric, Evaluations],
    metrics: Sequence[Metric],
    *,
    pairs: Sequence[tuple[Metric, Metric]],
    options: HumanOptions,
) -> MetricAgreement:
    """Compare metrics, and pairs of them interpolated, with the rankings and judgments of one set."""
    names = [system.name for system in part.systems]
    own = {metric: evaluations[metric].only(names) for metric in evaluations}
    scored = [SystemScores.of(own[metric], part.sentences, options) for metric in metrics]
    ranker = options.ranker
    return MetricAgreement(
        correlations=[correlation(ranking, scores, options.window) for ranking in part.rankings for scores in scored],
        accuracies=[
            sentence_accuracy(
                part.judgments,
                own[metric],
                ties=options.ties,
                resamples=ranker.resamples,
                level=ranker.level,
                seed=ranker.seed,
            )
            for metric in metrics
        ],
        comparisons=[comparison for ranking in part.rankings for comparison in comparisons(ranking, scored)],
        hybrids=[
            swept
            for ranking in part.rankings
            for based, less in pairs
            for swept in hybrids(ranking, own[based], own[less], sentences=part.sentences)
        ],
        notes=list(comparison_notes(part.judgments.name, scored)),
    )
