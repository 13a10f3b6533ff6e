"""Metrics against people on every set of judgments at hand: GJG15, NSPT15 and SEEDA.

GJG15 and NSPT15 judge the participants of CoNLL-2014; SEEDA judges newer systems by sentences (S) and by edits (E). Its
base systems leave out the source and the two fluent ones; "with fluent" adds these two. Metrics see CoNLL-2014's two
official references, and score the judged sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.datasets import dataset_file
from gecval.formats.judgments import Judgments, read_judgments
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent
from gecval.studies.checkpoint import Chunk, Kept
from gecval.studies.chunks import Refused, computed, corpus_signature, digest, systems_digest, tried
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranker import Ranker
from gecval.studies.human.ranking import Ranking, rank
from gecval.studies.human.sentences import SentenceAccuracy, sentence_accuracy
from gecval.studies.human.system_scores import Evaluations, judged_sentences, judged_systems
from gecval.studies.human.systems import SystemScores, comparisons, correlation
from gecval.studies.metric_signature import metric_signature
from gecval.studies.preparation import prepare
from gecval.studies.reproduce.conll14 import systems, systems_of, two_references
from gecval.studies.validate.results import AgainstMetric, Agreement, Lacking

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
BENCHES: tuple[tuple[Callable[[Corpus], Sequence[System]], tuple[JudgedSet, ...]], ...] = (
    (lambda corpus: systems(corpus, repaired=True), CONLL14),
    (lambda corpus: systems_of("seeda", "outputs", corpus), SEEDA),
)


@dataclass(frozen=True, kw_only=True)
class AgreementWithPeople:
    """What all sets of judgments say about each metric, by the metric's name."""

    agreement: Mapping[str, list[Agreement]]
    against: Mapping[str, list[AgainstMetric]]
    lacking: Mapping[str, list[Lacking]]


@dataclass(frozen=True, kw_only=True)
class PlacedSet:
    """A set of judgments placed on the corpus, the ranking that it gives, and the judged systems."""

    of: JudgedSet
    judgments: Judgments
    ranking: Ranking
    systems: Sequence[System]

    @classmethod
    def read(cls, judged: JudgedSet, corpus: Corpus, outputs: Sequence[System]) -> PlacedSet:
        placed, ranked = judged_systems(judged.read(), corpus, outputs, without=judged.without)
        return cls(
            of=judged,
            judgments=placed,
            ranking=rank(placed, "expected-wins", OPTIONS.ranker),
            systems=ranked,
        )


@dataclass(frozen=True, kw_only=True)
class OnSet:
    """A metric on one set of judgments; a metric that others are tested against has no accuracy."""

    scores: SystemScores
    accuracy: SentenceAccuracy | None


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Judged systems with the sets that judge them; ``lacking`` says which sets are not at hand, and why."""

    name: str
    corpus: Corpus
    systems: Sequence[System]
    sets: Sequence[PlacedSet]
    lacking: Sequence[Lacking]

    def judge(self, wanted: Metric, options: HumanOptions, *, accuracy: bool, jobs: int) -> tuple[OnSet, ...]:
        """A metric on every set."""
        [prepared] = prepare(self.corpus, self.systems, [wanted], jobs=jobs)
        evaluations, ranker = Evaluations.of(wanted, prepared, self.systems, jobs=jobs), options.ranker
        answers = []
        for part in self.sets:
            own = evaluations.only([system.name for system in part.systems])
            over_sentences = partial(
                sentence_accuracy, resamples=ranker.resamples, level=ranker.level, seed=ranker.seed
            )
            answers.append(
                OnSet(
                    scores=SystemScores.of(own, judged_sentences(part.judgments), options),
                    accuracy=over_sentences(part.judgments, own) if accuracy else None,
                )
            )
        return tuple(answers)

    def signature(self) -> str:
        """Everything that decides what a metric does on this bench."""
        sets = [f"{part.of.name}:{part.of.outputs}:{digest([repr(part.judgments.items)])}" for part in self.sets]
        parts = [corpus_signature(self.corpus), systems_digest(self.systems), ",".join(sets)]
        return ":".join(["bench", self.name, *parts, *map(metric_signature, map(metric, BASELINES))])


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What a worker needs to set a metric against people."""

    benches: Mapping[str, Bench]
    metrics: Mapping[str, Metric]
    asked: frozenset[str]  # the others are those that they are tested against
    options: HumanOptions
    jobs: int

    def __call__(self, chunk: Chunk) -> tuple[OnSet, ...] | Refused:
        _, bench, name = chunk
        return tried(
            lambda: self.benches[bench].judge(
                self.metrics[name], self.options, accuracy=name in self.asked, jobs=self.jobs
            )
        )


def load_benches() -> list[Bench]:
    """Every bench, with the sets of judgments that are at hand. Raises ``InputError`` where the corpus is not."""
    corpus, benches = two_references(), []
    for load, sets in BENCHES:
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
        benches.append(Bench(name=name, corpus=corpus, systems=everybody, sets=placed, lacking=lacking))
    return benches


def agreement_with_people(
    metrics: Sequence[Metric],
    benches: Sequence[Bench],
    *,
    jobs: int = 1,
    backend: str | None = None,
    kept: Kept | None = None,
    progress: Progress = silent,
) -> AgreementWithPeople:
    """Every metric on every set at hand, and tested against GLEU, M² and ERRANT."""
    names = [repr(wanted) for wanted in metrics]
    result = AgreementWithPeople(
        agreement={name: [] for name in names},
        against={name: [] for name in names},
        lacking={name: [] for name in names},
    )
    everything = {repr(wanted): wanted for wanted in [*metrics, *map(metric, BASELINES)]}
    chunks: list[Chunk] = [("people", bench.name, name) for bench in benches if bench.sets for name in everything]
    work = Judging(
        benches={bench.name: bench for bench in benches},
        metrics=everything,
        asked=frozenset(names),
        options=OPTIONS,
        jobs=jobs,
    )
    judged: dict[Chunk, tuple[OnSet, ...] | Refused] = {}
    progress(0, len(chunks))
    for chunk, answer in zip(chunks, computed(work, chunks, backend=backend, kept=kept), strict=True):
        judged[chunk] = answer
        progress(len(judged), len(chunks))
    for bench in benches:
        for lacking in bench.lacking:
            _lack(result, names, lacking)
        scores: dict[str, tuple[OnSet, ...]] = {}
        for name in everything if bench.sets else ():
            answer = judged["people", bench.name, name]
            if not isinstance(answer, Refused):
                scores[name] = answer
            elif name in names:
                _lack(result, [name], Lacking(part=PART, why=answer.why))
            else:
                _lack(result, names, Lacking(part=f"Williams' test against {name}", why=answer.why))
        for number, part in enumerate(bench.sets):
            _judge(result, part, names, {name: listed[number] for name, listed in scores.items()})
    return result


def _judge(result: AgreementWithPeople, part: PlacedSet, names: Sequence[str], on: Mapping[str, OnSet]) -> None:
    """One set of judgments, all metrics."""
    scores = {name: of_metric.scores for name, of_metric in on.items()}
    for name in names:
        if name not in on:
            continue
        over_systems, over_sentences = correlation(part.ranking, scores[name], 0), on[name].accuracy
        assert over_sentences is not None  # this metric was asked for
        result.agreement[name].append(
            Agreement(
                judgments=part.of.name,
                outputs=part.of.outputs,
                pearson=over_systems.pearson,
                spearman=over_systems.spearman,
                kendall=over_systems.kendall,
                accuracy=over_sentences.accuracy,
                accuracy_interval=over_sentences.interval,
                pairs=over_sentences.agree + over_sentences.disagree + over_sentences.ties,
            )
        )
        result.against[name].extend(_tests(part.of, name, part.ranking, scores))


def _tests(
    judged: JudgedSet, name: str, ranking: Ranking, scores: Mapping[str, SystemScores]
) -> Iterator[AgainstMetric]:
    for other in BASELINES:
        if other == name or other not in scores:
            continue
        for comparison in comparisons(ranking, [scores[name], scores[other]]):
            yield AgainstMetric(
                judgments=judged.name,
                outputs=judged.outputs,
                other=other,
                difference=comparison.difference,
                p=comparison.williams_p,
            )


def _lack(result: AgreementWithPeople, names: Sequence[str], lacking: Lacking) -> None:
    for name in names:
        result.lacking[name].append(lacking)
