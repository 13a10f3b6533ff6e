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
import os
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from gecval.errors import InputError

FOLDER = Path(__file__).parent / "sets"


@lru_cache
def datasets() -> tuple[Dataset, ...]:
    """Every data set that gecval knows, by name.

    Returns
    -------
    tuple of Dataset
        Name, title, licence and files of each; :func:`fetch_dataset` gets one.

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


def name_corpus(source_hash: str) -> str | None:
    """The public corpus whose source has the hash of a signature; None where no file that we know has it.

    >>> name_corpus("4c12b583")
    'CoNLL-2014 test set'
    """
    for entry in datasets():
        if any(file.sha256 and file.sha256.startswith(source_hash) for file in entry.files):
            return entry.title.partition(":")[0]
    return None


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


# What the registry knows about a data set: what it is, who may use it, and the files it is made of.


MIRROR = "https://raw.githubusercontent.com"


@dataclass(frozen=True, kw_only=True)
class Upstream:
    """A file in a public repository, at one commit: its content never changes."""

    repository: str
    commit: str
    path: str

    @property
    def address(self) -> str:
        """Where it is downloaded from; $GECVAL_MIRROR stands in for GitHub."""
        mirror = os.environ.get("GECVAL_MIRROR") or MIRROR
        if not mirror.startswith(("http://", "https://")):
            raise InputError(f"GECVAL_MIRROR must start with http:// or https://, not {mirror!r}")
        return f"{mirror.rstrip('/')}/{self.repository}/{self.commit}/{quote(self.path)}"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A file that we make from another file of the same set, by one of the rules in ``making``."""

    source: str
    rule: str


@dataclass(frozen=True, kw_only=True)
class DataFile:
    """One file of a set. ``name`` is its path in the set's folder.

    ``origin`` is None for a file that users must get by hand; ``layout`` is then where its archive keeps it.
    ``unpacked`` says that hash and size are those of the content of a gzipped file: gzip may pack it in many ways.
    Where no hash is known, the number of sentences of an M2 file is checked instead.
    """

    name: str
    origin: Upstream | Recipe | None = None
    layout: str = ""
    sha256: str | None = None
    bytes: int | None = None
    unpacked: bool = False
    sentences: int | None = None

    def __post_init__(self) -> None:
        check_inside(self.name, self.layout, self.origin.path if isinstance(self.origin, Upstream) else "")

    def other_layouts(self) -> Iterator[str]:
        """Where users may have the file who cloned its repository, or unpacked its archive, into the set's folder.

        >>> upstream = Upstream(repository="cnap/gec-ranking", commit="50b5032", path="data/all_judgments.xml")
        >>> list(DataFile(name="all_judgments.xml", origin=upstream).other_layouts())
        ['data/all_judgments.xml', 'gec-ranking/data/all_judgments.xml']

        Users may also have a part of the repository only, such as the folder 10gec_annotations.
        """
        layout = self.origin.path if isinstance(self.origin, Upstream) else self.layout
        parts = PurePosixPath(layout).parts
        for start in range(len(parts) - 1):  # a bare name is not enough: outputs and scores share theirs
            yield "/".join(parts[start:])
        if isinstance(self.origin, Upstream):
            yield f"{self.origin.repository.partition('/')[2]}/{layout}"


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """One data set. ``folder`` is its place below the data folder; ``by_hand`` says how to get what is not fetched."""

    name: str
    title: str
    language: str
    licence: str
    citation: str
    terms: str = ""
    folder: str
    files: tuple[DataFile, ...]
    by_hand: str = ""

    def __post_init__(self) -> None:
        check_inside(self.folder)

    @property
    def fetched(self) -> tuple[DataFile, ...]:
        """The files that ``fetch`` downloads or makes."""
        return tuple(file for file in self.files if file.origin is not None)

    @property
    def sources(self) -> tuple[str, ...]:
        """The repositories it comes from, each with its commit."""
        origins = [file.origin for file in self.files if isinstance(file.origin, Upstream)]
        return tuple(dict.fromkeys(f"{origin.repository}@{origin.commit}" for origin in origins))

    def file(self, name: str) -> DataFile:
        """A file by its path in the set's folder."""
        for file in self.files:
            if file.name == name:
                return file
        raise InputError(f"the data set {self.name} has no file {name}")


def check_inside(*paths: str) -> None:
    """Refuse a path that, on any system, leads out of the folder it is meant for."""
    for path in paths:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path:
            raise InputError(f"{path!r} does not stay inside its folder")
