"""From rows to a Corpus: the files of a version go through the same gate as those of the command line."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from sqlalchemy.orm import Session

from gecval.board import blobs
from gecval.board.database.models import Version
from gecval.board.names import file_name
from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus, load_systems

JSONL = ".jsonl"


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of a version: what ``Corpus`` is made of. ``references`` are in the order in which they count."""

    source: tuple[str, bytes] | None
    references: tuple[tuple[str, bytes], ...]
    missing: str = "absent"
    language: str | None = None
    tokenize: str | None = None

    @classmethod
    def of(cls, session: Session, version: Version, *, public_only: bool = False) -> Files:
        source = (version.source_name, blobs.content(session, version.source)) if version.source else None
        return cls(
            source=cast("tuple[str, bytes] | None", source),
            references=tuple(
                (reference.name, blobs.content(session, reference.blob))
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
        with written(named) as folder:
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


def output(corpus: Corpus, system: str, name: str, content: bytes) -> System:
    """A system's output through the gate of ``Corpus``, or the reason why not, in one line."""
    stem = file_name(name, "output.txt")
    if not stem.endswith(JSONL):
        stem = stem if stem.endswith((".txt", ".out", ".tok", ".hyp", ".pred")) else f"{stem}.txt"
    with written({stem: content}) as folder:
        loaded = load_systems([folder / stem], corpus)
    if len(loaded) != 1:
        raise InputError(f"{name} holds the outputs of {len(loaded)} systems; submit them one by one")
    return replace(loaded[0], name=system)


@contextmanager
def written(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Files in a folder of their own for a moment. Messages name the files without the folder."""
    with tempfile.TemporaryDirectory(prefix="gecval-board-") as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        try:
            yield folder
        except InputError as error:
            raise InputError(str(error).replace(f"{folder}/", ""), parameter=error.parameters) from None
