"""Which metric agrees with people? Human and metric scores side by side, over systems and over sentences.

System level: the correlation of human scores (Expected Wins, TrueSkill) with the metric's, over systems. The metric
sees the judged sentences only, as the MAEGE paper (§3) proposes, or all. A window correlates neighbours in the human
ranking alone: what tells the best systems from the worst need not tell the best from the second best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor
from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Metric
from gecval.progress import Progress, announce, silent
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranking import Ranking, count, rank
from gecval.studies.human.results import HumanStudy
from gecval.studies.human.sentences import sentence_accuracy
from gecval.studies.human.system_scores import Evaluations, Sentences, judged_sentences, judged_systems
from gecval.studies.human.systems import SystemScores, check_window, comparisons, correlation, hybrids
from gecval.studies.preparation import prepare

__all__ = ["HumanOptions", "human"]


def human(
    judgments: Sequence[Judgments],
    corpus: Corpus | None = None,
    systems: Sequence[System] = (),
    metrics: Sequence[Metric] = (),
    *,
    options: HumanOptions | None = None,
    extractor: Extractor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> HumanStudy:
    """Rank systems by each set of judgments; with metrics, say how well each of them agrees."""
    options = options or HumanOptions()
    wanted = dict.fromkeys([*metrics, *(part for pair in options.hybrids for part in pair)])
    # What may be refused comes before what takes long.
    options.check(metrics=bool(metrics))
    if wanted and corpus is None:
        raise InputError("metrics need what was judged: the source with -s (or -r), and the outputs with --systems")
    _check_names(options.without, judgments)
    placed = [judged_systems(one, corpus, systems, options.without) for one in judgments] if corpus and wanted else []
    for _, judged in placed:
        check_window(options.window, len(judged))
    rankings = [rank(one, m, options.ranker, progress=progress) for one in judgments for m in options.ranker.methods]
    notes = [note for one in judgments for note in one.notes]
    study = HumanStudy(options.ranker.level, tuple(map(count, judgments)), tuple(rankings), notes=tuple(notes))
    if corpus is None or not wanted:
        return study
    outputs = list({system.name: system for _, judged in placed for system in judged}.values())
    workers = jobs or cores()
    seen = prepare(corpus, outputs, list(wanted), extractor, jobs=workers, progress=progress)
    announce(progress, "scoring")
    found = {m: Evaluations.of(m, one, outputs, jobs=workers) for m, one in zip(wanted, seen, strict=True)}
    everything = np.arange(len(corpus), dtype=np.int64)
    for one, judged in placed:
        mine = {m: each.only([system.name for system in judged]) for m, each in found.items()}
        sentences = judged_sentences(one) if options.scope == "judged" else everything
        own = [ranking for ranking in rankings if ranking.judgments == one.name]
        study = _with_metrics(study, own, one, [mine[m] for m in dict.fromkeys(metrics)], sentences, options)
        study = _with_hybrids(study, own, [(mine[a], mine[b]) for a, b in options.hybrids], sentences)
        notes += one.notes
    notes += [note for each in found.values() for note in each.notes]
    return replace(study, notes=tuple(dict.fromkeys(notes)))


def _check_names(without: Sequence[str], judgments: Sequence[Judgments]) -> None:
    judged = sorted({name for one in judgments for name in one.systems})
    for name in without:
        if name not in judged:
            raise InputError(f"there is no judged system {name!r} to leave out; there is {', '.join(judged)}")


def _with_metrics(
    study: HumanStudy,
    rankings: Sequence[Ranking],
    judgments: Judgments,
    found: Sequence[Evaluations],
    sentences: Sentences,
    options: HumanOptions,
) -> HumanStudy:
    """The study with one more set of judgments against all metrics."""
    scored = [SystemScores.of(each, sentences, options) for each in found]
    correlations = [correlation(ranking, each, options.window) for ranking in rankings for each in scored]
    ranker = options.ranker
    settings = {"resamples": ranker.resamples, "seed": ranker.seed}
    accuracies = [
        sentence_accuracy(judgments, each, ties=options.ties, level=ranker.level, **settings) for each in found
    ]
    return replace(
        study,
        correlations=study.correlations + tuple(correlations),
        comparisons=study.comparisons + tuple(one for ranking in rankings for one in comparisons(ranking, scored)),
        accuracies=study.accuracies + tuple(accuracies),
    )


def _with_hybrids(
    study: HumanStudy,
    rankings: Sequence[Ranking],
    pairs: Sequence[tuple[Evaluations, Evaluations]],
    sentences: Sentences,
) -> HumanStudy:
    swept = [one for ranking in rankings for pair in pairs for one in hybrids(ranking, *pair, sentences)]
    return replace(study, hybrids=study.hybrids + tuple(swept))
