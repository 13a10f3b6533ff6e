"""Edits with offsets of characters, as annotators mark them in running text: from a text to the corrected text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gecval.formats.faults import Faults


class CharacterEdit(NamedTuple):
    """Characters ``start:end`` become ``correction``; ``line`` is where the file says so."""

    start: int
    end: int
    correction: str
    line: int = 0


def corrected(text: str, edits: Iterable[CharacterEdit], faults: Faults) -> str:
    """The text with all edits made. Edits out of range, or that overlap an earlier one, are faults.

    >>> from pathlib import Path
    >>> corrected("He go home.", [CharacterEdit(3, 5, "goes"), CharacterEdit(10, 10, " again")], Faults(Path("a.json")))
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
