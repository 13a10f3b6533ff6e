"""M2: edits with token offsets.

    S He go home .
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

A paragraph is one or more S lines and the A lines of any annotators; offsets run over all S lines. ``||`` separates
alternative corrections. ``-NONE-`` or nothing deletes. The type ``noop`` says that the annotator left the sentence
alone. Files disagree on what an annotator *without* a line means, so the caller must say it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from gecval._native import M2Reader
from gecval.corpus import Corpus
from gecval.corpus.edit import Edit, apply_edits, operation
from gecval.corpus.references import MadeOnDemand, Reference, ReferenceTable
from gecval.errors import InputError, shorten
from gecval.formats.files import UNREADABLE, Faults, open_binary, paused_collector, read_lines
from gecval.runtime.run import HERE, Run
from gecval.runtime.threads import cores

# M2, line by line. This parser reads every M2 file, and says what is wrong with a file that is none.
#
# ``m2_columns`` reads plain files faster, with the same result. This parser gets the others. ChERRANT writes each
# corrected sentence between S and A lines (``T0-A0 …``); these lines say nothing new. Its type ``NA`` means that the
# sentence cannot be annotated: an edit that changes nothing, and that no output can make.


Annotations = dict[str, tuple[Edit, ...]]
NOT_ANNOTATED = "NA"
_TARGET_LINE = re.compile(r"T\d")


@paused_collector()
def parse_m2(path: Path, faults: Faults | None = None) -> tuple[list[str], list[Annotations], int]:
    """Sentences, the edits of each annotator who has a line, and the number of noop lines."""
    faults = faults or Faults(path)
    sources: list[str] = []
    annotations: list[Annotations] = []
    noops = 0
    parse = EditParser()
    sentences: list[list[str]] = []
    edits: dict[str, list[tuple[int, Edit]]] = {}

    def finish() -> None:
        if not sentences:
            return
        sources.extend(" ".join(tokens) for tokens in sentences)
        annotations.extend(_per_sentence(sentences, edits, faults))
        sentences.clear()
        edits.clear()

    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith("A "):
            if not sentences:
                faults.add(number, "an edit without a sentence above it", kind="edits without a sentence")
                continue
            try:
                annotator, edit = parse(line, sum(map(len, sentences)))
            except EditError as error:
                faults.add(number, str(error), kind=error.kind)
                continue
            of_annotator = edits.setdefault(annotator, [])
            if edit is None:
                noops += 1
            else:
                of_annotator.append((number, edit))
        elif not line.strip():
            finish()
        elif line.startswith("S ") or line == "S":
            if edits:
                what = "a sentence starts right after edits; put a blank line before it"
                faults.add(number, what, kind="missing blank lines, sentences kept")
                finish()
            sentences.append(line[2:].split())
        elif not line.startswith("I ") and not _TARGET_LINE.match(line):
            what = f"starts with neither S nor A: {line[:40]!r}"
            faults.add(number, what, kind="lines that start with neither S nor A")
    finish()
    if not sources:
        raise InputError(f"{path} holds no sentence (no line starts with 'S ')")
    return sources, annotations, noops


class EditError(InputError):
    """An A line that is no edit; ``kind`` says in what way."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class EditParser:
    """Reads A lines. Types, annotators and corrections recur, so only one copy of each is kept."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._corrections: dict[str, tuple[str, ...]] = {}

    def __call__(self, line: str, length: int) -> tuple[str, Edit | None]:
        """The annotator and the edit, in a sentence of this length. A noop has no edit."""
        parts = line[2:].split("|||")
        if len(parts) != 6:
            raise EditError(f"an edit has 6 parts separated by |||, this line {len(parts)}", "edits without 6 parts")
        span, kind, corrections, required, _, annotator = parts
        annotator = self._name(annotator.strip())
        if kind == "noop":
            return annotator, None
        try:
            start, end = map(int, span.split())
        except ValueError:
            raise EditError(f"{shorten(span, 60)!r} are not two token offsets", "edits without offsets") from None
        if kind == NOT_ANNOTATED and start == end == -1:
            return annotator, Edit(0, 0, ("",), type=NOT_ANNOTATED)
        if not 0 <= start <= end <= length:
            shown = shorten(f"{start} {end}", 60)
            raise EditError(f"edit {shown} is out of range; the sentence has {length} tokens", "edits out of range")
        texts = self._corrections.get(corrections)
        if texts is None:
            texts = self._corrections[corrections] = alternatives(corrections)
        return annotator, Edit(start, end, texts, type=self._name(kind), required=is_required(required))

    def _name(self, name: str) -> str:
        return self._names.setdefault(name, name)


def alternatives(field: str) -> tuple[str, ...]:
    """The corrections that an edit allows. -NONE- and nothing delete."""
    return tuple("" if text.strip() == "-NONE-" else text.strip() for text in field.split("||"))


def is_required(field: str) -> bool:
    return field.strip().upper() != "OPTIONAL"


def _per_sentence(
    sentences: list[list[str]], edits: dict[str, list[tuple[int, Edit]]], faults: Faults
) -> Iterator[Annotations]:
    """The edits of each sentence of a paragraph, with offsets in that sentence."""
    if len(sentences) == 1:
        yield {annotator: tuple(edit for _, edit in numbered) for annotator, numbered in edits.items()}
        return
    placed = Counter[int]()
    start = 0
    for tokens in sentences:
        end = start + len(tokens)
        annotations: Annotations = {}
        for annotator, numbered in edits.items():
            here = []
            for number, edit in numbered:
                if start <= edit.start and edit.end <= end and not placed[number]:
                    placed[number] += 1
                    here.append(replace(edit, start=edit.start - start, end=edit.end - start))
            annotations[annotator] = tuple(here)
        yield annotations
        start = end
    for numbered in edits.values():
        for number, _ in numbered:
            if not placed[number]:
                what = "the edit runs over the end of a sentence"
                faults.add(number, what, kind="edits over the end of a sentence")


Missing = Literal["absent", "unchanged", "agreed", "inferred", "placeholder", "ask"]
MISSING: tuple[Missing, ...] = ("absent", "unchanged", "agreed", "inferred")  # those that M2 files know
MOST_DIGITS = 1000  # Python turns texts of more than 4300 digits into no number


@dataclass(frozen=True, eq=False)
class ListedAnnotations(MadeOnDemand[Annotations]):
    """Annotations from a table."""

    table: ReferenceTable

    def __len__(self) -> int:
        return len(self.table)

    def make(self, i: int) -> Annotations:
        return {reference.annotator: reference.edits or () for reference in self.table[i]}


@dataclass
class M2File:
    """What an M2 file says: for each sentence, the edits of every annotator who has a line."""

    path: Path
    sources: list[str] = field(default_factory=list)
    annotations: Sequence[Annotations] = field(default_factory=list)
    noops: int = 0
    faults: tuple[str, ...] = ()  # notes on what was dropped

    @property
    def table(self) -> ReferenceTable:
        """The annotations as columns."""
        if isinstance(self.annotations, ListedAnnotations):
            return self.annotations.table
        return ReferenceTable.of(
            [[Reference(edits=edits, annotator=name) for name, edits in listed.items()] for listed in self.annotations]
        )

    @property
    def annotators(self) -> list[str]:
        return _in_order(self.table.names)

    def references(self, missing: Missing = "absent") -> ReferenceTable:
        """For each sentence, a reference of each annotator.

        ``missing`` says what an annotator without a line did where others have one. ``absent``: there is no reference,
        as in the M2 scorer. ``unchanged``: the annotator left the source alone. ``agreed``: the annotator made the same
        edits as the first one who has a line. ``inferred``: ``agreed`` if the file marks unchanged sentences by noop,
        else ``unchanged``. A sentence without any A line is one that nobody changed. ``ask`` refuses a file with
        annotators who lack a line, since no file says why. ``placeholder`` is for essays; in M2 it is ``absent``.
        """
        if missing == "ask":
            self._ask()
            missing = "unchanged"
        if missing == "placeholder":
            missing = "absent"
        if missing == "inferred":
            missing = "agreed" if self.noops else "unchanged"
        table = self.table
        annotators = _in_order(table.names)
        place = {name: number for number, name in enumerate(annotators)}
        places = np.array([place[name] for name in table.names], dtype=np.int64)
        counts = np.diff(table.slots)
        # Where a reference belongs: by sentence, then by annotator. Every place is taken once, or added.
        keys = np.repeat(np.arange(len(counts)), counts) * len(annotators) + places[table.annotators]
        if missing == "absent":
            added = np.flatnonzero(counts == 0) * len(annotators)
        else:
            added = np.setdiff1d(np.arange(len(counts) * len(annotators)), keys, assume_unique=True)
        silent = added // len(annotators)
        fill = np.zeros((len(added), 2), dtype=np.int64)
        if missing == "agreed":
            others = counts[silent] > 0
            first = np.argsort(keys, kind="stable")[table.slots[silent[others]]]
            fill[others] = table.spans[first]
        keys = np.concatenate([keys, added])
        order = np.argsort(keys, kind="stable")
        return replace(
            table,
            slots=table.slots + np.append(0, np.cumsum(np.bincount(silent, minlength=len(counts)))),
            spans=np.concatenate([table.spans, fill])[order],
            annotators=(keys[order] % len(annotators)).astype(np.int32),
            names=annotators,
        )

    def notes(self, missing: Missing) -> list[str]:
        """What a user should know: annotators without a line, and edits that cannot both apply."""
        missing = "absent" if missing == "placeholder" else missing
        notes = list(self.faults)
        table, silent = self.table, self.silent
        if missing == "absent" and silent and not self.noops:
            notes.append(
                f"{self.path}: lines that annotators lack where others have one: {silent}; no noop marks unchanged "
                "sentences, so they count as absent, as in the M2 scorer; if these sentences were left unchanged, "
                "choose 'unchanged' for missing annotators"
            )
        if missing == "absent" and silent and self.noops and len(table.names) > 2:
            notes.append(
                f"{self.path}: lines that annotators lack where others have one: {silent}; they count as absent, as in "
                "the M2 scorer; if these annotators agreed with the first one, choose 'agreed' for missing annotators: "
                "GLEU and SARI will differ"
            )
        if missing == "inferred" and silent:
            meaning = "they agreed with the first annotator" if self.noops else "they changed nothing"
            notes.append(
                f"{self.path}: lines that annotators lack where others have one: {silent}; it is inferred that "
                f"{meaning}, since {'some' if self.noops else 'no'} noop marks an unchanged sentence"
            )
        if overlaps := table.count_overlapping():
            notes.append(f"{self.path}: {overlaps} annotations have overlapping edits; their text may be garbled")
        if NOT_ANNOTATED in table.types:
            unclear = int((table.edits[:, 3] == list(table.types).index(NOT_ANNOTATED)).sum())
            notes.append(
                f"{self.path}: {unclear} annotations say that a sentence cannot be annotated (NA); as texts they are "
                "the source, and as edits they are one that no output makes"
            )
        return notes

    def _ask(self) -> None:
        if self.silent:
            raise InputError(
                f"{self.path}: lines that annotators lack where others have one: {self.silent}, and no file says why; "
                "choose whether these annotators left the sentence 'unchanged' or 'agreed' with the first one",
                parameter="missing",
            )

    @property
    def silent(self) -> int:
        """How many lines annotators lack where others have one."""
        table = self.table
        counts = np.diff(table.slots)
        return int((len(table.names) - counts[counts > 0]).sum())


def _in_order(names: Iterable[str]) -> list[str]:
    """Names in order: numbers first, by value. Without any name there is one annotator, 0."""

    def place(name: str) -> tuple[bool, int, str]:
        number = name.isdecimal() and len(name) <= MOST_DIGITS
        return not number, int(name) if number else 0, name

    return sorted(names, key=place) or ["0"]


def read_m2(path: Path, *, lenient: bool = False, run: Run = HERE) -> M2File:
    """Read an M2 file. What cannot be meant is refused, with the number of its line, or dropped if ``lenient``."""
    columns = read_columns(path, run=Run(jobs=run.threads or cores()))
    if columns is None:
        faults = Faults(path, lenient)
        return M2File(path, *parse_m2(path, faults), faults=tuple(faults.notes()))
    return M2File(path, columns.sources, ListedAnnotations(columns.table), noops=columns.noops)


def m2_lines(corpus: Corpus) -> Iterable[str]:
    """The corpus as lines of an M2 file. An annotator who changed nothing gets a noop line.

    What ChERRANT's rules found is written as ChERRANT writes it.
    """
    chinese = corpus.extractor.startswith("cherrant|")
    for number, (source, references) in enumerate(zip(corpus.sources, corpus.references, strict=True), start=1):
        if not references:
            raise InputError(f"sentence {number} has no reference, which M2 cannot say; write .jsonl instead")
        yield f"S {source}"
        for reference in references:
            if chinese:
                yield from _cherrant_lines(source.split(), reference, number)
            else:
                yield from _edit_lines(reference.edits or (), reference.annotator, number)
        yield ""


def _edit_lines(edits: Iterable[Edit], annotator: str, number: int, *, deletion: str = "") -> Iterator[str]:
    """A line for each edit; a deletion is empty, as ERRANT writes and compares it."""
    line = None
    for edit in edits:
        required = "REQUIRED" if edit.required else "OPTIONAL"
        # Among alternatives an empty one would be unreadable.
        empty = deletion or "-NONE-" * (len(edit.corrections) > 1)
        texts = "||".join(_correction(text, number) or empty for text in edit.corrections)
        kind = edit.type or operation(edit.end - edit.start, len(edit.correction))
        line = f"A {edit.start} {edit.end}|||{kind}|||{texts}|||{required}|||-NONE-|||{annotator}"
        if edit.type == NOT_ANNOTATED:
            line = _unchanged(NOT_ANNOTATED, annotator)
        yield line
    if line is None:
        yield _unchanged("noop", annotator)


def _unchanged(kind: str, annotator: str) -> str:
    return f"A -1 -1|||{kind}|||-NONE-|||REQUIRED|||-NONE-|||{annotator}"


def _cherrant_lines(tokens: list[str], reference: Reference, number: int) -> Iterator[str]:
    """The corrected text, then its edits: so for each of the equally cheap alignments, whose edits are pooled."""
    name = reference.annotator
    kinds = {edit.type for edit in reference.edits or ()}
    if not kinds or kinds == {NOT_ANNOTATED}:
        yield f"T{name} {'无法标注' if kinds else '没有错误'}"
        yield from _edit_lines(reference.edits or (), name, number)
        return
    for place, edits in enumerate(_alignments(tokens, reference)):
        yield f"T{name}-A{place} {apply_edits(tokens, edits)}"
        yield from _edit_lines(edits, name, number, deletion="-NONE-")


def _alignments(tokens: list[str], reference: Reference) -> list[list[Edit]]:
    """The edits of each alignment: all alignments give the same text."""
    left = list(reference.edits or ())
    length = len("".join((reference.text or "").split()))
    for size in range(1, len(left)):
        text = apply_edits(tokens, left[:size])
        groups, start = [left[:size]], size
        for end in range(size + 1, len(left) + 1):
            if apply_edits(tokens, left[start:end]) == text:
                groups.append(left[start:end])
                start = end
        if start == len(left) and len("".join(text.split())) == length:
            return groups
    return [left]


def _correction(text: str, number: int) -> str:
    """A correction as M2 writes it. M2 cannot quote its own signs, so some corrections are refused."""
    if text and (text == "-NONE-" or "||" in f"|{text}|"):
        raise InputError(
            f"sentence {number}: the correction {text!r} has a meaning of its own in M2; write .jsonl instead"
        )
    return text


# Plain M2 files, read on several threads into columns. All other M2 files are left to ``m2_parser``.


BLOCK = 8 << 20  # bytes held at a time: a file may be larger than memory


class M2Columns(NamedTuple):
    """Sentences, the annotators who have a line for each, and the number of noop lines."""

    sources: list[str]
    table: ReferenceTable
    noops: int


def read_columns(path: Path, *, run: Run, block: int = BLOCK) -> M2Columns | None:
    """The columns. None where the file is not plain or has an error: the parser reads it, or says what is wrong."""
    if not path.is_file():
        return None  # a pipe can be read only once
    reader = M2Reader()
    try:
        for text in _paragraphs(path, block):
            text.decode()  # refuses what is not UTF-8
            if b"\0" in text or not reader.read(text, jobs=run.threads):
                return None
    except (*UNREADABLE, UnicodeDecodeError):
        return None
    if not reader.sources:
        return None
    slots, ends, annotators, edits, corrections, types, required, names = reader.columns()
    edits[:, 4] = np.array([is_required(text) for text in required], dtype=np.int32)[edits[:, 4]]
    table = ReferenceTable(
        slots=slots,
        spans=np.stack([ends[:-1], ends[1:]], axis=1),
        annotators=annotators,
        edits=edits,
        corrections=[alternatives(text) for text in corrections],
        types=types,
        names=names,
        sources=reader.sources,
    )
    return M2Columns(reader.sources, table, reader.noops)


def _paragraphs(path: Path, block: int) -> Iterator[bytes]:
    """The file in blocks that end before an empty line."""
    with open_binary(path) as file:
        rest = file.read(block).removeprefix(BOM_UTF8)
        # Where no line is empty the rest grows; reading as much again keeps the copying in bounds.
        while more := file.read(max(block, len(rest))):
            end = max(rest.rfind(b"\n\n"), rest.rfind(b"\n\r\n")) + 1
            yield rest[:end]
            rest = rest[end:] + more
        yield rest
