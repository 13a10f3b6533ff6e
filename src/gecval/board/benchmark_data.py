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

from gecval.board.benchmark_metrics import board_metric, board_metrics
from gecval.board.database.models import REFERENCE, Version
from gecval.board.database.storage import read_file
from gecval.board.fields import check_choice, check_text_file, file_name
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
            return replace(corpus, origin=Path(corpus.origin).name, notes=notes)


def without_references(corpus: Corpus) -> Corpus:
    """The sources alone: what a submission must fit, and what anybody may see."""
    return replace(corpus, references=[[] for _ in corpus.sources], clusters=None, notes=())


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
        if int(np.diff(corpus.reference_slots).min()) < 2:
            return None
        return [corpus.texts_of(number)[0] for number in range(len(corpus))]
    return _ADVERSARIES[name].make(corpus, np.random.default_rng(SEED))


def corpus_for(name: str, corpus: Corpus) -> Corpus:
    """The corpus that a decoy is scored on: for the reference, the other references."""
    if name != REFERENCE:
        return corpus
    return replace(corpus, references=[list(listed[1:]) for listed in corpus.references], clusters=None)


# Presets: benchmarks that a paper used, from installed data sets.


@dataclass(frozen=True)
class Preset:
    about: str
    data: Callable[[], VersionData]


REFERENCE_BASED = {"gleu": 0.04, "m2": 0.0, "imeasure(mix=False)": 0.01}  # and their λ next to LT


def load_no_comparison() -> VersionData:
    references = [dataset_file("conll14", f"official-2014.{annotator}.m2") for annotator in (0, 1)]
    references += [dataset_file("bryant-ng-2015", f"A{annotator}.m2") for annotator in range(1, 11)]
    references += [dataset_file("sakaguchi-2016", name) for name in SAKAGUCHI]
    hybrids = [f"interpolated({based}, lt, {weight})" for based, weight in REFERENCE_BASED.items()]
    return VersionData(
        source=_read_dataset(dataset_file("conll14", "source.txt")),
        references=[_read_dataset(path) for path in references],
        metrics=[*REFERENCE_BASED, "lt", *hybrids],
        aggregate="mean",
        missing="unchanged",
        language="en",
        edits="plain",
    )


def _read_dataset(path: Path) -> UploadedFile:
    return UploadedFile(name=path.name, content=path.read_bytes())


PRESETS = {
    "no-comparison": Preset(
        "the 2016 board: CoNLL-2014, 20 references, GLEU, M², I-measure, LT, hybrids", load_no_comparison
    )
}
