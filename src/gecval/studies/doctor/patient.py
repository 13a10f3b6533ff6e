"""What the doctor looks at: a corpus, outputs, and the files that they were read from, as they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import load_corpus, load_systems
from gecval.formats.files import read_lines
from gecval.formats.kinds import brings_source, kind_of
from gecval.formats.loading import AnyPath
from gecval.formats.m2 import Missing
from gecval.studies.doctor.results import Finding


@dataclass(frozen=True, kw_only=True)
class Text:
    """The lines of a file, or of a corpus, as they are. ``{}`` in ``remedy`` stands for what to mend."""

    name: str
    lines: Sequence[str]
    remedy: str
    path: Path | None = None
    sentences: bool = True  # whether every line is a sentence
    system: System | None = None

    def look(self, lines: Sequence[int]) -> str:
        """The command that shows these lines, where nothing but a person can mend them."""
        if self.path is None:
            return ""
        shown = f"sed -n '{';'.join(f'{line}p' for line in lines)}'"
        file = shlex.quote(str(self.path))
        return f"gzip -dc {file} | {shown}" if self.path.suffix.lower() == ".gz" else f"{shown} {file}"


@dataclass(kw_only=True)
class Patient:
    """A corpus, or None where it cannot be read; its outputs; all texts; and what was odd while reading."""

    corpus: Corpus | None
    systems: list[System] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    remedy: str = ""  # the command that mends the annotations
    list_blamed: str = ""  # the command that lists all edits to blame

    @classmethod
    def given(cls, corpus: Corpus, systems: Sequence[System]) -> Patient:
        """A corpus that was not read here: its texts are what it holds."""
        references = [text for i in range(len(corpus)) for text in corpus.texts_of(i)]
        remedy = 'gecval.formats.mending.mend(corpus, ["{}"])'
        texts = [Text(name=corpus.origin, lines=corpus.sources, remedy=remedy)]
        if references:
            texts.append(Text(name="the references", lines=references, remedy=remedy))
        texts += [
            Text(
                name=system.name,
                lines=system.hypotheses,
                remedy='gecval.formats.mending.mend_system(system, ["{}"])',
                system=system,
            )
            for system in systems
        ]
        return cls(corpus=corpus, systems=list(systems), texts=texts, remedy=remedy)

    @classmethod
    def read(cls, files: Sequence[AnyPath], systems: Sequence[AnyPath], *, missing: Missing) -> Patient:
        """From files. The first brings its own source, and the others are outputs; or it is a source text, and the
        others are its corrected texts. A file that cannot be read is a finding."""
        first, *others = map(Path, files)
        own = brings_source(first)
        outputs = [*(others if own else ()), *map(Path, systems)]
        golds = [first] if own else [first, *others]
        names = " ".join(shlex.quote(str(path)) for path in golds)
        mended = "mended.m2" if own else "mended" if others else "mended.txt"
        remedy = f"gecval convert {names} -o {mended} --mend {{}}"
        patient = cls(corpus=None, remedy=remedy, list_blamed=f"gecval doctor {names} --format json")
        patient._read_corpus(golds, missing=missing)
        for path in outputs:
            patient._read_output(path, golds)
        return patient

    def _read_corpus(self, files: Sequence[Path], *, missing: Missing) -> None:
        first, *others = files
        for path in files:
            plain = kind_of(path) == "text"
            lines = list(_lines(path))
            self.texts.append(Text(name=str(path), lines=lines, remedy=self.remedy, path=path, sentences=plain))
        try:
            if brings_source(first):
                self.corpus = load_corpus(None, [first], missing=missing)
            else:
                self.corpus = load_corpus(first, others, missing=missing)
        except InputError as error:
            self.findings.append(_unreadable(first, error))

    def _read_output(self, path: Path, golds: Sequence[Path]) -> None:
        if self.corpus is None:
            return
        try:
            systems = load_systems([path], self.corpus)
        except InputError as error:
            self.findings.append(_unreadable(path, error))
            return
        self.systems += systems
        files = [path] if path.is_file() else []
        remedy = f"gecval convert {shlex.quote(str(path))} -o mended.txt --mend {{}}"
        if len(files) == len(systems) == 1 and kind_of(path) == "text":
            lines = list(read_lines(path))
            self.texts.append(Text(name=str(path), lines=lines, remedy=remedy, path=path, system=systems[0]))
        else:
            self.texts += [
                Text(name=system.name, lines=system.hypotheses, remedy=remedy, system=system) for system in systems
            ]


def _lines(path: Path) -> Iterator[str]:
    """The texts in the lines of a file: of M2 the sentences and corrections, of other files all that they hold."""
    annotated = kind_of(path) == "m2"
    for line in read_lines(path):
        if annotated and line.startswith("A "):
            parts = line.split("|||")
            yield parts[2] if len(parts) > 2 else line
        else:
            yield line.removeprefix("S ") if annotated else line


def _unreadable(path: Path, error: InputError) -> Finding:
    return Finding(
        kind="cannot be read",
        where=str(path),
        count=1,
        of=None,
        unit="file",
        lines=(),
        example="",
        effect=str(error),
        remedy="",
    )
