"""JSONL: one sentence a line, with its references and the outputs of systems, if there are any.

    {"source": "He go home .", "references": ["He goes home ."], "hypotheses": {"mine": "He goes home ."}}

A reference is a text, or {"annotator": "0", "text": "...", "edits": [[start, end, ["correction", ...], "type"], ...]}
with text, edits or both.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference, as_line
from gecval.errors import InputError
from gecval.formats.files import read_lines

Item = dict[str, Any]


def read_values(path: Path) -> Iterator[tuple[str, Any]]:
    """The value of each line, and where it stands."""
    for number, value in numbered_values(path):
        yield f"{path}: line {number}", value


def numbered_values(path: Path) -> Iterator[tuple[int, Any]]:
    """The value of each line, and the line's number."""
    empty = True
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        empty = False
        where = f"{path}: line {number}"
        try:
            value = json.loads(line, object_pairs_hook=_object)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where} is not JSON: {getattr(error, 'msg', error)}") from None
        yield number, value
    if empty:
        raise InputError(f"{path} is empty")


def _object(pairs: list[tuple[str, Any]]) -> Item:
    """An object. A key that stands twice is refused; Python's reader would silently take the second value."""
    item: Item = {}
    for key, value in pairs:
        if key in item:
            raise InputError(f"the key {key[:60]!r} stands twice in one object")
        item[key] = value
    return item


def read_items(path: Path) -> Iterator[tuple[str, Item]]:
    """The sentence of each line, and where it stands."""
    for where, item in read_values(path):
        if not isinstance(item, dict) or not isinstance(item.get("source"), str):
            raise InputError(f'{where}: expected an object with a text "source"')
        yield where, item


def read_corpus_jsonl(path: Path) -> tuple[list[str], list[list[Reference]]]:
    """Sources, and the references of each."""
    sources, references = [], []
    for where, item in read_items(path):
        sources.append(_text(item["source"], where))
        listed = item.get("references", [])
        if not isinstance(listed, list):
            raise InputError(f'{where}: "references" must be a list')
        length = len(sources[-1].split())
        references.append([_reference(value, str(number), where, length=length) for number, value in enumerate(listed)])
    return sources, references


def read_hypotheses_jsonl(path: Path) -> dict[str, list[str]]:
    """The outputs of each system named under "hypotheses"."""
    outputs: dict[str, list[str]] = {}
    for count, (where, item) in enumerate(read_items(path)):
        named = item.get("hypotheses")
        if not isinstance(named, dict) or not named:
            raise InputError(f'{where}: expected "hypotheses": {{"system": "its output"}}')
        texts = {_name(name, where): _text(text, where) for name, text in named.items()}
        if len(texts) < len(named):
            raise InputError(f"{where}: the names of two systems differ in blanks alone")
        if count and texts.keys() != outputs.keys():
            raise InputError(f"{where}: other systems than in the lines before")
        for name, text in texts.items():
            outputs.setdefault(name, []).append(text)
    return outputs


def _name(value: str, where: str) -> str:
    """A system's name. It is printed as it is, so it must be visible and hold no control characters."""
    name = _text(value, where)
    if not name or any(unicodedata.category(c) == "Cc" for c in name):
        raise InputError(f"{where}: {value[:60]!r} cannot be a system's name: empty, or with control characters")
    return name


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: expected text, found {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: half of a surrogate pair (\\ud800-\\udfff) is not text") from None
    return as_line(value)


def _reference(value: object, annotator: str, where: str, *, length: int) -> Reference:
    if isinstance(value, str):
        return Reference(_text(value, where), annotator=annotator)
    text, edits = (value.get("text"), value.get("edits")) if isinstance(value, dict) else (None, None)
    if not isinstance(value, dict) or (text is None and edits is None):
        raise InputError(f'{where}: a reference is a text or an object with "text" or "edits"')
    if edits is not None and not isinstance(edits, list):
        raise InputError(f'{where}: "edits" must be a list')
    return Reference(
        None if text is None else _text(text, where),
        None if edits is None else tuple(_edit(edit, where, length) for edit in edits),
        _text(str(value.get("annotator", annotator)), where),
    )


def _edit(value: object, where: str, length: int) -> Edit:
    kind, required = "", True
    match value:
        case [int(start), int(end), [_, *_] as corrections]:
            pass
        case [int(start), int(end), [_, *_] as corrections, str(kind)]:
            pass
        case [int(start), int(end), [_, *_] as corrections, str(kind), bool(required)]:
            pass
        case _:
            raise InputError(f'{where}: an edit is [start, end, ["correction", ...], "type"]')
    if isinstance(start, bool) or isinstance(end, bool):  # they are ints to Python
        raise InputError(f"{where}: an edit starts and ends at numbers, not at {start} and {end}")
    if not 0 <= start <= end <= length:
        raise InputError(f"{where}: edit {start} {end} is out of range; the sentence has {length} tokens")
    texts = tuple(_text(text, where) for text in corrections)
    return Edit(start, end, texts, type=_text(kind, where), required=required)


def jsonl_lines(corpus: Corpus) -> Iterator[str]:
    """The corpus as lines of a JSONL file."""
    for i, source in enumerate(corpus.sources):
        references: list[Item] = []
        for reference, text in zip(corpus.references[i], corpus.texts_of(i), strict=True):
            item: Item = {"annotator": reference.annotator, "text": text}
            if reference.edits is not None:
                item["edits"] = [[e.start, e.end, list(e.corrections), e.type, e.required] for e in reference.edits]
            references.append(item)
        yield json.dumps({"source": source, "references": references}, ensure_ascii=False)
