"""Work at several places, such as GPUs: each has a process of its own, which keeps what it loads there.

Processes stay from call to call. Each thread has its own, since one that fails ends its processes.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from functools import lru_cache, partial
from importlib import import_module
from threading import get_ident
from typing import Any, TypeVar

from gecval.processes import current_folder, settle, watched
from gecval.threads import started

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Place = TypeVar("Place", bound=Hashable)


def at_places(
    work: Callable[[Place, Item], Answer], places: Sequence[Place], items: Iterable[Item]
) -> Iterator[Answer]:
    """What ``work`` gives for each item, as soon as it is there, from a process for each place.

    A process gets the next item when it is done with one.
    """
    # The system lets nothing start, or this process may start none, as Dask's workers may not.
    if not started(lambda: None, 1) or multiprocessing.current_process().daemon:
        yield from map(partial(work, places[0]), items)
        return
    pools, left = _living_pools(tuple(places)), iter(items)
    busy: dict[Future[Answer], int] = {}

    def begin(number: int) -> None:
        for item in left:
            given = partial(work, places[number])
            busy[pools[number].submit(watched, given, item, os.getpid(), current_folder())] = number
            return

    finished = False
    try:
        for number in range(len(places)):
            begin(number)
        while busy:
            # Good answers first: what one process has is not lost with another.
            for done in sorted(wait(busy, return_when=FIRST_COMPLETED).done, key=_failed):
                number, answer, lost = busy.pop(done), done.result(), None
                try:
                    begin(number)
                except BrokenExecutor as error:
                    lost = error
                yield answer
                if lost:
                    raise lost
        finished = True
    finally:
        if not finished:
            _pools.cache_clear()
            _wait_for_begin(busy)
            for pool in pools:
                pool.shutdown(kill_workers=True)


def _living_pools(places: tuple[Hashable, ...]) -> list[Any]:
    """Those of the last call, or new ones where a process was lost since. A forked child cannot use its parent's."""
    key = places, os.getpid(), get_ident()
    pools = _pools(*key)
    try:
        for pool in pools:
            pool.submit(_nothing)
    except BrokenExecutor:
        _pools.cache_clear()
        pools = _pools(*key)
    return pools


def _nothing() -> None:
    """A process that does this is there."""


@lru_cache(maxsize=1)
def _pools(places: tuple[Hashable, ...], process: int, thread: int) -> list[Any]:
    loky = import_module("joblib.externals.loky")
    # From the start: a process that never gets an item must end with its parent too.
    return [loky.ProcessPoolExecutor(max_workers=1, initializer=settle, initargs=(process,)) for _ in places]


def _failed(future: Future[Any]) -> bool:
    return future.exception() is not None


def _wait_for_begin(futures: Iterable[Future[Any]]) -> None:
    """A pool that is ended while it hands out work prints a traceback from a thread of its own."""
    for future in futures:
        for _ in range(100):
            if future.running() or future.done():
                break
            time.sleep(0.01)
