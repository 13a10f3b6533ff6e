"""JSON of W&I+LOCNESS and the FCE (BEA-2019): one text a line, with edits of characters.

    {"text": "He go home.", "edits": [[0, [[3, 5, "goes"]]]], "id": "1-1", "cefr": "A1"}

``edits`` lists annotators, each with his edits; a correction of ``null`` marks an error that nobody corrected, and the
text stays as it is. A whole text is one line; it is not tokenised.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.character_edits import CharacterEdit, corrected
from gecval.formats.faults import Faults
from gecval.formats.jsonl import numbered_values
from gecval.references import Reference

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
            made = corrected(text, _edits(edits, number, faults), faults)
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
