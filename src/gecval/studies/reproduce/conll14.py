"""The CoNLL-2014 test set as the papers on human rankings use it: outputs, references, judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats import load_corpus, load_systems
from gecval.formats.datasets import dataset_file, dataset_files
from gecval.formats.files import read_sentences
from gecval.formats.judgments import Judgments, combine, read_judgments
from gecval.formats.outputs import system_name
from gecval.metrics import metric, metric_names
from gecval.metrics.base import Metric
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.stats.resampling import Array
from gecval.studies.human.system_scores import Evaluations, Sentences, find_judged_sentences, select_judged_systems
from gecval.studies.scores.preparation import needs_extractor, prepare

SAKAGUCHI = tuple(f"{who}_{how}{x}" for who in ("expert", "turker") for how in ("fluency", "minimal") for x in "AB")


def load_participants(corpus: Corpus, *, repaired: bool = False) -> list[System]:
    """The twelve participants and INPUT; repaired: with the shifted lines of three of them put right."""
    fixed = dataset_files("conll14", "systems-repaired/*") if repaired else {}
    return _rename(dataset_files("conll14", "systems/*") | fixed, corpus)


def load_outputs(name: str, folder: str, corpus: Corpus) -> list[System]:
    """The systems in a folder of a data set."""
    return _rename(dataset_files(name, f"{folder}/*"), corpus)


def _rename(files: Mapping[str, Path], corpus: Corpus) -> list[System]:
    """Under our names: upstream calls the files of some systems otherwise."""
    loaded = {name: load_systems([path], corpus)[0] for name, path in files.items()}
    return [replace(system, name=system_name(Path(name))) for name, system in loaded.items()]


def load_two_references() -> Corpus:
    """NUCLE's two annotators, as the official scorer sees them."""
    return load_corpus(None, [dataset_file("conll14", "official-2014.combined.m2")])


def load_ten_references() -> Corpus:
    """Bryant & Ng's ten annotators; those without a line changed nothing."""
    return load_corpus(None, [dataset_file("bryant-ng-2015", "BN.m2")], missing="unchanged")


def load_twenty_references() -> Corpus:
    """NUCLE's two, Bryant & Ng's ten, and Sakaguchi et al.'s eight, for which plain edits are extracted."""
    edits = [dataset_file("conll14", f"official-2014.{a}.m2") for a in (0, 1)]
    edits += [dataset_file("bryant-ng-2015", f"A{a}.m2") for a in range(1, 11)]
    texts = [dataset_file("sakaguchi-2016", name) for name in SAKAGUCHI]
    corpus = load_corpus(dataset_file("conll14", "source.txt"), [*edits, *texts], missing="unchanged")
    return annotate(corpus, extractor("plain"))


def load_judgment_sets() -> tuple[Judgments, Judgments, Judgments]:
    """GJG15, NSPT15, and both combined."""
    gjg15 = read_judgments(dataset_file("gjg15", "judgments.xml"), name="GJG15")
    nspt15 = read_judgments(dataset_file("nspt15", "all_judgments.xml"), name="NSPT15")
    return gjg15, nspt15, combine("combined", [gjg15, nspt15])


def evaluate(
    labels: Mapping[str, str | None], corpus: Corpus, outputs: Sequence[System], *, run: Run = HERE
) -> tuple[dict[str, Evaluations], list[str]]:
    """The available metrics over all systems. What keeps a metric from running is a note."""
    evaluations, notes = {}, []
    for number, (label, name) in enumerate(labels.items()):
        run.progress(number, len(labels))
        announce(run.progress, label)
        if name is None or name.partition("(")[0] not in metric_names():
            continue
        try:
            judge = metric(name)
            judge.prepare(corpus, outputs, run=run)
            evaluations[label] = Evaluations.of(judge, corpus, outputs, run=HERE)
        except InputError as error:
            notes.append(f"{label} is left out: {error}")
    return evaluations, notes


References = Literal["true", "false"]
Kind = Literal["S", "E"]
KINDS: dict[Kind, str] = {"S": "sent", "E": "edit"}  # ranked by sentences, by edits
LEFT_OUT = {"base": ("INPUT", "GPT-3.5", "REF-F"), "with fluent": ("INPUT",)}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One set of judgments and some of its systems, in alphabetical order, with people's TrueSkill and wins."""

    kind: Kind
    outputs: str
    judgments: Judgments
    systems: tuple[str, ...]
    trueskill: Array
    expected_wins: Array

    @property
    def name(self) -> str:
        return f"SEEDA-{self.kind}, {self.outputs}"


@dataclass(frozen=True, kw_only=True)
class SeedaCorpus:
    """The judged sentences. ``annotated`` has the annotators' own edits, ``texts`` none: ERRANT is to find them."""

    sentences: Sentences
    annotated: Mapping[References, Corpus]
    texts: Mapping[References, Corpus]
    outputs: Sequence[System]
    settings: Sequence[Setting]

    @classmethod
    def load(cls) -> SeedaCorpus:
        both = [dataset_file("conll14", f"official-2014.{annotator}.m2") for annotator in (0, 1)]
        combined = dataset_file("conll14", "official-2014.combined.m2")
        corpora: dict[References, Corpus] = {
            "true": load_corpus(None, both),
            "false": load_corpus(None, [combined], missing="unchanged"),
        }
        outputs = load_outputs("seeda", "outputs", corpora["true"])
        placed = {kind: _judgments(kind, corpora["true"], outputs) for kind in KINDS}
        sentences = find_judged_sentences(placed["S"])
        annotated = {name: _only(corpus, sentences) for name, corpus in corpora.items()}
        return cls(
            sentences=sentences,
            annotated=annotated,
            texts={name: _texts(corpus) for name, corpus in annotated.items()},
            outputs=[replace(system, hypotheses=[system.hypotheses[i] for i in sentences]) for system in outputs],
            settings=tuple(_settings({kind: _renumber(part, sentences) for kind, part in placed.items()})),
        )

    def evaluate(self, metric: Metric, references: References = "true", *, run: Run = SERIAL) -> Evaluations:
        """All outputs under a metric. Only metrics that cannot find edits themselves see the annotators' own."""
        corpus = (self.annotated if needs_extractor(metric) else self.texts)[references]
        [prepared] = prepare(corpus, self.outputs, [metric], run=run)
        return Evaluations.of(metric, prepared, self.outputs, run=run.quiet())


@dataclass(frozen=True, kw_only=True)
class ScoredMetric:
    """A metric over all outputs, with the systems' scores; higher is better, whatever the metric says."""

    evaluations: Evaluations
    scores: Mapping[str, float]

    @classmethod
    def of(cls, evaluations: Evaluations) -> ScoredMetric:
        everything = np.arange(len(evaluations.corpus), dtype=np.int64)
        scores = evaluations.metric.direction * evaluations.scores(everything)
        return cls(evaluations=evaluations, scores=dict(zip(evaluations.systems, scores.tolist(), strict=True)))

    def on(self, setting: Setting) -> Array:
        """The scores of the setting's systems."""
        return np.array([self.scores[name] for name in setting.systems])


def _judgments(kind: Kind, corpus: Corpus, outputs: Sequence[System]) -> Judgments:
    read = read_judgments(dataset_file("seeda", f"judgments_{KINDS[kind]}.xml"), name=f"SEEDA-{kind}")
    return select_judged_systems(read, corpus, outputs)[0]


def _settings(judgments: Mapping[Kind, Judgments]) -> Iterator[Setting]:
    for kind, part in judgments.items():
        people = {}
        for method in ("TS", "EW"):
            listed = read_sentences(dataset_file("seeda", f"scores/human/{method}_{KINDS[kind]}.txt"))
            people[method] = dict(zip(part.systems, map(float, listed), strict=True))
        for outputs, without in LEFT_OUT.items():
            systems = tuple(name for name in part.systems if name not in without)
            yield Setting(
                kind=kind,
                outputs=outputs,
                judgments=part,
                systems=systems,
                trueskill=np.array([people["TS"][name] for name in systems]),
                expected_wins=np.array([people["EW"][name] for name in systems]),
            )


def _only(corpus: Corpus, sentences: Sentences) -> Corpus:
    return Corpus(
        [corpus.sources[i] for i in sentences],
        [corpus.references[i] for i in sentences],
        extractor=corpus.extractor,
        language=corpus.likely_language,
    )


def _texts(corpus: Corpus) -> Corpus:
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    return Corpus.from_texts(corpus.sources, texts, language=corpus.likely_language)


def _renumber(judgments: Judgments, sentences: Sentences) -> Judgments:
    """The judgments on a corpus of the judged sentences alone."""
    place = {number: place for place, number in enumerate(sentences.tolist())}
    ranked = (item for item in judgments.items if item.placements)
    return replace(judgments, items=tuple(replace(item, sentence=place[item.sentence]) for item in ranked))
