"""Answers of chat models as outputs: JSONL as OpenAI's batches and its compatible servers write it, one answer a line.

    {"custom_id": "line-2", "response": {"body": {"choices": [{"message": {"content": "He goes home ."}}]}}}
    {"choices": [{"message": {"content": "He goes home ."}}]}

A batch comes back in any order. The number in each ``custom_id`` that tells it from the others says the order: 7 in
``line-7`` and ``2026-line-7-draft``. Where there is none, the order is that of the file.
What a model says in ``refusal`` in place of ``content`` is its output, as a refusal in ``content`` is.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gecval.errors import InputError, shorten
from gecval.formats.files import read_lines
from gecval.formats.jsonl import Item, read_values
from gecval.formats.kinds import MANY, score_first

CHOICES = ("response.body.choices.0", "choices.0")
STOPS = {
    "length": "at its limit of tokens",
    "content_filter": "by a filter",
}  # finish_reason: why an answer was cut off
NAMED = 3  # ids that lack, and answers that are refusals; more are counted
MOSTLY = 0.9  # so many answers with a number of their own tell that numbers give the order
_NUMBER = re.compile(r"(?<!\d)\d{1,18}(?!\d)")  # a longer one numbers no line


def value_at(item: Any, path: str) -> Any:
    """What stands at a path of keys and places, or None where it leads nowhere.

    >>> value_at({"choices": [{"text": "Fine ."}]}, "choices.0.text")
    'Fine .'
    """
    for step in path.split("."):
        if isinstance(item, dict):
            item = item.get(step)
        elif isinstance(item, list) and step.isdecimal() and int(step) < len(item):
            item = item[int(step)]
        else:
            return None
    return item


def holds_answers(path: Path) -> bool:
    """Whether the first line looks like the answer of a chat model, or like a request of a batch that failed."""
    first = next((line for line in read_lines(path) if line.strip()), "")
    return '"source"' not in first and any(sign in first for sign in ('"choices"', '"custom_id"'))


class Answers(NamedTuple):
    """The answers in the order of the sentences, what a user should know, and which (from 0) are refusals by name."""

    texts: list[str]
    notes: tuple[str, ...]
    refused: tuple[int, ...]


def read_answers(path: Path, sentences: int = 0, *, origin: Path | str = "") -> Answers:
    """Read the answers of a chat model.

    ``sentences`` is how many there should be, if known: where answers lack, the error names their ids.
    ``origin`` is the file of these sentences.
    """
    answers, ids, notes = list[str](), list[str](), list[str]()
    failed: list[str] = []
    refused: dict[int, str] = {}
    cut: dict[str, list[str]] = {}
    for where, item in read_values(path):
        if not isinstance(item, dict):
            raise InputError(f"{where}: expected an object")
        text, stop = _part(item, "message.content"), _part(item, "finish_reason")
        name = str(item.get("custom_id", ""))
        refusal = _part(item, "message.refusal")
        if refusal and not text:
            text = refusal
            refused[len(answers)] = where.removeprefix(f"{path}: ") + (f" ({shorten(name)})" if name else "")
        elif text is None:
            failed.append(f"{where}{f' ({shorten(name)})' if name else ''}: {_why(item)}")
        elif stop in STOPS:
            cut.setdefault(stop, []).append(where)
        answers.append(" ".join((text or "").split()))
        ids.append(name)
    if failed:
        rest = len(failed) - 1
        more = f" ({rest} more {'line has' if rest == 1 else 'lines have'} no answer)" if rest else ""
        raise InputError(f"{failed[0]}; ask for this sentence again, or put an answer in its place{more}")
    for stop, places in cut.items():
        first = places[0].removeprefix(f"{path}: ")
        notes.append(
            f"{path}: the model was stopped {STOPS[stop]} in {len(places)} of {len(answers)} answers, first in {first}"
        )
    if refused:
        some = _list_some([*refused.values()])
        notes.append(
            f"{path}: the model refused in {len(refused)} of {len(answers)} answers: {some}; "
            "what it said counts as output; "
            f"'gecval doctor GOLD {shlex.quote(str(path))} --fix refusals' puts the source in its place"
        )
    order, note = _order(path, ids, sentences, origin)
    return Answers(
        [answers[place] for place in order],
        (*notes, *([note] if note else [])),
        tuple(number for number, place in enumerate(order) if place in refused),
    )


def _list_some(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + f" and {len(names) - NAMED:,} more" * (len(names) > NAMED)


def _order(path: Path, ids: Sequence[str], sentences: int, origin: Path | str) -> tuple[Sequence[int], str]:
    """The places of the answers in the order of the sentences, and a note."""
    places = range(len(ids))
    numbers = _telling_numbers(ids)
    if not numbers:
        _refuse_spoilt_order(path, ids)
        says = f"{path}: the custom_ids do not number the answers, so they count in the order of the file"
        return places, says if any(map(_NUMBER.search, ids)) else ""
    values = [int(number[0]) for number in numbers]
    missing = sorted(set(range(min(values), max(values))) - set(values))
    lacking = sentences - len(ids) - len(missing)
    if lacking > 0 and min(values) < 2:  # it counts from 0 or 1, so that the end lacks
        missing += range(max(values) + 1, max(values) + 1 + lacking)
    by_number = dict(zip(values, places, strict=True))
    order = [by_number[value] for value in sorted(values)]
    if not missing:
        return order, ""
    number = numbers[order[0]]
    width = len(number[0]) if any(number[0].startswith("0") for number in numbers) else 0
    names = [f"{number.string[: number.start()]}{value:0{width}}{number.string[number.end() :]}" for value in missing]
    some = _list_some([*map(shorten, names)])
    if len(ids) < sentences:
        if min(missing) > max(values) and len(missing) > MANY:
            raise InputError(
                f"{path} has answers for the first {len(ids):,} of {sentences:,} sentences; no answer has the "
                f"custom_id {some}; ask for these, or {score_first(len(ids), origin)}"
            )
        raise InputError(
            f"{path} has {len(ids)} answers for {sentences} sentences; no answer has the custom_id {some}; ask again"
        )
    return order, f"{path}: no answer has the custom_id {some}; the others count in the order of their numbers"


def _refuse_spoilt_order(path: Path, ids: Sequence[str]) -> None:
    """Refuse answers in another order than the file's, of which a few have no number of their own."""
    last = [int(found[-1]) if (found := _NUMBER.findall(name)) else None for name in ids]
    known = [value for value in dict.fromkeys(last) if value is not None]
    if len(known) < max(2, MOSTLY * len(ids)) or known == sorted(known):
        return
    seen: set[int | None] = {None}
    for place, value in enumerate(last):
        if value in seen:
            why = (
                "has no number in its custom_id" if value is None else f"has the custom_id {shorten(ids[place])} again"
            )
            raise InputError(
                f"{path}: answer {place + 1} {why}, so the order of the answers, which is not that of the file, is not "
                "known; give each answer a custom_id with the number of its sentence"
            )
        seen.add(value)


def _telling_numbers(ids: Sequence[str]) -> list[re.Match[str]]:
    """A number of each id, in the same place of all, which no other id has there; empty where there is none.

    Where there are several, the one with the fewest gaps counts. A number with more gaps than ids is none.
    """
    found = [list(_NUMBER.finditer(name)) for name in ids]
    fewest = min(map(len, found))
    best: list[re.Match[str]] = []
    least = 2 * len(ids)
    for place in (*range(-1, -fewest - 1, -1), *range(fewest)):  # from the end, then from the start
        column = [numbers[place] for numbers in found]
        values = {int(number[0]) for number in column}
        if len(values) == len(ids) and max(values) - min(values) < least:
            best, least = column, max(values) - min(values)
    return best


def _part(item: Item, path: str) -> str | None:
    """The text at this path in what the model chose to say."""
    found = (value_at(item, f"{choice}.{path}") for choice in CHOICES)
    return next((value for value in found if isinstance(value, str)), None)


def _why(item: Item) -> str:
    """Why an answer has no text."""
    if said := value_at(item, "error.message") or value_at(item, "response.body.error.message"):
        return f"the model gave an error: {shorten(said)}"
    return f"there is no text at {' or '.join(f'{choice}.message.content' for choice in CHOICES)}"
