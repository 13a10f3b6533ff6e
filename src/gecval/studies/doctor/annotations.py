"""What is odd in annotations: edits that repeat, overlap, contain each other, are out of order, or do nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gecval.corpus import Corpus
from gecval.edit import Edit
from gecval.formats.mending import edit_key, is_idle, place_of, shares_words

# What each kind does to a score, and what mends it.
EFFECTS = {
    "duplicated edits": ("M² counts a correct edit once for each copy, so that precision can pass 1", "duplicates"),
    "contained edits": ("an output cannot make both, so a perfect one loses recall; as text they garble", "overlaps"),
    "overlapping edits": ("an output cannot make both, so a perfect one loses recall; as text they garble", "overlaps"),
    "edits out of order": ("M² compares edits in the order of the file, and misses those out of order", "order"),
    "edits that do nothing": ("no output can make them, so they cost every system recall", "idle"),
    "empty edits": ("no word is taken and none is added, so they cost every system recall", "idle"),
}


@dataclass(frozen=True)
class OddEdit:
    """An edit of sentence ``sentence`` (from 0), by the annotator in this place among its references."""

    kind: str
    sentence: int
    place: int
    edit: Edit


def odd_edits(corpus: Corpus) -> Iterator[OddEdit]:
    """Every odd edit, once for each way in which it is odd. Of edits that share words, each is one."""
    for i, listed in enumerate(corpus.references):
        tokens: list[str] | None = None
        for place, reference in enumerate(listed):
            if not reference.edits:
                continue
            tokens = corpus.sources[i].split() if tokens is None else tokens
            for kind, edits in _kinds(reference.edits, tokens):
                yield from (OddEdit(kind, i, place, edit) for edit in edits)


def _kinds(edits: Sequence[Edit], tokens: Sequence[str]) -> Iterator[tuple[str, list[Edit]]]:
    copies: dict[tuple[int, int, tuple[str, ...]], list[Edit]] = defaultdict(list)
    for edit in edits:
        copies[edit_key(edit)].append(edit)
    # Words may well be inserted twice: "very very". Two such insertions are not told from a copy, and count as one.
    yield "duplicated edits", [edit for listed in copies.values() for edit in listed[1:]]
    yield "edits out of order", list(out_of_order(edits))
    idle = [edit for edit in edits if is_idle(edit, tokens)]
    yield "edits that do nothing", [edit for edit in idle if edit.start < edit.end]
    yield "empty edits", [edit for edit in idle if edit.start == edit.end]
    contained: dict[int, Edit] = {}
    crossing: dict[int, Edit] = {}
    # Sorted, an edit shares words only with those right after it, up to its end.
    ordered = sorted((listed[0] for listed in copies.values()), key=lambda edit: (edit.start, -edit.end))
    if _apart(ordered):
        return
    for first, second in combinations(ordered, 2):
        if shares_words(first, second):
            inner = second.end <= first.end
            for edit in (first, second):
                (contained if inner else crossing)[id(edit)] = edit
    yield "contained edits", list(contained.values())
    yield "overlapping edits", list(crossing.values())


def out_of_order(edits: Sequence[Edit]) -> Iterator[Edit]:
    """Edits that stand after one that comes later in the sentence."""
    last = (0, 0)
    for edit in edits:
        if place_of(edit) < last:
            yield edit
        last = max(last, place_of(edit))


def _apart(ordered: Sequence[Edit]) -> bool:
    """Whether no edit reaches into a later one: nearly always, and quick to see."""
    reach = 0
    for edit in ordered:
        if edit.start < reach:
            return False
        reach = max(reach, edit.end)
    return True
