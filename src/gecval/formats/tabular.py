"""Files with tabs: several texts in a line.

    id ⇥ source ⇥ target 1 ⇥ target 2 …     "para", as MuCGEC and ChERRANT have it; the id is a whole number
    source ⇥ target 1 ⇥ target 2 …          with or without a header that names the columns
    reference 1 ⇥ reference 2 …             next to a source that comes from elsewhere, as GECCC's ``.gold``

Lines may have different numbers of references. MuCGEC writes two words of command in the place of a target:
``没有错误`` (no error) is the source, and ``无法标注`` (cannot be annotated) is what M2 writes as ``NA``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.errors import InputError
from gecval.formats.files import Faults, read_lines
from gecval.formats.m2_files import NOT_ANNOTATED

NO_ERROR, CANNOT_BE_ANNOTATED = "没有错误", "无法标注"
ID = ("id", "nid", "sid")
SOURCE = ("source", "src", "sentence", "original", "orig", "input")
LINES = 1000  # that are looked at: in a file of references many sentences may have only one
Row = tuple[int, list[str]]  # the number of its line, and its cells


class TabularTexts(NamedTuple):
    """Sources where the file has them, and the references of each line."""

    sources: list[str] | None
    references: list[list[Reference]]


def is_tabular(path: Path) -> bool:
    """Whether a text file has several texts in one of its first lines. A pipe can be read only once: it holds text."""
    try:
        return path.is_file() and any("\t" in line.strip() for line in islice(read_lines(path), LINES))
    except (InputError, OSError):
        return False  # whoever reads it says what is wrong


def read_tabular(path: Path, sources: Sequence[str] | None, faults: Faults) -> TabularTexts:
    """The texts of each line. ``sources`` are known from elsewhere; a column that repeats them is recognised."""
    rows = _rows(path, sources)
    header = [cell.lower() for cell in rows[0][1]]
    named = _named_source(rows)
    if named is not None:
        if named > 1 or (named == 1 and header[0] not in ID):
            raise InputError(f"{path}: line 1: the first column must be the source, or an id with the source after it")
        return _parallel(rows[1:], named, faults)
    place = _place_of_source(rows, sources)
    if place is not None:
        return _parallel(rows, place, faults)
    known = sources if sources is not None and len(sources) == len(rows) else [None] * len(rows)
    pairs = zip(rows, known, strict=True)
    # An annotator may delete a whole sentence: GECCC has such lines.
    return TabularTexts(
        None, [[_reference(t, source, str(a)) for a, t in enumerate(row)] for (_, row), source in pairs]
    )


def read_targets(path: Path, sources: Sequence[str]) -> list[str] | None:
    """A system's outputs, where each line has the source and one target; None for other files: a tab is a blank."""
    rows = _rows(path, sources)
    if _named_source(rows) is not None:
        rows = rows[1:]
    place = _place_of_source(rows, sources)
    if place is None or any(len(cells) != place + 2 for _, cells in rows):
        return None
    return [cells[place] if cells[-1] in (NO_ERROR, CANNOT_BE_ANNOTATED) else cells[-1] for _, cells in rows]


def _rows(path: Path, sources: Sequence[str] | None) -> list[Row]:
    return [(number, [cell.strip() for cell in line.split("\t")]) for number, line in _lines(path, sources)]


def _named_source(rows: Sequence[Row]) -> int | None:
    """The column that a header calls the source."""
    header = [cell.lower() for cell in rows[0][1]]
    named = next((place for place, cell in enumerate(header) if cell in SOURCE), None)
    return named if len(header) > 1 and len(rows) > 1 else None


def _lines(path: Path, sources: Sequence[str] | None) -> list[tuple[int, str]]:
    """The lines, without empty ones at the end that no source has."""
    lines = list(enumerate(read_lines(path), start=1))
    while len(lines) > len(sources or ()) and not lines[-1][1].strip():
        lines.pop()
    if not lines:
        raise InputError(f"{path} is empty")
    return lines


def _place_of_source(rows: Sequence[Row], sources: Sequence[str] | None) -> int | None:
    """The column with the source; None where the lines hold references alone."""
    if sources is None:
        return int(all(cells[0].isdecimal() for _, cells in rows))
    if len(rows) == len(sources):
        for place in (0, 1):
            pairs = zip(rows, sources, strict=True)
            if all(len(cells) > place + 1 and _same_text(cells[place], source) for (_, cells), source in pairs):
                return place
    return None


def _same_text(first: str, second: str) -> bool:
    """Whether two texts differ in blanks alone; Chinese is written with and without them."""
    return "".join(first.split()) == "".join(second.split())


def _parallel(rows: Sequence[Row], place: int, faults: Faults) -> TabularTexts:
    sources, references = [], []
    for number, cells in rows:
        if len(cells) < place + 2 or not cells[place]:
            what = "expected a source, a tab and a target" if place == 0 else "expected an id, a source and a target"
            faults.add(number, f"{what}, separated by tabs", kind="lines without a source and a target")
            continue
        sources.append(cells[place])
        if not any(cells[place + 1 :]):
            faults.add(number, "the target is empty", kind="empty targets")
            cells[place + 1 :] = []
        references.append(_references(number, cells[place + 1 :], cells[place], faults=faults))
    if not sources:
        raise InputError(f"{faults.path} has no line with a source and a target")
    return TabularTexts(sources, references)


def _references(number: int, texts: Sequence[str], source: str, *, faults: Faults) -> list[Reference]:
    references = []
    for annotator, text in enumerate(texts):
        if not text:
            faults.add(number, f"reference {annotator + 1} is empty", kind="empty references")
            continue
        references.append(_reference(text, source, str(annotator)))
    return references


def _reference(text: str, source: str | None, annotator: str) -> Reference:
    if source is not None and text == NO_ERROR:
        return Reference(source, annotator=annotator)
    if source is not None and text == CANNOT_BE_ANNOTATED:
        return Reference(None, (Edit(0, 0, ("",), type=NOT_ANNOTATED),), annotator)
    return Reference(text, annotator=annotator)
