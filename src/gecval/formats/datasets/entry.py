"""What the registry knows about a data set: what it is, who may use it, and the files it is made of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from gecval.errors import InputError

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
