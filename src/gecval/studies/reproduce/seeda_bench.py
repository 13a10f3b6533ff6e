"""SEEDA's judged sentences as a corpus of their own, with the true references of CoNLL-2014 and with false ones.

`official-2014.combined.m2` has one annotator only where both agreed: in 88 of 1312 sentences, 22 of which are judged.
gec-metrics takes the annotator who is not there for one who left the source alone. So these 88 second references are
false: they say that nothing is to correct. The files of the two annotators have the true ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gecval.corpus import Corpus, System
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.formats.files import read_sentences
from gecval.formats.judgments import Judgments, read_judgments
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent
from gecval.stats.resampling import Array
from gecval.studies.human.system_scores import Evaluations, Sentences, judged_sentences, judged_systems
from gecval.studies.preparation import needs_extractor, prepare
from gecval.studies.reproduce.conll14 import systems_of

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
class Bench:
    """The judged sentences. ``annotated`` has the annotators' own edits, ``texts`` none: ERRANT is to find them."""

    sentences: Sentences
    annotated: Mapping[References, Corpus]
    texts: Mapping[References, Corpus]
    outputs: Sequence[System]
    settings: Sequence[Setting]

    @classmethod
    def load(cls) -> Bench:
        both = [dataset_file("conll14", f"official-2014.{annotator}.m2") for annotator in (0, 1)]
        combined = dataset_file("conll14", "official-2014.combined.m2")
        corpora: dict[References, Corpus] = {
            "true": load_corpus(None, both),
            "false": load_corpus(None, [combined], missing="unchanged"),
        }
        outputs = systems_of("seeda", "outputs", corpora["true"])
        placed = {kind: _judgments(kind, corpora["true"], outputs) for kind in KINDS}
        sentences = judged_sentences(placed["S"])
        annotated = {name: _only(corpus, sentences) for name, corpus in corpora.items()}
        return cls(
            sentences=sentences,
            annotated=annotated,
            texts={name: _texts(corpus) for name, corpus in annotated.items()},
            outputs=[replace(system, hypotheses=[system.hypotheses[i] for i in sentences]) for system in outputs],
            settings=tuple(_settings({kind: _renumbered(part, sentences) for kind, part in placed.items()})),
        )

    def evaluate(
        self, metric: Metric, references: References = "true", *, jobs: int = 1, progress: Progress = silent
    ) -> Evaluations:
        """All outputs under a metric. Only metrics that cannot find edits themselves see the annotators' own."""
        corpus = (self.annotated if needs_extractor(metric) else self.texts)[references]
        [prepared] = prepare(corpus, self.outputs, [metric], jobs=jobs, progress=progress)
        return Evaluations.of(metric, prepared, self.outputs, jobs=jobs)


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A metric over all outputs, with the systems' scores; higher is better, whatever the metric says."""

    evaluations: Evaluations
    scores: Mapping[str, float]

    @classmethod
    def of(cls, evaluations: Evaluations) -> Scored:
        everything = np.arange(len(evaluations.corpus), dtype=np.int64)
        scores = evaluations.metric.direction * evaluations.scores(everything)
        return cls(evaluations=evaluations, scores=dict(zip(evaluations.systems, scores.tolist(), strict=True)))

    def on(self, setting: Setting) -> Array:
        """The scores of the setting's systems."""
        return np.array([self.scores[name] for name in setting.systems])


def _judgments(kind: Kind, corpus: Corpus, outputs: Sequence[System]) -> Judgments:
    read = read_judgments(dataset_file("seeda", f"judgments_{KINDS[kind]}.xml"), name=f"SEEDA-{kind}")
    return judged_systems(read, corpus, outputs)[0]


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


def _renumbered(judgments: Judgments, sentences: Sentences) -> Judgments:
    """The judgments on a corpus of the judged sentences alone."""
    place = {number: place for place, number in enumerate(sentences.tolist())}
    ranked = (item for item in judgments.items if item.placements)
    return replace(judgments, items=tuple(replace(item, sentence=place[item.sentence]) for item in ranked))
