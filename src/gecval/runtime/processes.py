"""Work in several processes that end with the process that started them; and a lock between processes.

joblib's workers outlive a parent that was killed by five minutes and more, and hold their memory all the while. Each
worker therefore watches its parent and leaves when it is gone.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from importlib import import_module
from math import inf
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

from gecval import _native
from gecval.runtime.threads import start_threads

Item = TypeVar("Item")
Answer = TypeVar("Answer")

ours = False  # whether nothing but gecval runs in this process: the program's own, and its workers


def in_processes(
    work: Callable[[Item], Answer],
    items: Iterable[Item],
    *,
    jobs: int,
    elsewhere: bool = False,
    timeout: float | None = None,
) -> Iterator[Answer]:
    """What ``work`` gives for each item, in order, from ``jobs`` processes.

    With one job it is this process, unless work that may crash or hang must be done ``elsewhere``. ``timeout`` is the
    longest time in seconds that an answer may take; then multiprocessing.TimeoutError is raised.
    """
    if not start_threads(lambda: None, 1):  # the system lets nothing start (ulimit -u)
        yield from map(work, items)
        return
    if elsewhere and jobs == 1:  # joblib would stay in this process
        yield from in_device_processes(partial(_anywhere, work), [None], items, timeout=timeout)
        return
    joblib = import_module("joblib")
    settings: dict[str, Any] = {"initializer": settle, "initargs": (os.getpid(),)} if jobs > 1 else {}
    if elsewhere:  # what is done is not lost with the rest of a batch
        settings |= {"batch_size": 1, "pre_dispatch": jobs}
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator", timeout=timeout, **settings)
    here = current_folder()
    with _workers_without_interrupts():
        answers = parallel(joblib.delayed(run_watched)(work, item, os.getpid(), here) for item in items)
    yield from answers


def _anywhere(work: Callable[[Item], Answer], _place: None, item: Item) -> Answer:
    return work(item)


@contextmanager
def _workers_without_interrupts() -> Iterator[None]:
    """Workers that start meanwhile never see Ctrl-C, which a terminal sends to all processes: this one ends them."""
    if sys.platform == "win32":
        yield
        return
    # loky's own helper ends the block for interrupts when it starts.
    import_module("joblib.externals.loky.backend.resource_tracker").ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_watched(work: Callable[[Item], Answer], item: Item, parent: int, folder: str | None) -> Answer:
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
    global ours
    ours = True
    _native.end_with_parent(parent)
    loky: Any = import_module("joblib.externals.loky.process_executor")
    loky._MAX_MEMORY_LEAK_SIZE = inf


# Work on several devices, such as GPUs: each has a process of its own, which keeps what it loads there.
#
# Processes stay from call to call. Each thread has its own, since one that fails ends its processes.


Place = TypeVar("Place", bound=Hashable)


def in_device_processes(
    work: Callable[[Place, Item], Answer],
    places: Sequence[Place],
    items: Iterable[Item],
    *,
    timeout: float | None = None,
) -> Iterator[Answer]:
    """What ``work`` gives for each item, as soon as it is there, from a process for each device.

    A process gets the next item when it is done with one. ``timeout`` is the longest time in seconds
    without any answer.
    """
    # The system lets nothing start, or this process may start none, as Dask's workers may not.
    if not start_threads(lambda: None, 1) or multiprocessing.current_process().daemon:
        yield from map(partial(work, places[0]), items)
        return
    pools, left = _find_living_pools(tuple(places)), iter(items)
    busy: dict[Future[Answer], int] = {}

    def begin(number: int) -> None:
        for item in left:
            given = partial(work, places[number])
            busy[pools[number].submit(run_watched, given, item, os.getpid(), current_folder())] = number
            return

    finished = False
    try:
        for number in range(len(places)):
            begin(number)
        while busy:
            finished_ones = wait(busy, timeout, return_when=FIRST_COMPLETED).done
            if not finished_ones:
                raise multiprocessing.TimeoutError
            # Good answers first: what one process has is not lost with another.
            for done in sorted(finished_ones, key=_has_failed):
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


def _find_living_pools(places: tuple[Hashable, ...]) -> list[Any]:
    """Those of the last call, or new ones where a process was lost since. A forked child cannot use its parent's."""
    key = places, os.getpid(), get_ident()
    with _workers_without_interrupts():
        pools = _pools(*key)
        try:
            for pool in pools:
                pool.submit(_nothing)
        except BrokenExecutor:
            _pools.cache_clear()
            pools = _pools(*key)
            for pool in pools:
                pool.submit(_nothing)
    return pools


def _nothing() -> None:
    """A process that does this is there."""


@lru_cache(maxsize=2)
def _pools(places: tuple[Hashable, ...], process: int, thread: int) -> list[Any]:
    loky = import_module("joblib.externals.loky")
    # From the start: a process that never gets an item must end with its parent too.
    return [loky.ProcessPoolExecutor(max_workers=1, initializer=settle, initargs=(process,)) for _ in places]


def _has_failed(future: Future[Any]) -> bool:
    return future.exception() is not None


def _wait_for_begin(futures: Iterable[Future[Any]]) -> None:
    """A pool that is ended while it hands out work prints a traceback from a thread of its own."""
    for future in futures:
        for _ in range(100):
            if future.running() or future.done():
                break
            time.sleep(0.01)


# One process at a time: others wait. The system itself releases the lock of a process that was killed.

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOOK_S = 0.1
_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


@contextmanager
def exclusive_lock(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock file ``path`` meanwhile; ``waiting`` is called once if another process holds it."""
    handle = _acquire(path, waiting)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file: it stays, empty
            path.unlink()
        os.close(handle)


def _acquire(path: Path, waiting: Callable[[], None]) -> int:
    told = False
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if _lock(handle):
            if _same_file(handle, path):
                return handle
            os.close(handle)  # its holder removed it in the meantime: begin again with the new one
            continue
        os.close(handle)
        if not told:
            waiting()
            told = True
        time.sleep(_LOOK_S)


def _lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # A file system without locks: go on, for nothing is lost but work done twice.
        return error.errno not in _HELD
    return True


def _same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
