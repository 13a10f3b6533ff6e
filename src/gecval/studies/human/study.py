"""Which metric agrees with people? Human scores and metric scores side by side, over systems and over sentences.

System level: the correlation of human scores (Expected Wins, TrueSkill) with the metric's scores, over systems. The
metric scores the judged sentences only, as the MAEGE paper (§3) proposes, or all. A window correlates neighbours in the
human ranking alone: a metric that tells the best systems from the worst need not tell the best from the second best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import Judgments, combine
from gecval.metrics.base import Array, Metric
from gecval.results.checkpoint import (
    Checkpoint,
    Chunk,
    Chunks,
    FinishedChunks,
    compute_chunks,
    corpus_signature,
    digest,
    study_signature,
    systems_digest,
)
from gecval.runtime.backends import check_backend, connect
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.human.correlations import (
    check_systems,
    check_window,
    compare_metrics,
    correct_over_metrics,
    correlate_metric,
    explain_comparisons,
    explain_correlations,
    sweep_hybrids,
)
from gecval.studies.human.preferences import (
    CONTROLS,
    AmountOfChange,
    Control,
    SentenceAccuracy,
    count_preferred,
    explain_confound,
    measure_accuracy,
)
from gecval.studies.human.ranking import Method, Ranking, count_judgments, rank
from gecval.studies.human.result import HumanResult, HybridSweep, MetricComparison
from gecval.studies.human.system_scores import (
    Evaluations,
    HumanOptions,
    Sentences,
    SystemScores,
    find_judged_sentences,
    place_on_corpus,
    select_judged_systems,
)
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.metric_digest import finder_signature, metric_signature
from gecval.studies.scores.preparation import (
    Edits,
    Metrics,
    Systems,
    check_scorable,
    prepare,
    resolve_metrics,
    resolve_systems,
)

__all__ = ["HumanOptions", "human"]

COMBINED = "combined"


def human(
    judgments: Judgments | Iterable[Judgments],
    corpus: Corpus | None = None,
    systems: Systems = (),
    metrics: Metrics = (),
    *,
    ranking: Method | Sequence[Method] | None = None,
    without: str | Sequence[str] | None = None,
    options: HumanOptions | None = None,
    edits: Edits = None,
    run: Run = HERE,
    checkpoint: Path | str | None = None,
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
    ranking
        ``expected-wins``, ``trueskill`` or both; instead of the ``methods`` of the ranker in ``options``.
    without
        Systems to leave out of correlations and accuracies; instead of those of ``options``.
    options
        How to rank and to compare, in detail.
    edits
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.
    checkpoint
        A file for finished chunks: a ranking, a metric, the tests of a metric against others. A study
        that was interrupted goes on from there.

    Returns
    -------
    HumanResult
        Rankings and, with metrics, correlations, accuracies, controls, comparisons and hybrids. It prints as tables.

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
    options = _choose(options or HumanOptions(), ranking, without)
    check_backend(run.backend)
    sets, wanted = resolve_judgments(judgments), resolve_metrics(metrics, least=0)
    pairs = [resolve_pair(pair) for pair in options.hybrids]
    every_metric = list(dict.fromkeys([*wanted, *(metric for pair in pairs for metric in pair)]))
    # What may be refused comes before what takes long.
    options.check(sets=len(sets), metrics=bool(wanted))
    check_left_out(options.without, sets)
    outputs = resolve_outputs(corpus, systems, every_metric, combined=options.combined)
    if corpus is not None:
        sets = [place_on_corpus(part, corpus, outputs)[0] for part in sets]
    if options.combined:
        sets = check_set_names([*sets, combine(COMBINED, sets)])
    judged = {}
    if corpus is not None and every_metric:
        for part in sets:
            _, judged[part.name] = select_judged_systems(part, corpus, outputs, without=options.without)
            check_window(options.window, len(judged[part.name]))
            if pairs:
                check_systems(len(judged[part.name]))
    distinct = list({system.name: system for listed in judged.values() for system in listed}.values())
    if corpus is not None and every_metric:
        check_scorable(corpus, distinct, every_metric, extractor=edits)
    change = AmountOfChange.of(corpus, distinct, run=run) if corpus is not None and wanted else None
    chunks = HumanChunks(
        sets=[
            SetOfJudgments(
                judgments=part,
                systems=judged.get(part.name, ()),
                sentences=np.arange(len(corpus)) if corpus and options.scope == "all" else find_judged_sentences(part),
                change=change.only([system.name for system in judged[part.name]]) if change and wanted else None,
            )
            for part in sets
        ],
        options=options,
        corpus=corpus,
        systems=distinct,
        metrics={repr(metric): metric for metric in every_metric} if corpus is not None else {},
        wanted=frozenset(map(repr, wanted)),
        extractor=edits,
        run=run.for_parts(),
    )
    names = list(dict.fromkeys(map(repr, wanted))) if corpus is not None else []
    pair_names = [(repr(based), repr(less)) for based, less in pairs]
    finished = Checkpoint(checkpoint, chunks.signature, Chunks(ANSWERS))
    with connect(run.backend):
        result = measure_agreement(chunks, names, pair_names, run=run, finished=finished)
    notes = [*(note for part in sets for note in part.notes), *result.notes]
    if corpus is not None and every_metric:
        notes += input_notes(corpus, distinct)
        notes += [note for part in sets for note in explain_confound(part.name, result.accuracies)]
    return replace(result, notes=tuple(dict.fromkeys([*notes, *(corpus.notes if corpus else ())])))


# All metrics against all sets of judgments, chunk by chunk.


def measure_agreement(
    work: HumanChunks,
    metrics: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    run: Run,
    finished: FinishedChunks,
) -> HumanResult:
    """Rank systems by each set, and compare metrics, and pairs of them interpolated, with the rankings."""
    methods = work.options.ranker.methods
    chunks: list[Chunk] = [("ranking", number, method) for number in range(len(work.sets)) for method in methods]
    controls = CONTROLS if metrics else ()
    chunks += [("metric", name) for name in work.metrics] + [("control", name) for name in controls]
    announce(run.progress, "ranking")
    answers = list(compute_chunks(work, chunks, run=run, finished=finished))
    rankings = [
        (number // len(methods), ranking) for number, ranking in enumerate(answers[: len(work.sets) * len(methods)])
    ]
    on_sets = dict(zip([*work.metrics, *controls], answers[len(rankings) :], strict=True))
    # [set][metric]
    scored = [[_scores(on_sets[name].sets[number]) for name in metrics] for number in range(len(work.sets))]
    others = MetricTests(
        rankings=rankings,
        systems=[tuple(system.name for system in part.systems) for part in work.sets],
        scores=scored,
        means=[{name: on_sets[name].sets[number].means for name in work.metrics} for number in range(len(work.sets))],
        pairs=pairs if work.metrics else (),
    )
    tests: list[Chunk] = [("comparison", number, name) for number in range(len(rankings)) for name in metrics[:-1]]
    tests += [("hybrid", number, pair) for number in range(len(rankings)) for pair in range(len(others.pairs))]
    tested = list(compute_chunks(others, tests, run=run, finished=finished))
    split = len(tests) - len(rankings) * len(others.pairs)
    correlations = [
        correlate_metric(ranking, scores, work.options.window)
        for number, ranking in rankings
        for scores in scored[number]
    ]
    return HumanResult(
        level=work.options.ranker.level,
        judgments=tuple(count_judgments(part.judgments) for part in work.sets),
        rankings=tuple(ranking for _, ranking in rankings),
        correlations=tuple(correct_over_metrics(correlations)),
        accuracies=_accuracies(on_sets, metrics, len(work.sets)),
        controls=tuple(
            correlate_metric(ranking, _scores(on_sets[name].sets[number]), 0)
            for number, ranking in rankings
            for name in controls
        ),
        control_accuracies=_accuracies(on_sets, controls, len(work.sets)),
        preferred=tuple(
            count_preferred(part.judgments, part.change, **work.options.ranker.draws)
            for part in work.sets
            if part.change is not None
        ),
        comparisons=tuple(comparison for listed in tested[:split] for comparison in listed),
        hybrids=tuple(swept for listed in tested[split:] for swept in listed),
        notes=(
            *(
                note
                for part, scores in zip(work.sets, scored, strict=True)
                for explain in (explain_correlations, explain_comparisons)
                for note in explain(part.judgments.name, scores)
            ),
            *(note for on in on_sets.values() for note in on.notes),
        ),
    )


def _accuracies(on_sets: Mapping[str, MetricOnSets], names: Iterable[str], sets: int) -> tuple[SentenceAccuracy, ...]:
    """Those of some metrics, set after set."""
    found = [on_sets[name].sets[number].accuracy for number in range(sets) for name in names]
    return tuple(accuracy for accuracy in found if accuracy is not None)


def _scores(on_set: MetricOnSet) -> SystemScores:
    assert on_set.scores is not None  # a metric that the user named
    return on_set.scores


# The chunks of metrics against people: each ranking, each metric on all sets of judgments, each metric against others.
#
# ("ranking", set, method)          Expected Wins or TrueSkill of one set of judgments
# ("metric", name)                  the metric's scores of systems, and its accuracy over sentences, on every set
# ("control", name)                 the same of a control, such as more changes
# ("comparison", ranking, name)     the metric tested against each metric that comes after it
# ("hybrid", ranking, pair)         two metrics interpolated, for all weights


@dataclass(frozen=True, kw_only=True)
class SetOfJudgments:
    """One set, placed on the corpus, and the judged systems that metrics are compared on."""

    judgments: Judgments
    systems: Sequence[System] = ()
    sentences: Sentences  # those that metrics score
    change: AmountOfChange | None = None  # of these systems


@dataclass(frozen=True, kw_only=True)
class MetricOnSet:
    """A metric on one set of judgments. ``means`` are those of sentence scores, the better the higher: for hybrids."""

    scores: SystemScores | None
    accuracy: SentenceAccuracy | None
    means: Array


@dataclass(frozen=True, kw_only=True)
class MetricOnSets:
    """A metric on all sets, and what a reader should know of it."""

    sets: tuple[MetricOnSet, ...]
    notes: tuple[str, ...]


ANSWERS = {
    "ranking": Ranking,
    "metric": MetricOnSets,
    "control": MetricOnSets,
    "comparison": tuple[MetricComparison, ...],
    "hybrid": tuple[HybridSweep, ...],
}


@dataclass(frozen=True, kw_only=True)
class HumanChunks:
    """What a worker needs to rank systems, or to set a metric against people."""

    sets: Sequence[SetOfJudgments]
    options: HumanOptions
    corpus: Corpus | None
    systems: Sequence[System]
    metrics: Mapping[str, Metric]
    wanted: frozenset[str]  # metrics that are set against people themselves; others are in hybrids alone
    extractor: Edits
    run: Run

    def __call__(self, chunk: Chunk) -> Any:
        part, *which = chunk
        if part == "ranking":
            number, method = which
            return rank(self.sets[number].judgments, method, self.options.ranker, run=self.run)
        [name] = which
        if part == "control":
            assert self.corpus is not None
            control = Control(name)
            return self._judge(Evaluations.of(control, self.corpus, self.systems), wanted=True)
        return self._on_metric(name)

    def signature(self) -> str:
        """Everything that decides a chunk."""
        corpus, metrics = self.corpus, list(self.metrics.values())
        return study_signature(
            "human",
            *(f"judgments:{part.judgments.name}:{digest([repr(part.judgments.items)])}" for part in self.sets),
            *([corpus_signature(corpus), *finder_signature(corpus, metrics, self.extractor)] if corpus else []),
            f"systems:{systems_digest(self.systems)}",
            *map(metric_signature, metrics),
            repr(self.options),
        )

    def _on_metric(self, name: str) -> MetricOnSets:
        metric = self.metrics[name]
        assert self.corpus is not None
        [prepared] = prepare(self.corpus, self.systems, [metric], extractor=self.extractor, run=self.run)
        announce(self.run.progress, f"scoring by {name}")
        evaluations = Evaluations.of(metric, prepared, self.systems, run=self.run.quiet())
        return self._judge(evaluations, wanted=name in self.wanted, notes=prepared.notes)

    def _judge(self, evaluations: Evaluations, *, wanted: bool, notes: Sequence[str] = ()) -> MetricOnSets:
        return MetricOnSets(
            sets=tuple(self._on_set(part, evaluations, wanted=wanted) for part in self.sets),
            notes=(*evaluations.notes, *notes),
        )

    def _on_set(self, part: SetOfJudgments, evaluations: Evaluations, *, wanted: bool) -> MetricOnSet:
        own, ranker = evaluations.only([system.name for system in part.systems]), self.options.ranker
        return MetricOnSet(
            scores=SystemScores.of(own, part.sentences, self.options) if wanted else None,
            accuracy=measure_accuracy(
                part.judgments,
                own,
                change=part.change,
                ties=self.options.ties,
                **ranker.draws,
            )
            if wanted
            else None,
            means=own.direction("mean") * own.scores(part.sentences, "mean"),
        )


@dataclass(frozen=True, kw_only=True)
class MetricTests:
    """What a worker needs to set metrics against each other. A ranking comes with the number of its set."""

    rankings: Sequence[tuple[int, Ranking]]
    systems: Sequence[tuple[str, ...]]  # of each set
    scores: Sequence[Sequence[SystemScores]]  # of each set, of each metric
    means: Sequence[Mapping[str, Array]]  # of each set, by the metric's name
    pairs: Sequence[tuple[str, str]]

    def __call__(self, chunk: Chunk) -> Any:
        part, number, which = chunk
        of_set, ranking = self.rankings[number]
        if part == "comparison":
            names = [scores.metric for scores in self.scores[of_set]]
            first, *others = self.scores[of_set][names.index(which) :]
            return tuple(comparison for other in others for comparison in compare_metrics(ranking, [first, other]))
        based, less = self.pairs[which]
        means = self.means[of_set]
        return tuple(
            sweep_hybrids(
                ranking,
                self.systems[of_set],
                reference_based=(based, means[based]),
                reference_less=(less, means[less]),
            )
        )


# What users give the study, checked before anything takes long.


PARTS = ("source", "references", "systems")  # what a corpus and its systems are given as


def resolve_judgments(judgments: Judgments | Iterable[Judgments]) -> list[Judgments]:
    """One set or several, as a list."""
    listed = [judgments] if isinstance(judgments, Judgments) else list(judgments)
    for part in listed:
        if not isinstance(part, Judgments):
            raise InputError(f"judgments are given as {type(part).__name__}; read them with read_judgments(path)")
    if not listed:
        raise InputError("there are no judgments: give one set or more", parameter="judgments")
    return check_set_names(listed)


def check_set_names(sets: list[Judgments]) -> list[Judgments]:
    """Refuse two sets of one name: results name them."""
    names = [part.name for part in sets]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two sets of judgments are named {name!r}; rename one")
    return sets


def resolve_pair(pair: Metrics) -> tuple[Metric, Metric]:
    """The two metrics of a hybrid."""
    metrics = resolve_metrics(pair)
    if len(metrics) != 2:
        raise InputError(f"a hybrid takes two metrics, not {len(metrics)}", parameter="hybrids")
    return metrics[0], metrics[1]


def _choose(
    options: HumanOptions, ranking: Method | Sequence[Method] | None, without: str | Sequence[str] | None
) -> HumanOptions:
    """The options, with what was named apart from them."""
    if ranking is not None:
        methods = (ranking,) if isinstance(ranking, str) else tuple(ranking)
        options = replace(options, ranker=replace(options.ranker, methods=methods))
    if without is not None:
        options = replace(options, without=(without,) if isinstance(without, str) else tuple(without))
    return options


def check_left_out(without: Iterable[str], sets: Iterable[Judgments]) -> None:
    """Refuse to leave out a system that nobody judged."""
    judged = sorted({name for part in sets for name in part.systems})
    for name in without:
        if name not in judged:
            raise InputError(
                f"there is no judged system {name!r} to leave out; there is {', '.join(judged)}", parameter="without"
            )


def resolve_outputs(
    corpus: Corpus | None, systems: Systems, metrics: Sequence[Metric], *, combined: bool
) -> list[System]:
    """The judged outputs. Metrics need them; without metrics, they only tell how sets count their sentences."""
    if corpus is None:
        if metrics:
            raise InputError("metrics need what was judged: the corpus and the systems", parameter=PARTS)
        if systems:
            raise InputError("systems need the corpus that they correct", parameter=PARTS[:2])
        return []
    if not metrics and not combined:
        raise InputError("the corpus and the systems change nothing without metrics", parameter="metrics")
    return resolve_systems(systems, corpus, least=0)
