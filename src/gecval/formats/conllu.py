"""CoNLL-U: parsed sentences, one word a line, a blank line after each sentence.

    1-2  al    _     _    _  _            _  _     _  _
    1    a     a     ADP  E  _            3  case  _  _
    2    il    il    DET  RD Gender=Masc  3  det   _  _

A multiword token (``1-2``) may stand in a text as it is written (``al``), or as its words (``a il``). As it is written,
it has the tag and lemma of its first word. Empty nodes (``5.1``) are no words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gecval.errors import InputError, shorten
from gecval.formats.files import read_lines

COLUMNS = 10
NOTHING = "_"


@dataclass(frozen=True, slots=True)
class Word:
    """What a parse says of a word: UD's part of speech, lemma, features such as ``{"Case": "Gen"}``, relation."""

    form: str
    upos: str = "X"
    lemma: str = ""
    feats: dict[str, str] = field(default_factory=dict)
    deprel: str = ""


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence in both spellings, with the line of each word."""

    line: int
    words: list[tuple[int, Word]]
    written: list[tuple[int, Word]]  # multiword tokens as they are written


def read_conllu(path: Path) -> list[ParsedSentence]:
    """The sentences of a file. Invalid lines are refused, with their number."""
    sentences = list(_sentences(path))
    if not sentences:
        raise InputError(f"{path} holds no parsed sentence")
    return sentences


def _sentences(path: Path) -> Iterator[ParsedSentence]:
    lines: list[tuple[int, list[str]]] = []
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if lines:
                yield _sentence(path, lines)
            lines = []
            continue
        cells = line.split("\t")
        if len(cells) != COLUMNS:
            raise InputError(f"{path}: line {number} has {len(cells)} columns; a word of CoNLL-U has {COLUMNS}")
        lines.append((number, cells))
    if lines:
        yield _sentence(path, lines)


def _sentence(path: Path, lines: list[tuple[int, list[str]]]) -> ParsedSentence:
    words = [(number, _word(cells)) for number, cells in lines if _is_number(cells[0])]
    by_id = {cells[0]: _word(cells) for _, cells in lines}
    written: list[tuple[int, Word]] = []
    last = 0  # the last word of the current multiword token
    for number, cells in lines:
        first, dash, end = cells[0].partition("-")
        if dash:
            if not (_is_number(end) and first in by_id):
                raise InputError(f"{path}: line {number}: {shorten(cells[0], 40)!r} is no range of words that follow")
            last, head = int(end), by_id[first]
            written.append((number, Word(cells[1], head.upos, head.lemma, head.feats, head.deprel)))
        elif _is_number(first):
            if int(first) > last:
                written.append((number, by_id[first]))
        elif "." not in first:
            raise InputError(f"{path}: line {number}: {shorten(first, 40)!r} is no number of a word")
    if not words or not written:
        raise InputError(f"{path}: line {lines[0][0]}: a sentence without a word (a line with a number from 1 on)")
    return ParsedSentence(lines[0][0], words, written)


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 10


def _word(cells: list[str]) -> Word:
    _, form, lemma, upos, _, feats, _, deprel = cells[:8]
    named = dict(part.split("=", 1) for part in feats.split("|") if "=" in part)
    known = lemma if lemma != NOTHING or form == NOTHING else form
    return Word(form, upos if upos != NOTHING else "X", known, named, deprel if deprel != NOTHING else "")
