"""Metrics against people on every available set of judgments: GJG15, NSPT15 and SEEDA.

GJG15 and NSPT15 judge the participants of CoNLL-2014; SEEDA judges newer systems by sentences (S) and by edits (E). Its
base systems leave out the source and the two fluent ones; "with fluent" adds these two. Metrics see CoNLL-2014's two
official references, and score the judged sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.datasets import dataset_file
from gecval.formats.judgments import Judgments, read_judgments
from gecval.metrics import Metric, metric, metric_names
from gecval.results.checkpoint import (
    Checkpoint,
    Chunk,
    Chunks,
    FinishedChunks,
    Refused,
    compute_chunks,
    corpus_signature,
    digest,
    study_signature,
    systems_digest,
    try_chunk,
)
from gecval.runtime.backends import check_backend
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.studies.human.correlations import compare_metrics, correlate_metric
from gecval.studies.human.preferences import (
    CONTROLS,
    AmountOfChange,
    Control,
    PreferredPairs,
    SentenceAccuracy,
    count_preferred,
    explain_confound,
    measure_accuracy,
)
from gecval.studies.human.ranking import Ranker, Ranking, rank
from gecval.studies.human.system_scores import (
    Evaluations,
    HumanOptions,
    Sentences,
    SystemScores,
    find_judged_sentences,
    select_judged_systems,
)
from gecval.studies.reproduce.conll14 import load_outputs, load_participants, load_two_references
from gecval.studies.scores.metric_digest import metric_signature
from gecval.studies.scores.preparation import Metrics, prepare, resolve_metrics
from gecval.studies.validate.result import (
    AgainstMetric,
    Agreement,
    AgreementTable,
    Lacking,
    MetricRow,
    PreferredOnSet,
)

BASELINES = ("gleu", "m2", "errant")
OPTIONS = HumanOptions(ranker=Ranker(methods=("expected-wins",)))
FLUENT = ("GPT-3.5", "REF-F")
PART = "agreement with people"


@dataclass(frozen=True, kw_only=True)
class JudgedSet:
    """A set of judgments, and which judged systems to leave out."""

    name: str
    outputs: str
    read: Callable[[], Judgments]
    without: tuple[str, ...] = ()


def _judgments(dataset: str, file: str, name: str) -> Callable[[], Judgments]:
    return partial(_read, dataset, file, name)


def _read(dataset: str, file: str, name: str) -> Judgments:
    return read_judgments(dataset_file(dataset, file), name=name)


CONLL14 = (
    JudgedSet(name="GJG15", outputs="all", read=_judgments("gjg15", "judgments.xml", "GJG15")),
    JudgedSet(
        name="NSPT15",
        outputs="all",
        read=_judgments("nspt15", "all_judgments.xml", "NSPT15"),
        without=("refmix1",),  # no output of it is published
    ),
)
SEEDA = tuple(
    JudgedSet(
        name=name,
        outputs=outputs,
        read=_judgments("seeda", file, name),
        without=("INPUT", *without),
    )
    for name, file in (("SEEDA-S", "judgments_sent.xml"), ("SEEDA-E", "judgments_edit.xml"))
    for outputs, without in (("base", FLUENT), ("with fluent", ()))
)
BENCHMARKS: tuple[tuple[Callable[[Corpus], Sequence[System]], tuple[JudgedSet, ...]], ...] = (
    (lambda corpus: load_participants(corpus, repaired=True), CONLL14),
    (lambda corpus: load_outputs("seeda", "outputs", corpus), SEEDA),
)


@dataclass(frozen=True, kw_only=True)
class AgreementWithPeople:
    """What all sets of judgments say about each metric, by the metric's name."""

    agreement: Mapping[str, list[Agreement]]
    against: Mapping[str, list[AgainstMetric]]
    lacking: Mapping[str, list[Lacking]]
    controls: Mapping[str, list[Agreement]]
    notes: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class PlacedSet:
    """A set of judgments placed on the corpus, the ranking that it gives, and the judged systems."""

    of: JudgedSet
    judgments: Judgments
    ranking: Ranking
    systems: Sequence[System]
    change: AmountOfChange
    preferred: PreferredPairs

    @classmethod
    def read(cls, judged: JudgedSet, corpus: Corpus, outputs: Sequence[System]) -> PlacedSet:
        placed, ranked = select_judged_systems(judged.read(), corpus, outputs, without=judged.without)
        change = AmountOfChange.of(corpus, ranked)
        return cls(
            of=judged,
            judgments=placed,
            ranking=rank(placed, "expected-wins", OPTIONS.ranker),
            systems=ranked,
            change=change,
            preferred=count_preferred(placed, change, **OPTIONS.ranker.draws),
        )

    @property
    def name(self) -> str:
        return f"{self.of.name}, {self.of.outputs}"

    def agreement(self, on: AgreementOnSet) -> Agreement:
        """What this set says of a metric."""
        over_systems, over_sentences = correlate_metric(self.ranking, on.scores, 0), on.accuracy
        assert over_sentences is not None  # this metric was asked for
        return Agreement(
            judgments=self.of.name,
            outputs=self.of.outputs,
            pearson=over_systems.pearson,
            spearman=over_systems.spearman,
            kendall=over_systems.kendall,
            accuracy=over_sentences.accuracy,
            accuracy_interval=over_sentences.interval,
            pairs=over_sentences.agree + over_sentences.disagree + over_sentences.ties,
            equal_edits=over_sentences.equal_edits,
            over_more_changes=over_sentences.over_more_changes,
            second_judge=self.preferred.second_judge,
        )

    def only(self, sentences: Sentences) -> PlacedSet:
        """The same on a corpus of these sentences alone, which are all that were judged."""
        places = {sentence: place for place, sentence in enumerate(sentences.tolist())}
        items = tuple(replace(item, sentence=places[item.sentence]) for item in self.judgments.items)
        return replace(
            self,
            judgments=replace(self.judgments, items=items),
            systems=[system[sentences] for system in self.systems],
            change=replace(
                self.change, edits=self.change.edits[:, sentences], likeness=self.change.likeness[:, sentences]
            ),
        )


@dataclass(frozen=True, kw_only=True)
class AgreementOnSet:
    """A metric on one set of judgments; a metric that others are tested against has no accuracy."""

    scores: SystemScores
    accuracy: SentenceAccuracy | None


@dataclass(frozen=True, kw_only=True)
class JudgedBenchmark:
    """Judged systems with the sets that judge them; ``lacking`` says which sets are missing, and why."""

    name: str
    corpus: Corpus
    systems: Sequence[System]
    sets: Sequence[PlacedSet]
    lacking: Sequence[Lacking]

    @cached_property
    def judged_sentences(self) -> Sentences:
        """Those of all judgments."""
        return np.unique(np.concatenate([part.judgments.sentences for part in self.sets]))

    @cached_property
    def judged(self) -> JudgedBenchmark:
        """The same with the judged sentences alone: others cost time."""
        sentences = self.judged_sentences
        return replace(
            self,
            corpus=self.corpus[sentences],
            systems=[system[sentences] for system in self.systems],
            sets=[part.only(sentences) for part in self.sets],
        )

    def judge(self, wanted: Metric, options: HumanOptions, *, accuracy: bool, run: Run) -> tuple[AgreementOnSet, ...]:
        """A metric on every set."""
        part, evaluations = self.evaluate(wanted, run=run)
        return part.judge_evaluated(evaluations, options, accuracy=accuracy)

    def evaluate(self, wanted: Metric, *, run: Run) -> tuple[JudgedBenchmark, Evaluations]:
        """Every system under a metric, on the judged sentences alone where no other sentence changes its scores."""
        part = self if wanted.whole_corpus or _looks_at_places(wanted) else self.judged
        [prepared] = prepare(part.corpus, part.systems, [wanted], run=run.quiet())
        return part, Evaluations.of(wanted, prepared, part.systems, run=run.quiet())

    def judge_control(self, name: str, options: HumanOptions) -> tuple[AgreementOnSet, ...]:
        """A control on every set."""
        part = self.judged
        return part.judge_evaluated(Evaluations.of(Control(name), part.corpus, part.systems), options, accuracy=True)

    def judge_evaluated(
        self, evaluations: Evaluations, options: HumanOptions, *, accuracy: bool
    ) -> tuple[AgreementOnSet, ...]:
        """A metric, whose scores are known, on every set."""
        answers = []
        for part in self.sets:
            own = evaluations.only([system.name for system in part.systems])
            verdicts = (
                measure_accuracy(part.judgments, own, change=part.change, **options.ranker.draws) if accuracy else None
            )
            answers.append(
                AgreementOnSet(
                    scores=SystemScores.of(own, find_judged_sentences(part.judgments), options),
                    accuracy=verdicts,
                )
            )
        return tuple(answers)

    def signature(self) -> str:
        """Everything that decides what a metric does on this benchmark."""
        sets = [f"{part.of.name}:{part.of.outputs}:{digest([repr(part.judgments.items)])}" for part in self.sets]
        parts = [corpus_signature(self.corpus), systems_digest(self.systems), ",".join(sets)]
        return ":".join(["bench", self.name, *parts, *map(metric_signature, map(metric, BASELINES))])


def _looks_at_places(metric: Metric) -> bool:
    """Whether the place of a sentence in the corpus decides which of its references counts."""
    return metric.rule.by_position or any(map(_looks_at_places, metric.components))


@dataclass(frozen=True, kw_only=True)
class AgreementChunks:
    """What a worker needs to set a metric against people."""

    benchmarks: Mapping[str, JudgedBenchmark]
    metrics: Mapping[str, Metric]
    wanted: frozenset[str]  # the others are those that they are tested against
    options: HumanOptions
    run: Run

    def __call__(self, chunk: Chunk) -> tuple[AgreementOnSet, ...] | Refused:
        part, benchmark, name = chunk
        if part == "control":
            return self.benchmarks[benchmark].judge_control(name, self.options)
        return try_chunk(
            lambda: self.benchmarks[benchmark].judge(
                self.metrics[name], self.options, accuracy=name in self.wanted, run=self.run.quiet()
            )
        )


def load_benchmarks(load_references: Callable[[], Corpus] = load_two_references) -> list[JudgedBenchmark]:
    """Every benchmark, with the available sets of judgments. Raises ``InputError`` where the corpus is not."""
    corpus, benchmarks = load_references(), []
    for load, sets in BENCHMARKS:
        name = ", ".join(dict.fromkeys(judged.name for judged in sets))
        placed: list[PlacedSet] = []
        lacking: list[Lacking] = []
        try:
            outputs = load(corpus)
        except InputError as error:
            lacking.append(Lacking(part=f"{PART}: {name}", why=str(error)))
            sets = ()
        for judged in sets:
            try:
                placed.append(PlacedSet.read(judged, corpus, outputs))
            except InputError as error:
                lacking.append(Lacking(part=f"{PART}: {judged.name} ({judged.outputs})", why=str(error)))
        everybody = list({system.name: system for part in placed for system in part.systems}.values())
        benchmarks.append(JudgedBenchmark(name=name, corpus=corpus, systems=everybody, sets=placed, lacking=lacking))
    return benchmarks


def agreement_with_people(
    metrics: Sequence[Metric],
    benchmarks: Sequence[JudgedBenchmark],
    *,
    controls: Sequence[str] = (),
    run: Run = SERIAL,
    finished: FinishedChunks | None = None,
) -> AgreementWithPeople:
    """Every metric and control on every available set; metrics are tested against GLEU, M² and ERRANT."""
    names, notes = [repr(wanted) for wanted in metrics], list[str]()
    result = AgreementWithPeople(
        agreement={name: [] for name in names},
        against={name: [] for name in names},
        lacking={name: [] for name in names},
        controls={name: [] for name in controls},
        notes=notes,
    )
    everything = {repr(wanted): wanted for wanted in [*metrics, *map(metric, BASELINES)]}
    chunks: list[Chunk] = [
        ("people", benchmark.name, name) for benchmark in benchmarks if benchmark.sets for name in everything
    ]
    chunks += [("control", benchmark.name, name) for benchmark in benchmarks if benchmark.sets for name in controls]
    work = AgreementChunks(
        benchmarks={benchmark.name: benchmark for benchmark in benchmarks},
        metrics=everything,
        wanted=frozenset(names),
        options=OPTIONS,
        run=run.for_parts(),
    )
    answers = compute_chunks(work, chunks, run=run, finished=finished)
    judged: dict[Chunk, tuple[AgreementOnSet, ...] | Refused] = dict(zip(chunks, answers, strict=True))
    for benchmark in benchmarks:
        for lacking in benchmark.lacking:
            _add_lacking(result, names, lacking)
        scores: dict[str, tuple[AgreementOnSet, ...]] = {}
        for name in everything if benchmark.sets else ():
            answer = judged["people", benchmark.name, name]
            if not isinstance(answer, Refused):
                scores[name] = answer
            elif name in names:
                _add_lacking(result, [name], Lacking(part=PART, why=answer.why))
            else:
                _add_lacking(result, names, Lacking(part=f"Williams' test against {name}", why=answer.why))
        for number, part in enumerate(benchmark.sets):
            on = {name: listed[number] for name, listed in scores.items()}
            _add_agreement(result, part, names, on)
            accuracies = [on[name].accuracy for name in names if name in on]
            known = [replace(accuracy, judgments=part.name) for accuracy in accuracies if accuracy]
            notes += explain_confound(part.name, known)
            for name in controls:
                answer = judged["control", benchmark.name, name]
                assert not isinstance(answer, Refused)  # a control takes any corpus
                result.controls[name].append(part.agreement(answer[number]))
    return result


def _add_agreement(
    result: AgreementWithPeople, part: PlacedSet, names: Sequence[str], on: Mapping[str, AgreementOnSet]
) -> None:
    """One set of judgments, all metrics."""
    scores = {name: of_metric.scores for name, of_metric in on.items()}
    for name in names:
        if name not in on:
            continue
        result.agreement[name].append(part.agreement(on[name]))
        result.against[name].extend(_test_against_baselines(part.of, name, part.ranking, scores))


def _test_against_baselines(
    judged: JudgedSet, name: str, ranking: Ranking, scores: Mapping[str, SystemScores]
) -> Iterator[AgainstMetric]:
    for other in BASELINES:
        if other == name or other not in scores:
            continue
        for comparison in compare_metrics(ranking, [scores[name], scores[other]]):
            yield AgainstMetric(
                judgments=judged.name,
                outputs=judged.outputs,
                other=other,
                difference=comparison.difference,
                p=comparison.williams_p,
            )


def _add_lacking(result: AgreementWithPeople, names: Sequence[str], lacking: Lacking) -> None:
    for name in names:
        result.lacking[name].append(lacking)


def agreement_table(
    metrics: Metrics | None = None,
    *,
    run: Run = HERE,
    checkpoint: Path | str | None = None,
) -> AgreementTable:
    """Set metrics against people on GJG15, NSPT15 and SEEDA.

    Parameters
    ----------
    metrics
        Metrics or their names; by default all that need no files of yours and no network. Language models take an hour.
    run
        How it runs: threads, progress, backend.
    checkpoint
        A file for finished chunks: a metric on all sets of one benchmark. A study that was interrupted goes
        on from there.

    Returns
    -------
    AgreementTable
        It prints as tables.

    Raises
    ------
    InputError
        Where no set of judgments is available, or no metric can be computed.

    Examples
    --------
    >>> agreement_table(["gleu", "m2"])  # doctest: +SKIP
    """
    wanted = list_default_metrics() if metrics is None else resolve_metrics(metrics)
    names = list(dict.fromkeys(map(repr, wanted)))
    announce(run.progress, PART)
    check_backend(run.backend)
    benchmarks = load_benchmarks()

    def signature() -> str:
        """What decides the agreement on every set."""
        return study_signature(
            "agreement", *map(metric_signature, wanted), *(benchmark.signature() for benchmark in benchmarks)
        )

    form = Chunks(dict.fromkeys(("people", "control"), tuple[AgreementOnSet, ...]))
    finished = Checkpoint(checkpoint, signature, form)
    people = agreement_with_people(
        list(dict.fromkeys(wanted)), benchmarks, controls=CONTROLS, run=run, finished=finished
    )
    lacking = {name: [row for row in people.lacking[name] if row.part.startswith(PART)] for name in names}
    left_out = [_explain_left_out(name, row.part, row.why) for name in names for row in lacking[name]]
    rows = [MetricRow(metric=name, agreement=tuple(people.agreement[name])) for name in names]
    if not any(row.agreement for row in rows):
        raise InputError(lacking[names[0]][0].why)
    return AgreementTable(
        metrics=tuple(row for row in rows if row.agreement),
        level=OPTIONS.ranker.level,
        controls=tuple(MetricRow(metric=name, agreement=tuple(listed)) for name, listed in people.controls.items()),
        preferred=tuple(
            PreferredOnSet(judgments=part.of.name, outputs=part.of.outputs, pairs=part.preferred)
            for benchmark in benchmarks
            for part in benchmark.sets
        ),
        notes=tuple(dict.fromkeys([*left_out, *people.notes])),
    )


def _explain_left_out(name: str, part: str, why: str) -> str:
    """Why a metric is left out; a missing set is missing for all metrics."""
    return f"{name} is left out: {why}" if part == PART else f"{part.removeprefix(f'{PART}: ')} is left out: {why}"


# All metrics that need no files of the user's and no network, nor hours: what a table over all metrics has by default.
#
# The test of this list says why any other built-in metric is not in it.


ALL = (
    "m2",
    "errant",
    "weighted",
    "cleme",
    'cleme(mode="independent")',
    "cleme2",
    'cleme2(mode="independent")',
    "gotoscorer",
    'uot(model="minilm")',
    "imeasure",
    "gleu",
    "green",
    "sari",
    "max-sari",
    "bleu",
    "ibleu",
    "accuracy",
    "index-match",
    "min-ld",
    "ld",
    "levenshtein",
    "token-sort",
    "lt",
    "scribendi",
    "graded-scribendi",
    "perplexity",
)


def list_default_metrics() -> list[Metric]:
    """A metric for each line of the list that this installation knows."""
    known = set(metric_names())
    return [metric(spelling) for spelling in ALL if spelling.partition("(")[0] in known]
