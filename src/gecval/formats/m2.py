"""M2: edits with token offsets.

    S He go home .
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

A paragraph is one or more S lines (offsets run over all of them) and the A lines of any annotators. Alternative
corrections are separated by ``||``; ``-NONE-`` or nothing deletes; type ``noop`` says that the annotator left the
sentence alone. Files disagree on what an annotator *without* a line means, so that is for the caller to say.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from gecval.corpus import Corpus, Reference
from gecval.edits import Edit, overlap
from gecval.edits.plain import operation
from gecval.errors import InputError
from gecval.formats.files import paused_collector, read_lines

Missing = Literal["absent", "unchanged", "agreed", "inferred"]
MISSING = get_args(Missing)

Annotations = dict[str, tuple[Edit, ...]]


@dataclass
class M2File:
    """What an M2 file says: per sentence, the edits of each annotator who has a line."""

    path: Path
    sources: list[str] = field(default_factory=list)
    annotations: list[Annotations] = field(default_factory=list)
    noops: int = 0

    @property
    def annotators(self) -> list[str]:
        names = {name for listed in self.annotations for name in listed}
        return sorted(names, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)) or ["0"]

    @paused_collector()
    def references(self, missing: Missing = "absent") -> list[list[Reference]]:
        """Per sentence, a reference for each annotator.

        ``missing`` says what an annotator without a line did where others have one: ``absent`` gives no reference (as
        the M2 scorer has it), ``unchanged`` left the source alone, ``agreed`` made the same edits as the first who has
        a line, ``inferred`` is ``agreed`` where the file marks unchanged sentences by noop, else ``unchanged``. A
        sentence without any A line is one that nobody changed.
        """
        if missing == "inferred":
            missing = "agreed" if self.noops else "unchanged"
        annotators = self.annotators
        references = []
        for listed in self.annotations:
            fill: tuple[Edit, ...] | None = None if missing == "absent" else ()
            if missing == "agreed" and listed:
                fill = listed[min(listed, key=annotators.index)]
            made = listed or {annotators[0]: ()}
            references.append(
                [
                    Reference(edits=edits, annotator=name)
                    for name in annotators
                    if (edits := made.get(name, fill)) is not None
                ]
            )
        return references

    def notes(self, missing: Missing) -> list[str]:
        """What a user should know: silent annotators whose meaning is open, and edits that cannot both apply."""
        notes = []
        annotators = len(self.annotators)
        silent = sum(annotators - len(listed) for listed in self.annotations if listed)
        if missing == "absent" and silent and not self.noops:
            notes.append(
                f"{self.path}: {silent} annotator slots have no line, and no noop marks an unchanged sentence; they "
                "count as absent (as in the M2 scorer), --missing-annotator unchanged takes them as left alone"
            )
        overlaps = sum(overlap(edits) for listed in self.annotations for edits in listed.values())
        if overlaps:
            notes.append(f"{self.path}: {overlaps} annotations have overlapping edits; their text may be garbled")
        return notes


@paused_collector()
def read_m2(path: Path) -> M2File:
    """Read an M2 file, refusing what cannot be meant with the line it stands in."""
    file = M2File(path)
    parse = EditParser()
    sentences: list[list[str]] = []
    edits: dict[str, list[tuple[int, Edit]]] = {}

    def finish() -> None:
        if not sentences:
            return
        file.sources.extend(" ".join(tokens) for tokens in sentences)
        file.annotations.extend(_per_sentence(path, sentences, edits))
        sentences.clear()
        edits.clear()

    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith("A "):
            if not sentences:
                raise InputError(f"{path}: line {number}: an edit without a sentence above it")
            try:
                annotator, edit = parse(line, sum(map(len, sentences)))
            except InputError as error:
                raise InputError(f"{path}: line {number}: {error}") from None
            mine = edits.setdefault(annotator, [])
            if edit is None:
                file.noops += 1
            else:
                mine.append((number, edit))
        elif not line.strip():
            finish()
        elif line.startswith("S ") or line == "S":
            if edits:
                raise InputError(
                    f"{path}: line {number}: a sentence starts right after edits; put a blank line before it"
                )
            sentences.append(line[2:].split())
        elif not line.startswith("I "):
            raise InputError(f"{path}: line {number} starts with neither S nor A: {line[:40]!r}")
    finish()
    if not file.sources:
        raise InputError(f"{path} holds no sentence (no line starts with 'S ')")
    return file


class EditParser:
    """Reads A lines. Types, annotators and corrections recur, so that each is kept once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._corrections: dict[str, tuple[str, ...]] = {}

    def __call__(self, line: str, length: int) -> tuple[str, Edit | None]:
        """Annotator and edit in a sentence of so many tokens; None for noop."""
        parts = line[2:].split("|||")
        if len(parts) != 6:
            raise InputError(f"an edit has 6 parts separated by |||, this line {len(parts)}")
        span, kind, corrections, required, _, annotator = parts
        annotator = self._name(annotator.strip())
        if kind == "noop":
            return annotator, None
        try:
            start, end = map(int, span.split())
        except ValueError:
            raise InputError(f"{span!r} are not two token offsets") from None
        if not 0 <= start <= end <= length:
            raise InputError(f"edit {start} {end} is out of range; the sentence has {length} tokens")
        texts = self._corrections.get(corrections)
        if texts is None:
            texts = tuple("" if text.strip() == "-NONE-" else text.strip() for text in corrections.split("||"))
            self._corrections[corrections] = texts
        return annotator, Edit(start, end, texts, self._name(kind), required.strip().upper() != "OPTIONAL")

    def _name(self, name: str) -> str:
        return self._names.setdefault(name, name)


def _per_sentence(
    path: Path, sentences: list[list[str]], edits: dict[str, list[tuple[int, Edit]]]
) -> Iterator[Annotations]:
    """Give each sentence of a paragraph the edits that lie in it, with offsets of its own."""
    if len(sentences) == 1:
        yield {annotator: tuple(edit for _, edit in mine) for annotator, mine in edits.items()}
        return
    placed = Counter[int]()
    start = 0
    for tokens in sentences:
        end = start + len(tokens)
        annotations: Annotations = {}
        for annotator, mine in edits.items():
            here = []
            for number, edit in mine:
                if start <= edit.start and edit.end <= end and not placed[number]:
                    placed[number] += 1
                    here.append(Edit(edit.start - start, edit.end - start, edit.corrections, edit.type, edit.required))
            annotations[annotator] = tuple(here)
        yield annotations
        start = end
    for mine in edits.values():
        for number, _ in mine:
            if not placed[number]:
                raise InputError(f"{path}: line {number}: the edit runs over the end of a sentence")


def m2_lines(corpus: Corpus) -> Iterable[str]:
    """The corpus as lines of an M2 file; an annotator who changed nothing gets a noop line."""
    for number, (source, references) in enumerate(zip(corpus.sources, corpus.references, strict=True), start=1):
        if not references:
            raise InputError(f"sentence {number} has no reference, which M2 cannot say; write .jsonl instead")
        yield f"S {source}"
        for reference in references:
            if not reference.edits:
                yield f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{reference.annotator}"
            for edit in reference.edits or ():
                required = "REQUIRED" if edit.required else "OPTIONAL"
                # A deletion is empty, as ERRANT writes and compares it; among alternatives that would be unreadable.
                several = len(edit.corrections) > 1
                texts = "||".join(_correction(text, number) or "-NONE-" * several for text in edit.corrections)
                kind = edit.type or operation(edit.end - edit.start, len(edit.correction))
                yield f"A {edit.start} {edit.end}|||{kind}|||{texts}|||{required}|||-NONE-|||{reference.annotator}"
        yield ""


def _correction(text: str, number: int) -> str:
    """A correction as M2 writes it, which has no way to quote its own signs."""
    if text and (text == "-NONE-" or "||" in f"|{text}|"):
        raise InputError(
            f"sentence {number}: the correction {text!r} has a meaning of its own in M2; write .jsonl instead"
        )
    return text
