"""Which metric agrees with people? Human scores and metric scores side by side, over systems and over sentences.

System level: the correlation of human scores (Expected Wins, TrueSkill) with the metric's scores, over systems. The
metric scores the judged sentences only, as the MAEGE paper (§3) proposes, or all. A window correlates neighbours in the
human ranking alone: a metric that tells the best systems from the worst need not tell the best from the second best.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from gecval.backends import check_backend, connected
from gecval.corpus import Corpus
from gecval.formats.judgments import Judgments, combine
from gecval.progress import Progress, silent
from gecval.studies.checkpoint import Checkpoint, Chunks
from gecval.studies.human.agreement import agree
from gecval.studies.human.chunks import ANSWERS, HumanChunks, SetOfJudgments
from gecval.studies.human.inputs import check_left_out, distinct_sets, given_outputs, given_pair, given_sets
from gecval.studies.human.interpolation import check_systems
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranking import count
from gecval.studies.human.results import HumanResult
from gecval.studies.human.system_scores import judged_sentences, judged_systems, placed_on
from gecval.studies.human.systems import check_window
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics
from gecval.studies.oddities import oddities
from gecval.studies.preparation import check_scorable

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
    checkpoint: Path | str | None = None,
    backend: str | None = None,
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
    checkpoint
        A file in which finished chunks are kept: a ranking, a metric, the tests of a metric against others. A study
        that was interrupted goes on from there.
    backend
        Where chunks are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit.

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
    if backend is not None:
        check_backend(backend)
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
    distinct = list({system.name: system for listed in judged.values() for system in listed}.values())
    if corpus is not None and asked:
        check_scorable(corpus, distinct, asked, extractor=extractor)
    chunks = HumanChunks(
        sets=[
            SetOfJudgments(
                judgments=part,
                systems=judged.get(part.name, ()),
                sentences=np.arange(len(corpus)) if corpus and options.scope == "all" else judged_sentences(part),
            )
            for part in sets
        ],
        options=options,
        corpus=corpus,
        systems=distinct,
        metrics={repr(metric): metric for metric in asked} if corpus is not None else {},
        wanted=frozenset(map(repr, wanted)),
        extractor=extractor,
        jobs=given_jobs(jobs) if backend is None else 1,
        progress=progress if backend is None else silent,
    )
    names = list(dict.fromkeys(map(repr, wanted))) if corpus is not None else []
    pair_names = [(repr(based), repr(less)) for based, less in pairs]
    kept = Checkpoint(checkpoint, signature=chunks.signature() if checkpoint else "", form=Chunks(ANSWERS))
    with connected(backend):
        agreement = agree(chunks, names, pair_names, backend=backend, kept=kept, progress=progress)
    notes = [note for part in sets for note in part.notes] + agreement.notes
    if corpus is not None and asked:
        notes += oddities(corpus, distinct)
    return HumanResult(
        level=options.ranker.level,
        judgments=tuple(map(count, sets)),
        rankings=tuple(agreement.rankings),
        correlations=tuple(agreement.correlations),
        accuracies=tuple(agreement.accuracies),
        comparisons=tuple(agreement.comparisons),
        hybrids=tuple(agreement.hybrids),
        notes=tuple(dict.fromkeys([*notes, *(corpus.notes if corpus else ())])),
    )
