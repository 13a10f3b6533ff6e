"""Fetching a data set: all of its files or none.

Files are gathered in a folder beside the set's own, .NAME.fetching, and moved when all of them are there and right.
What an interrupted run has gathered stays in that folder, and the next run goes on from it.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.datasets.checking import DatasetState, check, difference, refuse_different
from gecval.formats.datasets.downloading import download
from gecval.formats.datasets.entry import DataFile, Recipe, Upstream
from gecval.formats.datasets.locking import alone
from gecval.formats.datasets.place import data_folder
from gecval.formats.datasets.registry import find_dataset
from gecval.progress import Progress, announce, silent


def fetch_dataset(name: str, folder: Path | str | None = None, *, progress: Progress = silent) -> Path:
    """Get what is missing of a data set, and return its folder.

    ``folder`` is the data folder, by default $GECVAL_DATA or the user's own. Files that are there already and right
    are not fetched again; one that is there and differs is not touched but refused. ``progress`` counts bytes.
    """
    entry = find_dataset(name)
    root = Path(folder) if folder is not None else data_folder()
    state = check(entry, root)
    if not entry.fetched:
        return _got_by_hand(state)
    if not _wanted(state):
        return state.folder
    home = state.folder.resolve()  # a link may lead to another disk: gather there
    lock = home.with_name(f".{home.name}.lock")
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with alone(lock, lambda: announce(progress, f"waiting: another process fetches {entry.name}")):
            announce(progress, f"fetching {entry.name}, bytes")
            _fetch(check(entry, root), home, progress)  # checked again: that process may have fetched it
    except OSError as error:
        raise InputError(f"cannot write {error.filename or home}: {error.strerror or error}") from None
    return state.folder


def _fetch(state: DatasetState, home: Path, progress: Progress) -> None:
    stage = home.with_name(f".{home.name}.fetching")
    wanted = _wanted(state)
    try:
        _gather(wanted, state, stage, progress)
    finally:
        _remove_empty_folders(stage)
    _move([file.name for file in wanted], stage, home)


def _wanted(state: DatasetState) -> list[DataFile]:
    """What is to be fetched: a file that differs in a clone is left alone, and fetched into our layout."""
    refuse_different(state)
    return [file.file for file in state.files if file.state != "present" and file.file.origin is not None]


def _gather(wanted: list[DataFile], state: DatasetState, stage: Path, progress: Progress) -> None:
    """Bring all files into the folder ``stage``."""
    here = {file.file.sha256: file.path for file in state.having("present")}
    total, before = sum(file.bytes or 0 for file in wanted), 0
    progress(0, total)
    for file in sorted(wanted, key=lambda file: isinstance(file.origin, Recipe)):
        target = stage / file.name
        if not (target.is_file() and not difference(file, target)):
            target.parent.mkdir(parents=True, exist_ok=True)
            if copy := here.get(file.sha256):  # the same content under another name
                _copy(copy, target)
            elif isinstance(file.origin, Upstream):
                download(
                    file.origin.address,
                    target,
                    size=file.bytes or 0,
                    sha256=file.sha256 or "",
                    report=lambda done, before=before: progress(before + done, total),  # type: ignore[misc]
                )
            elif isinstance(file.origin, Recipe):
                _make(file, file.origin, state, stage)
        here[file.sha256] = target
        before += file.bytes or 0
        progress(before, total)


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f"{target.name}.part")
    shutil.copyfile(source, part)
    part.replace(target)


def _make(file: DataFile, recipe: Recipe, state: DatasetState, stage: Path) -> None:
    from gecval.formats.datasets.making import make  # it needs the readers, and few sets need it

    present = {source.file.name: source.path for source in state.having("present")}
    make(recipe.rule, present.get(recipe.source) or stage / recipe.source, stage / file.name)
    if why := difference(file, stage / file.name):
        (stage / file.name).unlink()
        raise InputError(f"{file.name} of {state.dataset.name} cannot be made on this system: {why}")


def _remove_empty_folders(stage: Path) -> None:
    """Where nothing came, nothing stays."""
    for folder, _, _ in os.walk(stage, topdown=False):
        with suppress(OSError):  # it is not empty
            Path(folder).rmdir()


def _move(names: list[str], stage: Path, home: Path) -> None:
    """Into the set's folder: in one step where that is not there yet."""
    for path in stage.rglob("*"):
        if path.is_file() and path.relative_to(stage).as_posix() not in names:
            path.unlink()  # left by a run with another version of the registry
    if names and not home.exists():
        stage.rename(home)
        return
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # where A and a are one file: it was moved under the other name
            (stage / name).replace(home / name)
    _remove_empty_folders(stage)


def _got_by_hand(state: DatasetState) -> Path:
    for missing in state.having("missing"):
        path = state.folder / missing.file.name
        raise InputError(f"{state.dataset.name} must be got by hand: {path} is missing. {state.dataset.by_hand}")
    return state.folder
