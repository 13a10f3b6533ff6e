"""M2, line by line. This parser reads every M2 file, and says what is wrong with a file that is none.

``m2_columns`` reads plain files faster, with the same result. This parser gets the others. ChERRANT writes each
corrected sentence between S and A lines (``T0-A0 …``); these lines say nothing new. Its type ``NA`` means that the
sentence cannot be annotated: an edit that changes nothing, and that no output can make.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gecval.edit import Edit
from gecval.errors import InputError, shortened
from gecval.formats.faults import Faults
from gecval.formats.files import paused_collector, read_lines

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
            raise EditError(f"{shortened(span, 60)!r} are not two token offsets", "edits without offsets") from None
        if kind == NOT_ANNOTATED and start == end == -1:
            return annotator, Edit(0, 0, ("",), type=NOT_ANNOTATED)
        if not 0 <= start <= end <= length:
            shown = shortened(f"{start} {end}", 60)
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
