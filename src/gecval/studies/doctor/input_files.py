"""What the doctor looks at: a corpus, outputs, and the files that they were read from, as they are."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import load_corpus, load_files, load_systems
from gecval.formats.chat_outputs import holds_answers, read_answers
from gecval.formats.debris import fix_output
from gecval.formats.files import is_fault, read_lines, readable
from gecval.formats.kinds import Kind, brings_source, kind_of
from gecval.formats.loading import AnyPath
from gecval.formats.m2_files import Missing
from gecval.formats.outputs import output_files
from gecval.formats.tabular import is_tabular
from gecval.studies.doctor.result import UNREADABLE, Finding
from gecval.studies.scores.input_notes import have_like_names
from gecval.studies.scores.study import score

FIXABLE: tuple[Kind, ...] = ("text", "m2", "essays")  # outputs that a command can fix


@dataclass(frozen=True, kw_only=True)
class Text:
    """The lines of a file, or of a corpus, as they are. ``{}`` in ``remedy`` stands for what to fix."""

    name: str
    lines: Sequence[str]
    remedy: str
    path: Path | None = None  # where its lines are shown
    file: Path | None = None  # what a fixed copy is written of
    sentences: bool = True  # whether every line is a sentence
    columns: bool = False  # whether tabs part its columns
    system: System | None = None
    realign: str = ""  # the command that scores an output whose lines are elsewhere
    refused: Sequence[int] = ()  # lines (from 0) in which a chat model refused, as its file says

    def fix_output(self, corpus: Corpus, system: System, fixes: Collection[str]) -> System:
        """The output, fixed. Where the file says that the model refused, no wording tells it."""
        if "refusals" in fixes and self.refused:
            texts = list(system.hypotheses)
            for i in self.refused:
                texts[i] = corpus.sources[i]
            system = replace(system, hypotheses=texts)
        return fix_output(corpus, system, fixes)

    def look(self, lines: Sequence[int], *, source_lines: bool) -> str:
        """The command that shows these lines, where nothing but a person can fix them.

        Lines ``source_lines`` are those of an output that was cut again: its file has them elsewhere.
        """
        if self.path is None:
            return ""
        if source_lines and self.realign:
            return f"{self.realign} --sentences"
        shown = f"sed -n '{';'.join(f'{line}p' for line in lines)}'"
        file = shlex.quote(str(self.path))
        return f"gzip -dc {file} | {shown}" if self.path.suffix.lower() == ".gz" else f"{shown} {file}"


@dataclass(kw_only=True)
class InputFiles:
    """A corpus, or None where it cannot be read; its outputs; all texts; and what was suspicious while reading."""

    corpus: Corpus | None
    systems: list[System] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    options: str = ""  # source and references as options of gecval score
    remedy: str = ""  # the command that fixes the annotations
    fix_outputs: str = ""  # the command that fixes an output, but for the output
    list_blamed: str = ""  # the command that lists all edits to blame

    @classmethod
    def from_corpus(cls, corpus: Corpus, systems: Sequence[System]) -> InputFiles:
        """A corpus that was not read here: its texts are what it holds."""
        references = [text for i in range(len(corpus)) for text in corpus.texts_of(i)]
        remedy = 'gecval.formats.fixes.fix_corpus(corpus, ["{}"])'
        texts = [Text(name=corpus.origin, lines=corpus.sources, remedy=remedy)]
        if references:
            texts.append(Text(name="the references", lines=references, remedy=remedy))
        texts += [
            Text(
                name=system.name,
                lines=system.hypotheses,
                remedy='gecval.formats.debris.fix_output(corpus, system, ["{}"])',
                system=system,
            )
            for system in systems
        ]
        return cls(corpus=corpus, systems=list(systems), texts=texts, remedy=remedy)

    @classmethod
    def read(
        cls, files: Sequence[AnyPath], systems: Sequence[AnyPath], *, missing: Missing, named: bool = False
    ) -> InputFiles:
        """From files. The first brings its own source, and the others are outputs; or it is a source text, and the
        others are its corrected texts. A file that cannot be read is a finding; one that is not there is refused."""
        for path in map(Path, [*files, *systems]):
            with readable(path):
                path.stat()
        first, *others = map(Path, files)
        outputs = [path for path in others if brings_source(first) and not named and not _is_gold(path)]
        golds = [first, *(path for path in others if path not in outputs)]
        inputs = cls(corpus=None, options=_as_options(golds))
        inputs._read_corpus(golds, missing=missing)
        if not named:
            inputs.notes += _role_notes(golds, outputs)
        for path in [*outputs, *map(Path, systems)]:
            inputs._read_output(path)
        return inputs

    def _read_corpus(self, files: Sequence[Path], *, missing: Missing) -> None:
        first, *others = files
        own = all(map(brings_source, files))
        names = " ".join(shlex.quote(str(path)) for path in files)
        if own and others:
            names = self.options
        self.list_blamed = f"gecval doctor {names} --full"
        alone = own or (not others and is_tabular(first))
        load: Callable[..., Corpus] = partial(load_corpus, None if alone else first, files if alone else others)
        if own:
            load = partial(load_files, files)
        leniently = ""
        try:
            self.corpus = load(missing=missing)
        except InputError as error:
            if "lenient" in error.parameters:
                self.corpus = load(missing=missing, lenient=True)
                leniently = " --lenient"
            else:
                self.findings.append(_unreadable(first, error))
        self.fix_outputs = f"gecval doctor {names}{'' if alone else ' --systems'}"
        self.remedy = f"gecval doctor {names} --fix {{}}"
        if leniently and self.corpus is not None:
            self.findings.append(_faults(first, self.corpus, f"gecval convert {names} -o fixed.m2{leniently}"))
        for path in files:
            plain = kind_of(path) == "text"
            self.texts.append(
                Text(
                    name=str(path),
                    lines=list(_lines(path)),
                    remedy=self.remedy,
                    path=path,
                    file=path,
                    sentences=plain,
                    columns=plain and is_tabular(path),
                )
            )

    def _read_output(self, path: Path) -> None:
        if self.corpus is None:
            return
        if path.is_dir():
            try:
                files, notes = output_files(path)
            except InputError as error:
                self.findings.append(_unreadable(path, error))
                return
            self.notes += notes
            for file in files:
                self._read_output(file)
            return
        realign = ""
        try:
            systems = load_systems([path], self.corpus)
        except InputError as error:
            if "realign" not in error.parameters:
                self.findings.append(_unreadable(path, error))
                return
            systems = load_systems([path], self.corpus, realign=True)
            found = [_realign(path, system, self.corpus, self.options) for system in systems if system.notes]
            realign = found[0].remedy
            self.findings += found
        self.systems += systems
        # A JSONL file of several outputs has no place for a fixed copy of one of them; answers become lines of text.
        answers = kind_of(path) == "jsonl" and path.is_file() and holds_answers(path)
        fixable = kind_of(path) in FIXABLE or answers
        remedy = f"{self.fix_outputs} {shlex.quote(str(path))} --fix {{}}" if fixable else ""
        if len(systems) == 1 and kind_of(path) == "text" and path.is_file():
            columns = not realign and is_tabular(path) and not any("\t" in text for text in systems[0].hypotheses)
            self.texts.append(
                Text(
                    name=str(path),
                    lines=list(read_lines(path)),
                    remedy=remedy,
                    path=path,
                    file=path,
                    columns=columns,
                    system=systems[0],
                    realign=realign,
                )
            )
        else:
            self.texts += [
                Text(
                    name=system.name,
                    lines=system.hypotheses,
                    remedy=remedy,
                    file=path if remedy and len(systems) == 1 and path.is_file() else None,
                    system=system,
                    refused=read_answers(path).refused if answers else (),
                )
                for system in systems
            ]


def _is_gold(path: Path) -> bool:
    """Whether an M2 file has an annotator other than 0: an output has no more than that one."""
    if path.is_dir() or kind_of(path) != "m2":
        return False
    return any(line.startswith("A ") and line.rpartition("|||")[2].strip() != "0" for line in read_lines(path))


def _role_notes(golds: Sequence[Path], outputs: Sequence[Path]) -> Iterator[str]:
    """What files were taken for, where they may be meant otherwise."""
    for path in outputs:
        if not path.is_dir() and kind_of(path) == "m2":
            both = f"-r {shlex.quote(str(golds[0]))} -r {shlex.quote(str(path))}"
            yield f"{path.name} counts as an output; if it is gold of another annotator: gecval doctor {both}"
    source, *texts = golds
    alike = all(have_like_names(texts[0].stem, path.stem) for path in texts[1:])
    if not brings_source(source) and not alike:
        names = ", ".join(path.name for path in texts)
        yield f"{names} count as corrected texts by annotators; if one is an output, name it behind --systems"


def _lines(path: Path) -> Iterator[str]:
    """The texts in the lines of a file: of M2 the sentences and corrections, of other files all that they hold."""
    annotated = kind_of(path) == "m2"
    for line in read_lines(path):
        if annotated and line.startswith("A "):
            parts = line.split("|||")
            yield parts[2] if len(parts) > 2 else line
        else:
            yield line.removeprefix("S ") if annotated else line


def _faults(path: Path, corpus: Corpus, remedy: str) -> Finding:
    """What a lenient reader dropped."""
    dropped = [note for note in corpus.notes if is_fault(note)]
    return Finding(
        kind="lines that are wrong",
        where=str(path),
        count=len(dropped),
        of=None,
        unit="kinds",
        lines=(),
        example="",
        effect="nothing is scored until they are dropped: " + "; ".join(dropped),
        remedy=remedy,
    )


def _as_options(golds: Sequence[Path]) -> str:
    """Source and references as gecval score wants them."""
    first, *others = (shlex.quote(str(gold)) for gold in golds)
    if brings_source(golds[0]) or (not others and is_tabular(golds[0])):
        return " ".join(f"-r {gold}" for gold in (first, *others))
    return f"-s {first} {' '.join(f'-r {gold}' for gold in others or ['REFERENCE'])}"


def _realign(path: Path, system: System, corpus: Corpus, given: str) -> Finding:
    """An output with other line breaks, and its score once they are fixed."""
    chosen = "m2" if corpus.has_edits() else "gleu"
    scored = corpus.reference_count != "0"
    return _file_finding(
        path,
        "other line breaks",
        effect=f"it is not scored line by line; {system.notes[-1]}",
        scored=chosen if scored else "",
        fixed=score(corpus, [system], [chosen])[0].score if scored else float("nan"),
        remedy=f"gecval score {shlex.quote(str(path))} {given} -m {chosen} --realign",
    )


def _unreadable(path: Path, error: InputError) -> Finding:
    return _file_finding(path, UNREADABLE, effect=str(error), remedy="")


def _file_finding(path: Path, kind: str, **others: Any) -> Finding:
    """What is suspicious about a file as a whole."""
    return Finding(kind=kind, where=str(path), count=1, of=None, unit="file", lines=(), example="", **others)
