"""Metrics against people on every set of judgments at hand: GJG15, NSPT15 and SEEDA.

GJG15 and NSPT15 judge the participants of CoNLL-2014; SEEDA judges newer systems by sentences (S) and by edits (E). Its
base systems leave out the source and the two fluent ones; "with fluent" adds these two. Metrics see CoNLL-2014's two
official references, and score the judged sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.datasets import dataset_file
from gecval.formats.judgments import Judgments, read_judgments
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent
from gecval.studies.human.options import HumanOptions
from gecval.studies.human.ranker import Ranker
from gecval.studies.human.ranking import Ranking, rank
from gecval.studies.human.sentences import sentence_accuracy
from gecval.studies.human.system_scores import Evaluations, judged_sentences, judged_systems
from gecval.studies.human.systems import SystemScores, comparisons, correlation
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
    return lambda: read_judgments(dataset_file(dataset, file), name=name)


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


def agreement_with_people(
    metrics: Sequence[Metric], *, jobs: int = 1, progress: Progress = silent
) -> AgreementWithPeople:
    """Every metric on every set at hand, and tested against GLEU, M² and ERRANT."""
    names = [repr(wanted) for wanted in metrics]
    result = AgreementWithPeople(
        agreement={name: [] for name in names},
        against={name: [] for name in names},
        lacking={name: [] for name in names},
    )
    try:
        corpus = two_references()
    except InputError as error:
        _lack(result, names, PART, error)
        return result
    for load, sets in BENCHES:
        try:
            outputs = load(corpus)
        except InputError as error:
            _lack(result, names, f"{PART}: {', '.join(dict.fromkeys(judged.name for judged in sets))}", error)
            continue
        read: list[PlacedSet] = []
        for judged in sets:
            try:
                read.append(PlacedSet.read(judged, corpus, outputs))
            except InputError as error:
                _lack(result, names, f"{PART}: {judged.name} ({judged.outputs})", error)
        everybody = list({system.name: system for part in read for system in part.systems}.values())
        evaluations = _evaluate(result, metrics, corpus, everybody, jobs=jobs, progress=progress)
        for part in read:
            _judge(result, part, names, evaluations)
    return result


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


def _evaluate(
    result: AgreementWithPeople,
    metrics: Sequence[Metric],
    corpus: Corpus,
    systems: Sequence[System],
    *,
    jobs: int,
    progress: Progress,
) -> dict[str, Evaluations]:
    """Every metric and baseline over all systems, by name."""
    names, evaluations = [repr(wanted) for wanted in metrics], {}
    everything = list(dict.fromkeys([*metrics, *map(metric, BASELINES)]))
    for number, wanted in enumerate(everything):
        progress(number, len(everything))
        try:
            [prepared] = prepare(corpus, systems, [wanted], jobs=jobs)
            evaluations[repr(wanted)] = Evaluations.of(wanted, prepared, systems, jobs=jobs)
        except InputError as error:
            if repr(wanted) in names:
                _lack(result, [repr(wanted)], PART, error)
            else:
                _lack(result, names, f"Williams' test against {wanted!r}", error)
    return evaluations


def _judge(
    result: AgreementWithPeople, part: PlacedSet, names: Sequence[str], evaluations: Mapping[str, Evaluations]
) -> None:
    """One set of judgments, all metrics."""
    kept, sentences, ranker = [system.name for system in part.systems], judged_sentences(part.judgments), OPTIONS.ranker
    own = {name: given.only(kept) for name, given in evaluations.items()}
    scores = {name: SystemScores.of(given, sentences, OPTIONS) for name, given in own.items()}
    for name in names:
        if name not in own:
            continue
        over_systems = correlation(part.ranking, scores[name], 0)
        over_sentences = sentence_accuracy(
            part.judgments, own[name], resamples=ranker.resamples, level=ranker.level, seed=ranker.seed
        )
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


def _lack(result: AgreementWithPeople, names: Sequence[str], part: str, error: InputError) -> None:
    for name in names:
        result.lacking[name].append(Lacking(part=part, why=str(error)))
