"""M2: edits with token offsets.

    S He go home .
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

A paragraph is one or more S lines and the A lines of any annotators; offsets run over all S lines. ``||`` separates
alternative corrections. ``-NONE-`` or nothing deletes. The type ``noop`` says that the annotator left the sentence
alone. Files disagree on what an annotator *without* a line means, so the caller must say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np

from gecval.cores import cores
from gecval.corpus import Corpus, Reference
from gecval.edit import operation
from gecval.errors import InputError
from gecval.formats.faults import Faults
from gecval.formats.m2_columns import read_columns
from gecval.formats.m2_parser import NOT_ANNOTATED, Annotations, parse_m2
from gecval.references import MadeOnDemand, ReferenceTable

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
        order = np.argsort(keys, kind="stable")
        keys, spans = keys[order], table.spans[order]
        if missing == "absent":
            added = np.flatnonzero(counts == 0) * len(annotators)
        else:
            added = np.setdiff1d(np.arange(len(counts) * len(annotators)), keys, assume_unique=True)
        silent = added // len(annotators)
        fill = np.zeros((len(added), 2), dtype=np.int64)
        if missing == "agreed":
            others = counts[silent] > 0
            fill[others] = spans[table.slots[silent[others]]]
        keys, spans = np.concatenate([keys, added]), np.concatenate([spans, fill])
        order = np.argsort(keys, kind="stable")
        return replace(
            table,
            slots=table.slots + np.append(0, np.cumsum(np.bincount(silent, minlength=len(counts)))),
            spans=spans[order],
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


def read_m2(path: Path, *, lenient: bool = False, jobs: int | None = None) -> M2File:
    """Read an M2 file. What cannot be meant is refused, with the number of its line, or dropped if ``lenient``."""
    columns = read_columns(path, jobs=jobs or cores())
    if columns is None:
        faults = Faults(path, lenient)
        return M2File(path, *parse_m2(path, faults), faults=tuple(faults.notes()))
    return M2File(path, columns.sources, ListedAnnotations(columns.table), noops=columns.noops)


def m2_lines(corpus: Corpus) -> Iterable[str]:
    """The corpus as lines of an M2 file. An annotator who changed nothing gets a noop line."""
    for number, (source, references) in enumerate(zip(corpus.sources, corpus.references, strict=True), start=1):
        if not references:
            raise InputError(f"sentence {number} has no reference, which M2 cannot say; write .jsonl instead")
        yield f"S {source}"
        for reference in references:
            if not reference.edits:
                yield f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{reference.annotator}"
            for edit in reference.edits or ():
                if edit.type == NOT_ANNOTATED:
                    yield f"A -1 -1|||{NOT_ANNOTATED}|||-NONE-|||REQUIRED|||-NONE-|||{reference.annotator}"
                    continue
                required = "REQUIRED" if edit.required else "OPTIONAL"
                # A deletion is empty, as ERRANT writes and compares it; among alternatives that would be unreadable.
                several = len(edit.corrections) > 1
                texts = "||".join(_correction(text, number) or "-NONE-" * several for text in edit.corrections)
                kind = edit.type or operation(edit.end - edit.start, len(edit.correction))
                yield f"A {edit.start} {edit.end}|||{kind}|||{texts}|||{required}|||-NONE-|||{reference.annotator}"
        yield ""


def _correction(text: str, number: int) -> str:
    """A correction as M2 writes it. M2 cannot quote its own signs, so some corrections are refused."""
    if text and (text == "-NONE-" or "||" in f"|{text}|"):
        raise InputError(
            f"sentence {number}: the correction {text!r} has a meaning of its own in M2; write .jsonl instead"
        )
    return text
