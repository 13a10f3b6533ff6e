"""Work in several processes that end with the process that started them.

joblib's workers outlive a parent that was killed by five minutes and more, and hold their memory all the while. Each
worker therefore watches its parent and leaves when it is gone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from gecval.threads import started

Item = TypeVar("Item")
Answer = TypeVar("Answer")

WATCH_S = 1.0


def in_processes(
    work: Callable[[Item], Answer], items: Iterable[Item], *, jobs: int, **settings: Any
) -> Iterator[Answer]:
    """What ``work`` gives for each item, in order, from ``jobs`` processes; ``settings`` are joblib's."""
    if not started(lambda: None, 1):  # the system lets nothing start (ulimit -u)
        yield from map(work, items)
        return
    joblib = import_module("joblib")
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator", **settings)
    here = current_folder()
    yield from parallel(joblib.delayed(watched)(work, item, os.getpid(), here) for item in items)


def watched(work: Callable[[Item], Answer], item: Item, parent: int, folder: str | None) -> Answer:
    """What a worker does with an item: it ends with its parent, and names of files are from the parent's folder."""
    if os.getpid() != parent:  # with one job joblib stays in this process
        settle(parent)
        if folder is not None and folder != current_folder():  # workers are used again, and it may be another one now
            os.chdir(folder)
    return work(item)


def current_folder() -> str | None:
    """The folder that names of files are from; None where somebody removed it."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return None


@lru_cache
def settle(parent: int) -> None:
    """Once in each worker: leave when the parent is gone, whatever this process is doing; and grow at will.

    joblib takes a worker that grows by 300 MB for one that leaks. It starts another in its place, which would load its
    models again, and warns the user.
    """
    loky: Any = import_module("joblib.externals.loky.process_executor")
    loky._MAX_MEMORY_LEAK_SIZE = inf
    started(partial(_watch, parent), 1)


def _watch(parent: int) -> None:
    # Workers are the children of a helper process on some systems, so the parent is asked by its number.
    while _alive(parent):
        time.sleep(WATCH_S)
    os._exit(1)


def _alive(process: int) -> bool:
    if os.name != "posix":
        return os.getppid() == process  # Windows keeps the number of a parent that is gone, and ends workers itself
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
