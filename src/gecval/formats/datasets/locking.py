"""One process at a time: others wait. The system itself lets go of the lock of a process that was killed."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOOK_S = 0.1
_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


@contextmanager
def alone(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
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
