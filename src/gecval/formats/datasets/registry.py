"""The registry of public data sets: one JSON file each in the folder ``sets``. To add a set, add its file.

A file of it holds ``title``, ``language``, ``licence``, ``citation``, perhaps ``terms`` and ``folder`` (by
default the set's name), and the files in up to three groups:

    upstream   [{repository, commit, files: [{name, path, bytes, sha256}]}]     downloaded
    made       [{name, source, rule, bytes, sha256}]                            made here from a downloaded file
    by_hand    {how, files: [{name, path, bytes, sha256, unpacked, sentences}]} what users must get themselves

It holds facts only, none of the data: most sets state no licence.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.formats.datasets.entry import DataFile, Dataset, Recipe, Upstream

FOLDER = Path(__file__).parent / "sets"


@lru_cache
def datasets() -> tuple[Dataset, ...]:
    """Every data set that gecval knows, by name.

    Examples
    --------
    >>> [entry.name for entry in datasets()][:3]
    ['attacks', 'bea-dev', 'bryant-ng-2015']
    """
    files = {path.stem: path for path in FOLDER.glob("*.json")}
    return tuple(parse_dataset(name, json.loads(files[name].read_text("utf-8"))) for name in sorted(files))


def find_dataset(name: str) -> Dataset:
    """A data set by its name, or by its folder.

    >>> find_dataset("gug").licence
    'CC BY-NC-SA 4.0'
    """
    for entry in datasets():
        if name in (entry.name, entry.folder):
            return entry
    near = get_close_matches(name, [entry.name for entry in datasets()], n=1)
    hint = f"did you mean {near[0]}?" if near else "`gecval data list` shows what there is"
    raise InputError(f"no data set {name!r}; {hint}")


def parse_dataset(name: str, facts: dict[str, Any]) -> Dataset:
    """A data set from its file in the registry."""
    hand = facts.get("by_hand", {})
    return Dataset(
        name=name,
        title=facts["title"],
        language=facts["language"],
        licence=facts["licence"],
        citation=facts["citation"],
        terms=facts.get("terms", ""),
        folder=facts.get("folder", name),
        files=(
            *(_upstream(repository, row) for repository in facts.get("upstream", ()) for row in repository["files"]),
            *(_file(row, Recipe(source=row["source"], rule=row["rule"])) for row in facts.get("made", ())),
            *(_file(row, None) for row in hand.get("files", ())),
        ),
        by_hand=hand.get("how", ""),
    )


def _upstream(repository: dict[str, Any], row: dict[str, Any]) -> DataFile:
    path = row.get("path", row["name"])
    return _file(row, Upstream(repository=repository["repository"], commit=repository["commit"], path=path))


def _file(row: dict[str, Any], origin: Upstream | Recipe | None) -> DataFile:
    return DataFile(
        name=row["name"],
        origin=origin,
        layout="" if origin else row.get("path", ""),
        sha256=row.get("sha256"),
        bytes=row.get("bytes"),
        unpacked=row.get("unpacked", False),
        sentences=row.get("sentences"),
    )
