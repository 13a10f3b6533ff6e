"""Files to judgments. The suffix of a file's name chooses the reader; a gzipped file may add ``.gz``.

A package brings a format of its own by an entry point of the group ``gecval.judgments``. The entry point's name is the
suffix without its dot, and its value a function from a path to ``Judgments``:

    [project.entry-points."gecval.judgments"]
    tsv = "my_package:read_my_judgments"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeAlias

from gecval.errors import InputError
from gecval.formats.files import unzipped_name
from gecval.formats.judgments.judgment import Judgments

Reader: TypeAlias = Callable[[Path], Judgments]

READERS = {
    "xml": "gecval.formats.judgments.xml_reader:read_xml",
    "csv": "gecval.formats.judgments.csv_reader:read_csv",
    "jsonl": "gecval.formats.judgments.jsonl_reader:read_jsonl",
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
    """Read several sets. Each is named after its file, or after the whole path where two files have the same name."""
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
