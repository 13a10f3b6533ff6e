"""Where data sets lie: one folder with a folder for each set, $GECVAL_DATA or else the user's own data folder.

Our layout is that of the registry. A clone of the upstream repository in the set's folder does as well: each file is
looked for in both places.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from gecval.errors import InputError
from gecval.formats.datasets.entry import DataFile
from gecval.formats.datasets.registry import find_dataset


def data_folder() -> Path:
    """$GECVAL_DATA, else the folder that the system gives a program for its user's data."""
    if folder := os.environ.get("GECVAL_DATA"):
        return Path(folder)
    try:
        return _user_folder() / "gecval"
    except RuntimeError:  # this user has no home
        raise InputError("there is no folder for data: set GECVAL_DATA to one") from None


def dataset(name: str) -> Path:
    """The folder of a data set, or one line that says how to get it."""
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
