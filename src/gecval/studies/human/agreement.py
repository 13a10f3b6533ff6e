"""All metrics against all sets of judgments, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gecval.progress import Progress, announce
from gecval.studies.checkpoint import Chunk, Kept
from gecval.studies.chunks import computed
from gecval.studies.human.chunks import AgainstOthers, HumanChunks, MetricOnSet
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.results import HumanCorrelation, HybridSweep, MetricComparison
from gecval.studies.human.sentences import SentenceAccuracy
from gecval.studies.human.systems import SystemScores, comparison_notes, correlation


@dataclass(frozen=True, kw_only=True)
class MetricAgreement:
    """How people rank systems, and what metrics make of it."""

    rankings: list[Ranking]
    correlations: list[HumanCorrelation]
    accuracies: list[SentenceAccuracy]
    comparisons: list[MetricComparison]
    hybrids: list[HybridSweep]
    notes: list[str]


def agree(
    work: HumanChunks,
    metrics: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    backend: str | None,
    kept: Kept,
    progress: Progress,
) -> MetricAgreement:
    """Rank systems by each set, and compare metrics, and pairs of them interpolated, with the rankings."""
    methods = work.options.ranker.methods
    chunks: list[Chunk] = [("ranking", number, method) for number in range(len(work.sets)) for method in methods]
    chunks += [("metric", name) for name in work.metrics]
    announce(progress, "ranking")
    answers = list(_counted(computed(work, chunks, backend=backend, kept=kept), len(chunks), progress))
    rankings = [
        (number // len(methods), ranking) for number, ranking in enumerate(answers[: len(work.sets) * len(methods)])
    ]
    on_sets = dict(zip(work.metrics, answers[len(rankings) :], strict=True))
    # [set][metric]
    scored = [[_scores(on_sets[name].sets[number]) for name in metrics] for number in range(len(work.sets))]
    others = AgainstOthers(
        rankings=rankings,
        systems=[tuple(system.name for system in part.systems) for part in work.sets],
        scores=scored,
        means=[{name: on.sets[number].means for name, on in on_sets.items()} for number in range(len(work.sets))],
        pairs=pairs if work.metrics else (),
    )
    tests: list[Chunk] = [("comparison", number, name) for number in range(len(rankings)) for name in metrics[:-1]]
    tests += [("hybrid", number, pair) for number in range(len(rankings)) for pair in range(len(others.pairs))]
    tested = list(_counted(computed(others, tests, backend=backend, kept=kept), len(tests), progress))
    split = len(tests) - len(rankings) * len(others.pairs)
    return MetricAgreement(
        rankings=[ranking for _, ranking in rankings],
        correlations=[
            correlation(ranking, scores, work.options.window)
            for number, ranking in rankings
            for scores in scored[number]
        ],
        accuracies=[
            accuracy
            for number in range(len(work.sets))
            for name in metrics
            if (accuracy := on_sets[name].sets[number].accuracy) is not None
        ],
        comparisons=[comparison for listed in tested[:split] for comparison in listed],
        hybrids=[swept for listed in tested[split:] for swept in listed],
        notes=[
            *(
                note
                for part, scores in zip(work.sets, scored, strict=True)
                for note in comparison_notes(part.judgments.name, scores)
            ),
            *(note for on in on_sets.values() for note in on.notes),
        ],
    )


def _counted(answers: Iterator[Any], total: int, progress: Progress) -> Iterator[Any]:
    for done, answer in enumerate(answers, start=1):
        yield answer
        progress(done, total)


def _scores(on_set: MetricOnSet) -> SystemScores:
    assert on_set.scores is not None  # a metric that is asked for itself
    return on_set.scores
