"""Which metric agrees with people? Human scores and metric scores side by side, over systems and over sentences.

System level: the correlation of human scores (Expected Wins, TrueSkill) with the metric's scores, over systems. The
metric scores the judged sentences only, as the MAEGE paper (§3) proposes, or all. A window correlates neighbours in the
human ranking alone: a metric that tells the best systems from the worst need not tell the best from the second best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.formats.judgments import Judgments, combine
from gecval.metrics.base import Metric
from gecval.progress import Progress, announce, silent
from gecval.studies.human.agreement import MetricAgreement, SetOfJudgments, metric_agreement
from gecval.studies.human.inputs import check_left_out, distinct_sets, given_outputs, given_pair, given_sets
from gecval.studies.human.interpolation import check_systems
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranking import count, rank
from gecval.studies.human.results import HumanResult
from gecval.studies.human.system_scores import Evaluations, judged_sentences, judged_systems, placed_on
from gecval.studies.human.systems import check_window
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare

__all__ = ["HumanOptions", "human"]

COMBINED = "combined"


def human(
    judgments: Judgments | Iterable[Judgments],
    corpus: Corpus | None = None,
    systems: Systems = (),
    metrics: Metrics = (),
    *,
    options: HumanOptions | None = None,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> HumanResult:
    """Rank systems by each set of judgments. With metrics, say how well each of them agrees with people.

    Parameters
    ----------
    judgments
        One or more sets of judgments, as ``read_judgments`` gives them.
    corpus
        Sources and references, where there are metrics.
    systems
        The judged outputs: systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    options
        How to rank and to compare.
    extractor
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    jobs
        Threads; by default as many as there are cores.

    Returns
    -------
    HumanResult
        Rankings and, with metrics, correlations, accuracies, comparisons and hybrids. It prints as tables.

    Examples
    --------
    >>> from gecval.formats.judgments import Judgment, Placement
    >>> ranked = [Placement(("good",), 1), Placement(("fair",), 2), Placement(("bad",), 3)]
    >>> judgments = Judgments("mine", (Judgment(1, "anna", tuple(ranked)),), first=1)
    >>> human(judgments).rankings[0].scores
    {'good': 1.0, 'fair': 0.5, 'bad': 0.0}

    >>> corpus = Corpus.from_texts(["He go to home ."], [["He goes home ."]])
    >>> outputs = {"good": ["He goes home ."], "fair": ["He goes to home ."], "bad": ["Him goed to homes !"]}
    >>> result = human(judgments, corpus, outputs, ["gleu(n=1)"])
    >>> result.correlations[0].spearman.value, result.accuracies[0].accuracy
    (1.0, 1.0)
    """
    options = options or HumanOptions()
    sets, wanted = given_sets(judgments), given_metrics(metrics, least=0)
    pairs = [given_pair(pair) for pair in options.hybrids]
    asked = list(dict.fromkeys([*wanted, *(metric for pair in pairs for metric in pair)]))
    # What may be refused comes before what takes long.
    options.check(sets=len(sets), metrics=bool(wanted))
    check_left_out(options.without, sets)
    outputs = given_outputs(corpus, systems, asked, combined=options.combined)
    if corpus is not None:
        sets = [placed_on(part, corpus, outputs)[0] for part in sets]
    if options.combined:
        sets = distinct_sets([*sets, combine(COMBINED, sets)])
    judged = {}
    if corpus is not None and asked:
        for part in sets:
            _, judged[part.name] = judged_systems(part, corpus, outputs, without=options.without)
            check_window(options.window, len(judged[part.name]))
            if pairs:
                check_systems(len(judged[part.name]))

    parts = [
        SetOfJudgments(
            judgments=part,
            rankings=[rank(part, method, options.ranker, progress=progress) for method in options.ranker.methods],
            systems=judged.get(part.name, ()),
            sentences=np.arange(len(corpus)) if corpus and options.scope == "all" else judged_sentences(part),
        )
        for part in sets
    ]
    notes = [note for part in sets for note in part.notes]
    agreements: list[MetricAgreement] = []
    if corpus is not None and asked:
        distinct = list({system.name: system for part in parts for system in part.systems}.values())
        evaluations = _evaluate(corpus, distinct, asked, extractor=extractor, jobs=given_jobs(jobs), progress=progress)
        agreements = [
            metric_agreement(part, evaluations, list(dict.fromkeys(wanted)), pairs=pairs, options=options)
            for part in parts
        ]
        notes += [note for agreement in agreements for note in agreement.notes]
        notes += [note for metric in asked for note in _notes(evaluations[metric])]
        notes += oddities(corpus, distinct)
    return HumanResult(
        level=options.ranker.level,
        judgments=tuple(map(count, sets)),
        rankings=tuple(ranking for part in parts for ranking in part.rankings),
        correlations=tuple(correlation for agreement in agreements for correlation in agreement.correlations),
        accuracies=tuple(accuracy for agreement in agreements for accuracy in agreement.accuracies),
        comparisons=tuple(comparison for agreement in agreements for comparison in agreement.comparisons),
        hybrids=tuple(hybrid for agreement in agreements for hybrid in agreement.hybrids),
        notes=tuple(dict.fromkeys([*notes, *(corpus.notes if corpus else ())])),
    )


def _evaluate(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    extractor: Edits,
    jobs: int,
    progress: Progress,
) -> dict[Metric, Evaluations]:
    corpora = prepare(corpus, systems, metrics, extractor=extractor, jobs=jobs, progress=progress)
    announce(progress, "scoring")
    return {
        metric: Evaluations.of(metric, prepared, systems, jobs=jobs)
        for metric, prepared in zip(metrics, corpora, strict=True)
    }


def _notes(evaluations: Evaluations) -> Iterator[str]:
    yield from evaluations.notes
    yield from evaluations.corpus.notes
