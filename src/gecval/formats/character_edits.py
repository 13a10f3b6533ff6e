"""Edits with offsets of characters, as annotators mark them in running text: from a text to the corrected text."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gecval.corpus.references import Reference
from gecval.errors import InputError
from gecval.formats.files import Faults, read_lines
from gecval.formats.jsonl import numbered_values


class CharacterEdit(NamedTuple):
    """Characters ``start:end`` become ``correction``; ``line`` is where the file says so."""

    start: int
    end: int
    correction: str
    line: int = 0


def correct_text(text: str, edits: Iterable[CharacterEdit], faults: Faults) -> str:
    """The text with all edits made. Edits out of range, or that overlap an earlier one, are faults.

    >>> from pathlib import Path
    >>> edits = [CharacterEdit(3, 5, "goes"), CharacterEdit(10, 10, " again")]
    >>> correct_text("He go home.", edits, Faults(Path("a.json")))
    'He goes home again.'
    """
    pieces, done = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        span = f"edit {edit.start} {edit.end}"
        if not 0 <= edit.start <= edit.end <= len(text):
            what = f"{span} is out of range; the text has {len(text)} characters"
            faults.add(edit.line, what, kind="edits out of range")
        elif edit.start < done:
            what = f"{span} overlaps an edit that ends at {done}; a text can take only one of them"
            faults.add(edit.line, what, kind="edits that overlap others")
        else:
            pieces += [text[done : edit.start], edit.correction]
            done = edit.end
    return "".join([*pieces, text[done:]])


# NUCLE's SGML: essays, their paragraphs, and mistakes with offsets of characters.
#
#     <DOC nid="829"><TEXT><TITLE> … </TITLE><P> … </P></TEXT>
#     <ANNOTATION teacher_id="173"><MISTAKE start_par="1" start_off="42" end_par="1" end_off="46"><TYPE>SVA</TYPE>
#     <CORRECTION>goes</CORRECTION></MISTAKE></ANNOTATION></DOC>
#
# A paragraph is one line; the title is paragraph 0. It is not tokenised. Entities such as ``&amp;`` stay as they stand:
# nothing is expanded, so a file cannot grow while it is read. Two types correct nothing, and the text stays: ``noop``
# (an alternative that leaves a sentence alone), and ``Um`` (unclear meaning) without a correction.


_TAG = re.compile(r"<(/?)(DOC|TITLE|P|ANNOTATION|MISTAKE|TYPE|CORRECTION)\b([^<>\n]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(\w+)\s*=\s*[\"']?([^\"'\s>]*)")
PLACE = ("start_par", "start_off", "end_par", "end_off")
NOOP, UNCLEAR = "noop", "um"


@dataclass
class _Document:
    paragraphs: list[str] = field(default_factory=list)
    teachers: dict[str, dict[int, list[CharacterEdit]]] = field(default_factory=dict)  # edits by paragraph


@dataclass
class _Mistake:
    attributes: str = ""
    line: int = 0
    type: str = ""
    correction: str | None = None
    corrected_in: int = 0  # the line

    @property
    def corrects(self) -> bool:
        """Whether it says what the text should be. Without a correction, an error was only seen."""
        if self.type == NOOP or self.correction is None:
            return False
        return bool(self.correction) or self.type != UNCLEAR


def read_nucle(path: Path, faults: Faults) -> tuple[list[str], list[list[Reference]]]:
    """Paragraphs, and the corrected paragraphs of each teacher."""
    sources, references = [], []
    for document in _documents(path, faults):
        for place, text in enumerate(document.paragraphs):
            sources.append(text)
            references.append(
                [
                    Reference(correct_text(text, edits.get(place, ()), faults), annotator=teacher)
                    for teacher, edits in document.teachers.items()
                ]
            )
    if not sources:
        raise InputError(f"{path} holds no paragraph (<P> ... </P>) within a <DOC>")
    return sources, references


def _documents(path: Path, faults: Faults) -> Iterator[_Document]:
    text = "\n".join(read_lines(path))
    breaks = [match.start() for match in re.finditer("\n", text)]
    document, mistake = _Document(), _Mistake()
    edits: dict[int, list[CharacterEdit]] | None = None  # of the current annotation
    opened, start = 0, 1
    for tag in _TAG.finditer(text):
        closes, name, number = bool(tag[1]), tag[2].upper(), bisect(breaks, tag.start()) + 1
        if mistake.line and (name in ("DOC", "ANNOTATION") or (name == "MISTAKE" and not closes)):
            faults.add(mistake.line, "a <MISTAKE> without its end", kind="mistakes that do not end")
            mistake = _Mistake()
        if name == "DOC":
            if closes:
                yield document
            else:
                _check_closed(document, start, faults)
            document, edits, start = _Document(), None, number
        elif name in ("P", "TITLE") and closes:
            document.paragraphs.append(text[opened : tag.start()].strip("\n"))
        elif name == "ANNOTATION":
            teacher = dict(_ATTRIBUTE.findall(tag[3])).get("teacher_id") or str(len(document.teachers))
            edits = None if closes else document.teachers.setdefault(teacher, {})
        elif name == "MISTAKE" and edits is None and not closes:
            faults.add(number, "a <MISTAKE> outside an <ANNOTATION>", kind="mistakes of nobody")
        elif name == "MISTAKE" and not closes:
            mistake = _Mistake(attributes=tag[3], line=number)
        elif name == "MISTAKE" and edits is not None:
            place = _place(mistake, len(document.paragraphs), faults) if mistake.corrects else None
            if place is not None:
                paragraph, first, last = place
                edit = CharacterEdit(first, last, mistake.correction or "", mistake.corrected_in)
                edits.setdefault(paragraph, []).append(edit)
            mistake = _Mistake()
        elif name == "TYPE" and closes:
            mistake.type = text[opened : tag.start()].strip().lower()
        elif name == "CORRECTION" and (closes or tag[3].endswith("/")):
            mistake.correction = " ".join(text[opened : tag.start()].split()) if closes else ""
            mistake.corrected_in = number
        opened = tag.end()
    _check_closed(document, start, faults)


def _check_closed(document: _Document, start: int, faults: Faults) -> None:
    """A document that does not end may have lost its annotations."""
    if document.paragraphs:
        faults.add(start, "a <DOC> without its end", kind="documents that do not end")


def _place(mistake: _Mistake, paragraphs: int, faults: Faults) -> tuple[int, int, int] | None:
    """Paragraph, start and end of a mistake."""
    values, number = dict(_ATTRIBUTE.findall(mistake.attributes.lower())), mistake.line
    try:
        first, start, last, end = (int(values[name]) for name in PLACE)
    except (KeyError, ValueError):
        faults.add(number, f"<MISTAKE> needs whole numbers {', '.join(PLACE)}", kind="mistakes without a place")
        return None
    if first != last or not 0 <= first < paragraphs:
        what = f"a mistake from paragraph {first} to {last}; the text has {paragraphs}, and a correction stays in one"
        faults.add(number, what, kind="mistakes that leave their paragraph")
        return None
    return first, start, end


# JSON of W&I+LOCNESS and the FCE (BEA-2019): one text a line, with edits of characters.
#
#     {"text": "He go home.", "edits": [[0, [[3, 5, "goes"]]]], "id": "1-1", "cefr": "A1"}
#
# ``edits`` lists annotators, each with his edits; a correction of ``null`` marks an error that nobody corrected, and
# the text stays as it is. A whole text is one line; it is not tokenised.


SHAPE = 'expected {"text": "...", "edits": [[annotator, [[start, end, "correction"], ...]], ...]}'


def read_wi_json(path: Path, faults: Faults) -> tuple[list[str], list[list[Reference]]]:
    """Texts, and the corrected texts of each."""
    sources, references = [], []
    for number, item in numbered_values(path):
        match item:
            case {"text": str(text), "edits": list(annotators)}:
                pass
            case _:
                raise InputError(f"{path}: line {number}: {SHAPE}")
        sources.append(_checked(text, path, number))
        references.append([_reference(text, annotator, number, faults=faults) for annotator in annotators])
    return sources, references


def _reference(text: str, annotator: object, number: int, *, faults: Faults) -> Reference:
    match annotator:
        case [int() | str() as name, list(edits)]:
            made = correct_text(text, _edits(edits, number, faults), faults)
            return Reference(_checked(made, faults.path, number), annotator=_checked(str(name), faults.path, number))
    raise InputError(f"{faults.path}: line {number}: {SHAPE}")


def _edits(listed: list[object], number: int, faults: Faults) -> Iterator[CharacterEdit]:
    for edit in listed:
        match edit:
            case [int(start), int(end), None, *_]:
                pass
            case [int(start), int(end), str(correction), *_]:
                yield CharacterEdit(start, end, correction, number)
            case _:
                faults.add(number, 'an edit is [start, end, "correction"]', kind="edits of another shape")


def _checked(text: str, path: Path, number: int) -> str:
    """JSON can spell half a surrogate pair, which is no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{path}: line {number}: half of a surrogate pair (\\ud800-\\udfff) is not text") from None
    return text
