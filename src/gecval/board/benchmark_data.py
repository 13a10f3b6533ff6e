"""The data of a version: its files as a ``Corpus``, the decoys made from them, and presets of papers.

The files go through the same gate as those of the command line.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import numpy as np
from sqlalchemy.orm import Session

from gecval.board.allowed_metrics import board_metric, board_metrics
from gecval.board.database.models import REFERENCE, Version
from gecval.board.database.storage import read_file
from gecval.board.form_fields import check_choice, check_text_file, file_name
from gecval.board.recent_cache import RecentCache
from gecval.board.settings import Settings
from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus, load_systems
from gecval.formats.datasets import dataset_file
from gecval.metrics.evaluation import AGGREGATES
from gecval.studies.attack.adversaries import ADVERSARIES
from gecval.studies.reproduce.conll14 import SAKAGUCHI

SEED = 1
_ADVERSARIES = {f"({adversary.name})": adversary for adversary in ADVERSARIES}
DECOYS = {
    "(source)": "the source as it is",
    REFERENCE: "the first reference, scored against the others",
    "(constant)": _ADVERSARIES["(constant)"].about,
    "(shuffled)": _ADVERSARIES["(shuffled)"].about,
}
DECOY_NAMES = tuple(DECOYS)


@dataclass(frozen=True, kw_only=True)
class UploadedFile:
    """A file of a form or of the command line."""

    name: str
    content: bytes
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class VersionData:
    """What an organiser gives for a version."""

    source: UploadedFile | None
    references: Sequence[UploadedFile] = ()
    metrics: Sequence[str] | str = ()
    aggregate: str = "corpus"
    missing: str = "absent"
    language: str = ""
    tokenize: str = ""
    edits: str | None = None
    digits: int = 3
    note: str = ""
    decoys: Sequence[str] = field(default=DECOY_NAMES)
    offered: bool = True  # whether references that are not hidden can be downloaded


MAX_DIGITS = 6  # of a score on hidden references


def check_data(settings: Settings, data: VersionData) -> tuple[VersionFiles, Corpus]:
    """The files through the gate, and the metrics on what came through it; nothing is stored."""
    uploads = [*([data.source] if data.source else []), *data.references]
    if len(uploads) > settings.max_files:
        raise InputError(f"a benchmark has at most {settings.max_files} files")
    for file in uploads:
        check_text_file(file.content, file.name, max_bytes=settings.max_upload)
    check_choice(data.aggregate, AGGREGATES, "aggregate")
    check_choice(data.missing, ("absent", "unchanged"), "missing")
    if not 1 <= data.digits <= MAX_DIGITS:
        raise InputError(f"digits is from 1 to {MAX_DIGITS}", parameter="digits")
    files = VersionFiles(
        source=(file_name(data.source.name, "source.txt"), data.source.content) if data.source else None,
        references=tuple((file_name(file.name, "references.txt"), file.content) for file in data.references),
        missing=data.missing,
        language=data.language.strip() or None,
        tokenize=data.tokenize or None,
    )
    corpus = files.corpus()
    for spelling in board_metrics(data.metrics):
        metric = board_metric(spelling)
        if metric.needs != "edits" or corpus.has_edits():  # else the worker finds the edits first
            metric.check(corpus)
    return files, corpus


JSONL = ".jsonl"
MIN_OUTPUT, MAX_GROWTH = 100_000, 20  # bytes of an output, and bytes for each letter of the source


@dataclass(frozen=True, kw_only=True)
class VersionFiles:
    """The files of a version: what ``Corpus`` is made of. ``references`` are in the order in which they count."""

    source: tuple[str, bytes] | None
    references: tuple[tuple[str, bytes], ...]
    missing: str = "absent"
    language: str | None = None
    tokenize: str | None = None

    @classmethod
    def load(cls, session: Session, version: Version, *, public_only: bool = False) -> VersionFiles:
        source = (version.source_name, read_file(session, version.source)) if version.source else None
        return cls(
            source=cast("tuple[str, bytes] | None", source),
            references=tuple(
                (reference.name, read_file(session, reference.blob))
                for reference in version.references
                if not (public_only and reference.hidden)
            ),
            missing=version.missing,
            language=version.language,
            tokenize=version.tokenize,
        )

    def corpus(self) -> Corpus:
        """The corpus, or the reason why there is none, in one line that names the file."""
        named = dict([*([self.source] if self.source else []), *self.references])
        if len(named) < len(self.references) + bool(self.source):
            raise InputError("two files have the same name; rename one")
        with temporary_files(named) as folder:
            corpus = load_corpus(
                folder / self.source[0] if self.source else None,
                [folder / name for name, _ in self.references],
                missing=cast(Missing, self.missing),
                language=self.language,
                tokenize=self.tokenize,
            )
            notes = tuple(note.replace(f"{folder}/", "") for note in corpus.notes)
            # Messages to participants name the source; a hidden file that brings it stays unnamed.
            return replace(corpus, origin=self.source[0] if self.source else "the source", notes=notes)


def without_references(corpus: Corpus) -> Corpus:
    """The sources alone: what a submission must fit, and what anybody may see."""
    return replace(corpus, references=[[] for _ in corpus.sources], clusters=None, notes=())


_sources: RecentCache[Corpus] = RecentCache(16)


def load_sources(session: Session, version: Version) -> Corpus:
    """The source sentences of a version; versions never change, so they are read once."""
    return _sources.get(version.id, lambda: without_references(VersionFiles.load(session, version).corpus()))


def read_output(corpus: Corpus, system: str, name: str, content: bytes) -> System:
    """A system's output through the gate of ``Corpus``, or the reason why not, in one line."""
    stem = file_name(name, "output.txt")
    if not stem.endswith(JSONL):
        stem = stem if stem.endswith((".txt", ".out", ".tok", ".hyp", ".pred")) else f"{stem}.txt"
    with temporary_files({stem: content}) as folder:
        loaded = load_systems([folder / stem], corpus)
    if len(loaded) != 1:
        raise InputError(f"{name} holds the outputs of {len(loaded)} systems; submit them one by one")
    return replace(loaded[0], name=system)


def check_size(corpus: Corpus, name: str, content: bytes) -> None:
    """Refuse an output so much larger than its source that scoring it would keep everybody waiting."""
    bound = MIN_OUTPUT + MAX_GROWTH * sum(map(len, corpus.sources))
    if len(content) > bound:
        raise InputError(f"{name} has {len(content)} bytes; for this source, an output has at most {bound}")


@contextmanager
def temporary_files(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Files in a folder of their own for a moment. Messages name the files without the folder."""
    with tempfile.TemporaryDirectory(prefix="gecval-board-") as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        try:
            yield folder
        except InputError as error:
            raise InputError(str(error).replace(f"{folder}/", ""), parameter=error.parameters) from None


# Decoys: outputs that correct nothing, or a reference itself. On every leaderboard they show what a metric rewards.


def decoy_outputs(name: str, corpus: Corpus) -> Sequence[str] | None:
    """The outputs of a decoy; None where it cannot be made."""
    if name == REFERENCE:
        if int(np.diff(corpus_for(name, corpus).reference_slots).min()) < 1:
            return None
        return [corpus.texts_of(number)[0] for number in range(len(corpus))]
    return _ADVERSARIES[name].make(corpus, np.random.default_rng(SEED))


def corpus_for(name: str, corpus: Corpus) -> Corpus:
    """The corpus that a decoy is scored on: for the reference, the others, without copies of it."""
    if name != REFERENCE:
        return corpus
    left_out = {0, *find_copies(corpus)}
    others = [[one for place, one in enumerate(listed) if place not in left_out] for listed in corpus.references]
    return replace(corpus, references=others, clusters=None)


COPY = 0.99  # the share of equal sentences from which on a set of references is a copy of the first
FEWEST = 100  # sentences; a few short ones may be equal by chance


def find_copies(corpus: Corpus) -> list[int]:
    """The sets of references that are the first one again, by their places: somebody's work may be in two data sets."""
    counts = np.diff(corpus.reference_slots)
    if len(corpus) < FEWEST or counts.min() != counts.max():
        return []
    texts = [corpus.texts_of(number) for number in range(len(corpus))]
    equal = np.array([[text == listed[0] for text in listed[1:]] for listed in texts], dtype=float)
    return [place for place, share in enumerate(equal.mean(axis=0).tolist(), start=1) if share >= COPY]


# Presets: benchmarks that a paper used, from installed data sets.


@dataclass(frozen=True)
class BenchmarkPreset:
    """``about`` says in a line what it is. ``description`` is that of the benchmark, if the organiser writes none."""

    about: str
    description: str
    data: Callable[[Settings], VersionData]


# Metrics as means of sentence scores in which a sentence that was left alone counts 0, and their λ next to a metric
# without references. Each λ is the median of those that are best on all systems but one, by ρ with GJG15's people. For
# LT, which is another LanguageTool than the paper's, that of M² is 0, so that its hybrid is LT alone.
HYBRIDS_WITH_LT = {"gleu": 0.36, "m2(unchanged='zero')": 0.0, "imeasure(mix=False, unchanged='zero')": 0.08}
LFM_MODEL = "lfm.json"  # in the board's folder
GLEU_WITH_LFM = 0.23


def load_no_comparison(settings: Settings) -> VersionData:
    """The data and metrics of Napoles et al. 2016, with LFM if its model lies in the board's folder."""
    references = [dataset_file("conll14", f"official-2014.{annotator}.m2") for annotator in (0, 1)]
    references += [dataset_file("bryant-ng-2015", f"A{annotator}.m2") for annotator in range(1, 11)]
    references += [dataset_file("sakaguchi-2016", name) for name in SAKAGUCHI]
    metrics = [*HYBRIDS_WITH_LT, "lt"]
    metrics += [f"interpolated({based}, lt, {weight})" for based, weight in HYBRIDS_WITH_LT.items() if weight]
    if (settings.data / LFM_MODEL).is_file():
        lfm = f"lfm(model={LFM_MODEL!r})"
        metrics += [lfm, f"interpolated(gleu, {lfm}, {GLEU_WITH_LFM})"]
    return VersionData(
        source=_read_dataset(dataset_file("conll14", "source.txt")),
        references=[_read_dataset(path) for path in references],
        metrics=metrics,
        aggregate="mean",
        missing="unchanged",
        language="en",
        edits="plain",
        offered=False,  # the owners of some have not said that others may pass them on
    )


def _read_dataset(path: Path) -> UploadedFile:
    return UploadedFile(name=path.name, content=path.read_bytes())


NO_COMPARISON = """The CoNLL-2014 test set (1,312 sentences) with 20 references: the 2 official ones, 10 of Bryant and
Ng (2015) and 8 of Sakaguchi et al. (2016). 18 of them are different: A3 is official annotator 1 again, and A7 is
annotator 0 but for 6 sentences. A system's score is the mean of its sentence scores. Under M² and I-measure, a
sentence that a system left alone scores 0. LT is 1 minus the share of words in which a grammar checker finds an
error. Hybrids mix a metric with LT, by weights that were chosen by cross-validation on the human ranking of
Grundkiewicz et al. (2015). The references are not offered here: `gecval data fetch conll14 bryant-ng-2015
sakaguchi-2016` gets them. After Napoles, Sakaguchi and Tetreault 2016, There's No Comparison: Reference-less
Evaluation Metrics in Grammatical Error Correction, EMNLP, pages 2109–2115."""

PRESETS = {
    "no-comparison": BenchmarkPreset(
        about="the 2016 board: CoNLL-2014, 20 references, GLEU, M², I-measure, LT, hybrids",
        description=" ".join(NO_COMPARISON.split()),
        data=load_no_comparison,
    )
}
