"""Judgments, and how they are read: one judge ranks the outputs of some systems for one sentence.

Rank 1 is best, and equal ranks are ties. Where systems gave the same output, judges see it once: a placement holds all
these systems and the rank of their output. A judgment without placements is one that the judge skipped.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.formats.files import read_lines, unzipped_name
from gecval.formats.jsonl import read_values

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class Placement(NamedTuple):
    """Systems that gave the same output, and the rank of this output."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's ranking of outputs of one sentence. The sentence has the number that the file gives it."""

    sentence: int
    judge: str
    placements: tuple[Placement, ...]

    @classmethod
    def checked(cls, sentence: object, judge: object, placements: Sequence[Placement], *, where: str) -> Judgment:
        """A judgment from what a file says; ``where`` tells users the place. Invalid values are refused."""
        names = [name for placement in placements for name in placement.systems]
        for name in names:
            if not name:
                raise InputError(f"{where}: a ranked system has no name")
            if names.count(name) > 1:
                raise InputError(f"{where}: {name} is ranked twice")
        number = _whole(sentence, "the number of the sentence", where, least=0)
        return cls(number, str(judge or ""), tuple(placements))


def parse_rank(value: object, system: object, where: str) -> int:
    """A rank from what a file says."""
    return _whole(value, f"the rank of {system}", where, least=1)


def _whole(value: object, what: str, where: str, *, least: int) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        said = "missing" if value is None or text == "" else repr(value)
        raise InputError(f"{where}: {what} is {said}; it must be a whole number from {least}")
    return int(text)


@dataclass(frozen=True)
class Judgments:
    """All judgments of one set.

    ``first`` is the number of the first sentence. It is None where the format may count from 0 or from 1.

    Examples
    --------
    >>> judgment = Judgment(1, "anna", (Placement(("mine", "yours"), 1), Placement(("INPUT",), 2)))
    >>> Judgments("a set", (judgment,), first=1).systems
    ('INPUT', 'mine', 'yours')
    """

    name: str
    items: tuple[Judgment, ...]
    first: int | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of all ranked systems, in alphabetical order."""
        placements = [placement for item in self.items for placement in item.placements]
        return tuple(sorted({name for placement in placements for name in placement.systems}))

    @cached_property
    def preferences(self) -> NDArray[np.float64]:
        """[item, system]: minus the rank, so that higher is better; NaN where the item does not rank the system."""
        return self._preferences(lambda placement: placement.systems)

    @cached_property
    def output_preferences(self) -> NDArray[np.float64]:
        """The same with one system for each output, the first in the alphabet: what the judges saw."""
        return self._preferences(lambda placement: (min(placement.systems),))

    def _preferences(self, shown: Callable[[Placement], tuple[str, ...]]) -> NDArray[np.float64]:
        column = {name: c for c, name in enumerate(self.systems)}
        preferences = np.full((len(self.items), len(column)), np.nan)
        for row, item in zip(preferences, self.items, strict=True):
            for placement in item.placements:
                row[[column[name] for name in shown(placement)]] = -placement.rank
        return preferences

    @cached_property
    def sentences(self) -> NDArray[np.int64]:
        """The sentence of each item."""
        return np.array([item.sentence for item in self.items], dtype=np.int64)

    @cached_property
    def judges(self) -> NDArray[np.str_]:
        """The judge of each item."""
        return np.array([item.judge for item in self.items])


# Files to judgments. The suffix of a file's name chooses the reader; a gzipped file may add ``.gz``.
#
# A package brings a format of its own by an entry point of the group ``gecval.judgments``. The entry point's name is
# the suffix without its dot, and its value a function from a path to ``Judgments``:
#
#     [project.entry-points."gecval.judgments"]
#     tsv = "my_package:read_my_judgments"


Reader: TypeAlias = Callable[[Path], Judgments]

READERS = {
    "xml": "gecval.formats.judgments:read_xml",
    "csv": "gecval.formats.judgments:read_csv",
    "jsonl": "gecval.formats.judgments:read_jsonl",
}
GROUP = "gecval.judgments"

# Test runs, and the judge whom NSPT15's authors leave out of their own table of judgments.
SKIPPED_JUDGES = ("admin", "non-native")


def read_judgments(
    path: str | Path, *, name: str | None = None, skip_judges: Collection[str] | None = None
) -> Judgments:
    """Read one set of judgments.

    Parameters
    ----------
    path
        Appraise's ``.xml``, ``.jsonl``, ``.csv``, or a format that an installed package brings.
    name
        What to call the set; by default the name of the file without its suffix.
    skip_judges
        Judges to leave out. By default these are ``admin`` and ``non-native``, where they occur; give ``()`` to keep
        everybody.

    Returns
    -------
    Judgments

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.jsonl"
    ...     _ = path.write_text('{"sentence": 1, "judge": "anna", "ranks": {"A": 1, "B": 2}}')
    ...     read_judgments(path).systems
    ('A', 'B')
    """
    [judgments] = read_judgment_sets([path], skip_judges=skip_judges)
    return replace(judgments, name=name) if name else judgments


def read_judgment_sets(paths: Sequence[str | Path], *, skip_judges: Collection[str] | None = None) -> list[Judgments]:
    """Read several sets of judgments.

    Parameters
    ----------
    paths
        Files as :func:`read_judgments` takes them.
    skip_judges
        Judges to leave out, as in :func:`read_judgments`.

    Returns
    -------
    list of Judgments
        Each is named after its file, or after the whole path where two files have the same name.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     files = [Path(folder, f"{name}.jsonl") for name in ("first", "second")]
    ...     _ = [file.write_text('{"sentence": 1, "judge": "anna", "ranks": {"A": 1, "B": 2}}') for file in files]
    ...     [judgments.name for judgments in read_judgment_sets(files)]
    ['first', 'second']
    """
    files = [Path(path) for path in paths]
    names = Counter(_stem(file) for file in files)
    labels = [str(file) if names[_stem(file)] > 1 else _stem(file) for file in files]
    if len(set(labels)) < len(labels):
        raise InputError("the same file of judgments is given twice", parameter="judgments")
    sets = [_reader(file)(file) for file in files]
    if skip_judges is not None:
        _check_judges(skip_judges, sets)
    skipped = SKIPPED_JUDGES if skip_judges is None else skip_judges
    return [
        _without_judges(replace(judgments, name=label), skipped, file)
        for judgments, label, file in zip(sets, labels, files, strict=True)
    ]


def _stem(path: Path) -> str:
    return unzipped_name(path).stem


def _reader(path: Path) -> Reader:
    """The function that reads files of this suffix."""
    installed = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    readers = {**installed, **READERS}
    kind = unzipped_name(path).suffix.lower().removeprefix(".")
    if kind not in readers:
        known = ", ".join(f".{name}" for name in [*READERS, *sorted(installed.keys() - READERS)])
        raise InputError(f"{path}: judgments are read from {known}")
    module, _, function = readers[kind].partition(":")
    try:
        reader: Reader = getattr(import_module(module), function)
    except Exception as error:  # a package that somebody else wrote may fail in any way
        raise InputError(f"cannot load the reader {readers[kind]!r} of .{kind}: {error}") from error
    return reader


def _check_judges(names: Collection[str], sets: Sequence[Judgments]) -> None:
    judges = sorted({item.judge for judgments in sets for item in judgments.items})
    for name in names:
        if name not in judges:
            raise InputError(
                f"there is no judge {name!r} to leave out; there is {', '.join(judges)}", parameter="skip_judges"
            )


def _without_judges(judgments: Judgments, skipped: Collection[str], path: Path) -> Judgments:
    """The judgments of the others. A note says how many were left out."""
    kept = tuple(item for item in judgments.items if item.judge not in skipped)
    left_out = len(judgments.items) - len(kept)
    judges = sorted({item.judge for item in judgments.items}.intersection(skipped))
    said = f"{path}: {left_out} rankings by {' and '.join(judges)} are left out"
    if not any(len(item.placements) > 1 for item in kept):
        raise InputError(f"{said}, and there are no others" if left_out else f"{path} ranks no two outputs")
    return replace(judgments, items=kept, notes=judgments.notes + ((said,) if left_out else ()))


# Judgments on a corpus: sentences numbered from 0, checked against the outputs; and several sets as one.


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


# Judgments as CSV: a row per ranked system, or a row per pair of systems as in WMT and NSPT15.
#
#     sentence,judge,system,rank                                           sentences count from 1, as lines do
#     segmentId,judgeID,system1Id,system1rank,system2Id,system2rank        sentences count from 0 or 1: the outputs
#                                                                          decide
#
# In the first form, rows of the same sentence and judge make one ranking. Where a judge ranked a sentence again, a
# column ``item`` distinguishes the rankings. A column ``output`` says which systems gave the same output: rows of a
# ranking that have the same one are one placement.


LONG = ("sentence", "judge", "system", "rank")
PAIRS = ("segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank")

Row = dict[str, str]


def read_csv(path: Path) -> Judgments:
    """Read either form; the names in the first line say which it is."""
    rows = _rows(path)
    _, columns = next(rows, ("", {}))
    if columns.keys() >= set(PAIRS):
        return Judgments(path.stem, tuple(_pairs(rows)))
    if columns.keys() >= set(LONG):
        return Judgments(path.stem, tuple(_rankings(rows)), first=1)
    raise InputError(f"{path}: the first line must name the columns {','.join(LONG)} (or WMT's {','.join(PAIRS)})")


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Each row by column, and where it stands. The first row is that of the names themselves."""
    reader = csv.reader(read_lines(path), strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            where = f"{path}: line {reader.line_num}"
            names = names or [cell.strip() for cell in cells]
            if cells and len(cells) != len(names):
                raise InputError(f"{where} has {len(cells)} cells, the first line {len(names)}")
            if cells:
                yield where, dict(zip(names, map(str.strip, cells), strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num} is not CSV: {error}") from None


def _pairs(rows: Iterator[tuple[str, Row]]) -> Iterator[Judgment]:
    for where, row in rows:
        placements = [
            Placement((row[f"system{k}Id"],), parse_rank(row[f"system{k}rank"], row[f"system{k}Id"], where))
            for k in (1, 2)
        ]
        yield Judgment.checked(row["segmentId"], row["judgeID"], placements, where=where)


def _rankings(rows: Iterator[tuple[str, Row]]) -> Iterator[Judgment]:
    gathered: dict[tuple[str, str, str], dict[str, Placement]] = defaultdict(dict)  # by ranking, then by output
    first_row: dict[tuple[str, str, str], str] = {}
    for where, row in rows:
        key, system = (row["sentence"], row["judge"], row.get("item", "")), row["system"]
        outputs, rank = gathered[key], parse_rank(row["rank"], system, where)
        if any(system in other.systems for other in outputs.values()):
            raise InputError(
                f"{where}: {system} is ranked twice by one judge of sentence {row['sentence']}; "
                "distinguish rankings of one sentence by a column 'item'"
            )
        output = row.get("output") or f"of {system}"
        equal = outputs.get(output, Placement((), rank))
        if equal.rank != rank:
            raise InputError(
                f"{where}: {system} has rank {rank}, and {equal.systems[0]} with the same output {equal.rank}"
            )
        outputs[output] = Placement((*equal.systems, system), rank)
        first_row.setdefault(key, where)
    for key, outputs in gathered.items():
        yield Judgment.checked(key[0], key[1], list(outputs.values()), where=first_row[key])


# Judgments as JSONL, a line per ranking. Sentences count from 1, as lines do. ``equal`` lists systems that gave the
# same output, where there are any: judges saw it once.
#
# {"sentence": 308, "judge": "anna", "ranks": {"RAC": 2, "SJTU": 2, "CAMB": 4}, "equal": [["RAC", "SJTU"]]}


def read_jsonl(path: Path) -> Judgments:
    """Read all rankings."""
    return Judgments(path.stem, tuple(_items(path)), first=1)


def _items(path: Path) -> Iterator[Judgment]:
    for where, item in read_values(path):
        ranks = item.get("ranks") if isinstance(item, dict) else None
        if not isinstance(ranks, dict):
            raise InputError(f'{where}: expected {{"sentence": 1, "judge": "...", "ranks": {{"system": 1, ...}}}}')
        groups = _equal_outputs(item.get("equal", []), ranks, where)
        placements = [
            Placement(groups[name], parse_rank(rank, name, where))
            for name, rank in ranks.items()
            if groups[name][0] == name
        ]
        yield Judgment.checked(item.get("sentence"), item.get("judge"), placements, where=where)


def _equal_outputs(equal: object, ranks: Mapping[str, object], where: str) -> dict[str, tuple[str, ...]]:
    """The systems with the same output as each system, itself included."""
    groups: dict[str, tuple[str, ...]] = {name: (name,) for name in ranks}
    for group in equal if isinstance(equal, list) else [None]:
        names: list[object] = group if isinstance(group, list) else []
        known = [name for name in names if isinstance(name, str) and groups.get(name) == (name,)]
        if not known or len(known) < len(names) or len({str(ranks[name]) for name in known}) > 1:
            raise InputError(f'{where}: "equal" lists groups of ranked systems that share a rank, [["system", ...]]')
        groups |= dict.fromkeys(known, tuple(known))
    return groups


# Judgments in Appraise's XML, as GJG15, NSPT15 and SEEDA have them.
#
#     <ranking-item src-id="307" user="annotator01"><translation rank="2" system="RAC SJTU"/>...</ranking-item>
#
# Systems with the same output stand in one translation. Blanks separate them in GJG15 and SEEDA, commas in NSPT15. The
# number of the sentence is ``src-id``; NSPT15, which has no ``src-id``, gives it as ``id``.


def read_xml(path: Path) -> Judgments:
    """Read all ranking items, skipped ones too. Entities and document types are refused."""
    items = tuple(_xml_items(path))
    if not items:
        raise InputError(f"{path} holds no <ranking-item>")
    return Judgments(path.stem, items)


def _xml_items(path: Path) -> Iterator[Judgment]:
    for number, element in enumerate(_root(path).iter("ranking-item"), start=1):
        where = f"{path}: ranking-item {number}"
        placements = []
        for translation in element.iterfind("translation"):
            systems = tuple(translation.get("system", "").replace(",", " ").split()) or ("",)
            placements.append(Placement(systems, parse_rank(translation.get("rank"), " ".join(systems), where)))
        yield Judgment.checked(element.get("src-id", element.get("id")), element.get("user"), placements, where=where)


def _root(path: Path) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    text = "\n".join(read_lines(path))
    try:
        root: Element = fromstring(text.encode(), forbid_dtd=True)
    except DefusedXmlException:
        raise InputError(f"{path}: refused, XML may not bring entities or document types") from None
    except ParseError as error:
        raise InputError(f"{path}: line {error.position[0]} is not XML: {error}") from None
    except (ValueError, LookupError) as error:
        raise InputError(f"{path} is not XML in UTF-8: {error}") from None
    return root
