"""Where data sets lie: one folder with a folder for each set, $GECVAL_DATA or else the user's own data folder.

Our layout is that of the registry. A clone of the upstream repository in the set's folder does as well: each file is
looked for in both places.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal, cast

from gecval.errors import InputError
from gecval.formats.datasets.catalog import DataFile, Dataset, find_dataset
from gecval.formats.files import UNREADABLE


def data_folder() -> Path:
    """$GECVAL_DATA, else the folder that the system gives a program for its user's data."""
    if folder := os.environ.get("GECVAL_DATA"):
        return Path(folder)
    try:
        return _user_folder() / "gecval"
    except RuntimeError:  # this user has no home
        raise InputError("there is no folder for data: set GECVAL_DATA to one") from None


def dataset(name: str) -> Path:
    """The folder of a data set.

    Parameters
    ----------
    name
        One of :func:`datasets`.

    Returns
    -------
    Path
        Its folder below $GECVAL_DATA or the user's own data folder. If it is missing, an InputError says how to get it.

    Examples
    --------
    >>> dataset("conll15")
    Traceback (most recent call last):
    gecval.errors.InputError: no data set 'conll15'; did you mean conll14?
    """
    need_datasets([name])
    return data_folder() / find_dataset(name).folder


def need_datasets(names: Iterable[str]) -> None:
    """Refuse in one line that names every data set of these that is not there, and how to get it."""
    folder = data_folder()
    missing = [entry for entry in map(find_dataset, names) if not (folder / entry.folder).is_dir()]
    if not missing:
        return
    fetched = [entry.name for entry in missing if entry.fetched]
    by_hand = [entry.name for entry in missing if not entry.fetched]
    lines = [f"no folder {folder / entry.folder} ({entry.title})" for entry in missing]
    remedies = [f"`gecval data fetch {' '.join(fetched)}`"] if fetched else []
    remedies += [f"`gecval data list {name}` says how to get it by hand" for name in by_hand]
    raise InputError(
        f"{', '.join(lines)}; get it: {', '.join(remedies)}, or set GECVAL_DATA to the folder that holds it"
    )


def dataset_file(name: str, file: str) -> Path:
    """A file of a data set, in our layout or upstream's, such as ``dataset_file("nspt15", "all_judgments.xml")``."""
    entry, home = find_dataset(name), dataset(name)
    wanted = entry.file(file)
    path = locate(wanted, home)
    if path is None:
        verb = "list" if wanted.origin is None else "fetch"
        how = f"`gecval data {verb} {entry.name}` {'says how to get it' if verb == 'list' else 'gets it'}"
        raise InputError(f"{home / file}: no such file; {how}")
    return path


def dataset_files(name: str, pattern: str) -> dict[str, Path]:
    """The files of a data set whose names match, such as ``systems/*``: their paths by their last name."""
    names = sorted(file.name for file in find_dataset(name).files if fnmatchcase(file.name, pattern))
    if not names:
        raise InputError(f"the data set {name} has no files {pattern}")
    return {PurePosixPath(file).name: dataset_file(name, file) for file in names}


def locate(file: DataFile, home: Path) -> Path | None:
    """Where a file is, in the folder of its set; our layout comes first."""
    for layout in (file.name, *file.other_layouts()):
        if (home / layout).is_file():
            return home / layout
    return None


def _user_folder() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    xdg = os.environ.get("XDG_DATA_HOME", "")
    return Path(xdg) if Path(xdg).is_absolute() else Path.home() / ".local" / "share"


# What is there of a data set, and whether it is what the registry says: by hash, or by size for a quick look.


State = Literal["present", "missing", "different"]
Whole = Literal["complete", "incomplete", "absent"]

# Upstream's own words about its data come in many versions: they are no part of a set.
_ASIDE = ("readme", "licen")


@dataclass(frozen=True, kw_only=True)
class FileState:
    """One file of a set: ``why`` says in which way it differs from the registry, ``path`` where it lies."""

    file: DataFile
    state: State
    path: Path | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class DatasetState:
    """What is there of a set; ``unknown`` are files in its folder that the registry does not know."""

    dataset: Dataset
    folder: Path
    files: tuple[FileState, ...]
    unknown: tuple[str, ...] = ()

    @property
    def state(self) -> Whole:
        present = sum(file.state == "present" for file in self.files)
        if present == len(self.files):
            return "complete"
        return "incomplete" if any(file.path for file in self.files) else "absent"

    def list_files(self, state: State) -> tuple[FileState, ...]:
        """The files in one of the states."""
        return tuple(file for file in self.files if file.state == state)


def check(entry: Dataset, folder: Path | None = None, *, contents: bool = True) -> DatasetState:
    """Look at every file of a set below the data folder; without ``contents``, at names and sizes only."""
    home = (folder or data_folder()) / entry.folder
    files = tuple(_file_state(file, home, contents=contents) for file in entry.files)
    known = {file.path for file in files}
    unknown = tuple(path.relative_to(home).as_posix() for path in _files_below(home) if path not in known)
    return DatasetState(dataset=entry, folder=home, files=files, unknown=unknown)


def _file_state(file: DataFile, home: Path, *, contents: bool) -> FileState:
    path = locate(file, home)
    if path is None:
        return FileState(file=file, state="missing")
    try:
        why = difference(file, path) if contents else _other_size_on_disk(file, path)
    except UNREADABLE as error:
        why = f"it cannot be read: {getattr(error, 'strerror', None) or error}"
    return FileState(file=file, state="different" if why else "present", path=path, why=why)


def difference(file: DataFile, path: Path) -> str:
    """In which way the content at ``path`` is not the registered file; nothing if it is."""
    digest, size, sentences = hashlib.sha256(), 0, 0
    with cast(BinaryIO, gzip.open(path, "rb")) if file.unpacked else path.open("rb") as content:
        for line in content:
            digest.update(line)
            size += len(line)
            sentences += line.startswith(b"S ")  # of an M2 file
    if file.sentences is not None and sentences != file.sentences:
        return f"it has {sentences:,} sentences, not {file.sentences:,}"
    if file.sha256 is not None and digest.hexdigest() != file.sha256:
        return _other_size(file, size) or f"its sha256 is {digest.hexdigest()[:12]}…, not {file.sha256[:12]}…"
    return ""


def _other_size(file: DataFile, size: int) -> str:
    if file.bytes is None or file.bytes == size:
        return ""
    return f"it has {size:,} bytes, not {file.bytes:,}"


def _other_size_on_disk(file: DataFile, path: Path) -> str:
    return "" if file.unpacked else _other_size(file, path.stat().st_size)


def _files_below(home: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(home):
        if ".git" in folders:  # a clone: it holds much besides the data
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and not name.lower().startswith(_ASIDE):
                yield Path(folder, name)


def refuse_different(state: DatasetState) -> None:
    """Stop where a file of ours is not the registered one: it may be the user's own work, and is not replaced."""
    for file in state.list_files("different"):
        if file.file.origin is not None and file.path == state.folder / file.file.name:
            raise InputError(
                f"{file.path} is not the file that {state.dataset.name} has ({file.why}); "
                "move it away, then fetch again"
            )
