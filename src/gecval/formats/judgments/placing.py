"""Judgments on a corpus: sentences numbered from 0, checked against the outputs; and several sets as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gecval.errors import InputError
from gecval.formats.judgments.judgment import Judgment, Judgments, Placement

SOURCE_NAMES = ("INPUT", "src", "source")  # what sets of judgments call the source where it is ranked too


def place(judgments: Judgments, outputs: Mapping[str, Sequence[str]], sentences: int) -> Judgments:
    """The judgments with sentences numbered from 0, checked against the systems' outputs.

    GJG15 and NSPT15 count from 0, SEEDA from 1. Where the format may do either, the outputs decide: systems with one
    placement must have given the same output.
    """
    numbers = judgments.sentences[[bool(item.placements) for item in judgments.items]]
    options = (0, 1) if judgments.first is None else (judgments.first,)
    fitting = [first for first in options if first <= numbers.min() and numbers.max() < sentences + first]
    if not fitting:
        raise InputError(
            f"{judgments.name} judges sentences {numbers.min()} to {numbers.max()}, but the source has {sentences}"
        )
    differing = {first: _differing(judgments, outputs, first) for first in fitting}
    first = min(fitting, key=lambda option: differing[option][0])
    wrong, groups = differing[first]
    said = f"{judgments.name}: {wrong} of {groups} groups that were judged as one output differ in the outputs given"
    if wrong > groups / 2:
        raise InputError(f"{said}; are these the outputs that were judged?", parameter="systems")
    items = tuple(replace(item, sentence=item.sentence - first if item.placements else 0) for item in judgments.items)
    return replace(judgments, items=items, first=0, notes=judgments.notes + ((said,) if wrong else ()))


def _differing(judgments: Judgments, outputs: Mapping[str, Sequence[str]], first: int) -> tuple[int, int]:
    """How many groups of systems judged as one have different outputs, and how many groups there are."""
    wrong = groups = 0
    for item in judgments.items:
        for placement in item.placements:
            known = [outputs[name][item.sentence - first].split() for name in placement.systems if name in outputs]
            groups += len(known) > 1
            wrong += any(tokens != known[0] for tokens in known)
    return wrong, groups


def combine(name: str, parts: Sequence[Judgments]) -> Judgments:
    """Several sets as one. Sets call the source by different names: all of these become the first that occurs.

    Place sets first that may count sentences differently.
    """
    names = [system for part in parts for system in part.systems if system in SOURCE_NAMES]

    def renamed(item: Judgment, first: int) -> Judgment:
        placements = tuple(
            Placement(
                tuple(names[0] if system in SOURCE_NAMES else system for system in placement.systems), placement.rank
            )
            for placement in item.placements
        )
        return replace(item, sentence=item.sentence - first, placements=placements)

    return Judgments(
        name,
        tuple(renamed(item, part.first or 0) for part in parts for item in part.items),
        first=None if any(part.first is None for part in parts) else 0,
        notes=tuple(note for part in parts for note in part.notes),
    )
