"""Human judgments: for one sentence, one judge ranks the outputs of some systems.

    {"sentence": 308, "judge": "anna", "ranks": {"RAC": 2, "SJTU": 2, "CAMB": 4}}                          JSONL

Rank 1 is best, and equal ranks are ties. Besides JSONL there are Appraise's XML (``judgments_xml.py``), in which GJG15,
NSPT15 and SEEDA come, and CSV (``judgments_csv.py``). An item without ranks is one that the judge skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.formats.jsonl import read_values

# Test runs, and the judge whom NSPT15's authors leave out of their own table of judgments.
SKIPPED_JUDGES = ("admin", "non-native")
SOURCE_NAMES = ("INPUT", "src", "source")


class Placement(NamedTuple):
    """Systems that gave one and the same output, and the rank it got."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's ranking of outputs of one sentence, which is numbered as in the file."""

    sentence: int
    judge: str
    placements: tuple[Placement, ...]

    @classmethod
    def checked(cls, sentence: object, judge: object, placements: Sequence[Placement], where: str) -> Judgment:
        """Refuse what cannot be meant."""
        names = [name for placed in placements for name in placed.systems]
        for name in names:
            if not name:
                raise InputError(f"{where}: a ranked system has no name")
            if names.count(name) > 1:
                raise InputError(f"{where}: {name} is ranked twice")
        return cls(_whole(sentence, "the number of the sentence", where, least=0), str(judge or ""), tuple(placements))


def checked_rank(value: object, system: object, where: str) -> int:
    return _whole(value, f"the rank of {system}", where, least=1)


def _whole(value: object, what: str, where: str, *, least: int) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        found = "missing" if value is None or text == "" else repr(value)
        raise InputError(f"{where}: {what} is {found}; it must be a whole number from {least}")
    return int(text)


@dataclass(frozen=True)
class Judgments:
    """All rankings of one set. ``first`` is the number of the first sentence, None where the format leaves it open."""

    name: str
    items: tuple[Judgment, ...]
    first: int | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return tuple(sorted({name for item in self.items for placed in item.placements for name in placed.systems}))

    @cached_property
    def preferences(self) -> NDArray[np.float64]:
        """[item, system]: minus the rank, so that higher is better; NaN where the item does not rank the system."""
        return self._preferences(lambda placed: placed.systems)

    @cached_property
    def output_preferences(self) -> NDArray[np.float64]:
        """The same with one system for each output, the first in the alphabet: what judges saw, before expansion."""
        return self._preferences(lambda placed: (min(placed.systems),))

    def _preferences(self, shown: Callable[[Placement], tuple[str, ...]]) -> NDArray[np.float64]:
        column = {name: c for c, name in enumerate(self.systems)}
        preferences = np.full((len(self.items), len(column)), np.nan)
        for row, item in zip(preferences, self.items, strict=True):
            for placed in item.placements:
                row[[column[name] for name in shown(placed)]] = -placed.rank
        return preferences

    @cached_property
    def sentences(self) -> NDArray[np.int64]:
        """The sentence of each item."""
        return np.array([item.sentence for item in self.items], dtype=np.int64)

    @cached_property
    def judges(self) -> NDArray[np.str_]:
        """The judge of each item."""
        return np.array([item.judge for item in self.items])


def read_judgments(
    path: str | Path, *, name: str | None = None, skip_judges: Collection[str] = SKIPPED_JUDGES
) -> Judgments:
    """Read judgments from .xml, .jsonl or .csv, leaving out some judges."""
    from gecval.formats.judgments_csv import read_judgments_csv
    from gecval.formats.judgments_xml import read_judgments_xml

    path = Path(path)
    readers = {".xml": read_judgments_xml, ".csv": read_judgments_csv, ".jsonl": _read_jsonl}
    if path.suffix not in readers:
        raise InputError(f"{path}: judgments are read from {', '.join(readers)}")
    judgments = readers[path.suffix](path)
    kept = tuple(item for item in judgments.items if item.judge not in skip_judges)
    left_out = len(judgments.items) - len(kept)
    judges = sorted({item.judge for item in judgments.items}.intersection(skip_judges))
    said = f"{path}: {left_out} rankings by {' and '.join(judges)} are left out"
    if not any(len(item.placements) > 1 for item in kept):
        raise InputError(f"{said}, and there are no others" if left_out else f"{path} ranks no two outputs")
    return replace(judgments, name=name or path.stem, items=kept, notes=(said,) if left_out else ())


def _read_jsonl(path: Path) -> Judgments:
    def items() -> Iterator[Judgment]:
        for where, item in read_values(path):
            ranks = item.get("ranks") if isinstance(item, dict) else None
            if not isinstance(ranks, dict):
                raise InputError(f'{where}: expected {{"sentence": 1, "judge": "...", "ranks": {{"system": 1, ...}}}}')
            placements = [Placement((name,), checked_rank(rank, name, where)) for name, rank in ranks.items()]
            yield Judgment.checked(item.get("sentence"), item.get("judge"), placements, where)

    return Judgments(path.stem, tuple(items()), first=1)


def combine(name: str, parts: Sequence[Judgments]) -> Judgments:
    """Several sets as one. The source goes by different names, so all of these become the first set's.

    Sets that may count sentences differently are to be placed first.
    """
    names = [system for part in parts for system in part.systems if system in SOURCE_NAMES]

    def renamed(item: Judgment, first: int) -> Judgment:
        placements = tuple(
            Placement(tuple(names[0] if system in SOURCE_NAMES else system for system in placed.systems), placed.rank)
            for placed in item.placements
        )
        return replace(item, sentence=item.sentence - first, placements=placements)

    return Judgments(
        name,
        tuple(renamed(item, part.first or 0) for part in parts for item in part.items),
        None if any(part.first is None for part in parts) else 0,
        tuple(note for part in parts for note in part.notes),
    )


def place(judgments: Judgments, outputs: Mapping[str, Sequence[str]], sentences: int) -> Judgments:
    """The judgments with sentences numbered from 0, checked against the systems' outputs.

    GJG15 and NSPT15 count from 0, SEEDA from 1. Where the format leaves this open the outputs decide: systems placed
    together must have given the same.
    """
    numbers = judgments.sentences[[bool(item.placements) for item in judgments.items]]
    options = (0, 1) if judgments.first is None else (judgments.first,)
    fitting = [first for first in options if first <= numbers.min() and numbers.max() < sentences + first]
    if not fitting:
        raise InputError(
            f"{judgments.name} judges sentences {numbers.min()} to {numbers.max()}, but the source has {sentences}"
        )
    differing = {first: _differing(judgments, outputs, first) for first in fitting}
    first = min(fitting, key=lambda one: differing[one][0])
    wrong, groups = differing[first]
    said = f"{judgments.name}: {wrong} of {groups} groups that were judged as one output differ in the outputs given"
    if wrong > groups / 2:
        raise InputError(f"{said}; are these the outputs that were judged?")
    items = tuple(replace(item, sentence=item.sentence - first if item.placements else 0) for item in judgments.items)
    return replace(judgments, items=items, first=0, notes=judgments.notes + ((said,) if wrong else ()))


def _differing(judgments: Judgments, outputs: Mapping[str, Sequence[str]], first: int) -> tuple[int, int]:
    """How many groups of systems judged as one have different outputs, and how many groups there are."""
    wrong = groups = 0
    for item in judgments.items:
        for placed in item.placements:
            known = [outputs[name][item.sentence - first].split() for name in placed.systems if name in outputs]
            groups += len(known) > 1
            wrong += any(tokens != known[0] for tokens in known)
    return wrong, groups
