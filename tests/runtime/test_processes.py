"""Work in processes: answers in order, and no process stays when its parent is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path

import pytest

from gecval.runtime.processes import in_processes
from running import running

ENDLESS = """
import os, sys, time
from pathlib import Path
from gecval.runtime.processes import in_processes

def work(folder):
    Path(folder, str(os.getpid())).touch()
    time.sleep(3600)

list(in_processes(work, sys.argv[1:] * 2, jobs=2, elsewhere=True))
"""


def double(number: int) -> int:
    return 2 * number


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_order(jobs: int) -> None:
    assert list(in_processes(double, range(20), jobs=jobs)) == list(range(0, 40, 2))


def here(_number: int) -> str:
    return str(Path.cwd())


def test_workers_that_are_used_again_are_in_the_folder_of_their_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert set(in_processes(here, range(6), jobs=2)) == {str(tmp_path / name)}


def most_growth(_number: int) -> float:
    from joblib.externals.loky import process_executor

    return process_executor._MAX_MEMORY_LEAK_SIZE


def test_a_worker_may_grow_as_it_loads_models() -> None:
    """joblib would start another in its place, and warn the user."""
    from joblib.externals.loky import process_executor

    assert list(in_processes(most_growth, range(2), jobs=2)) == [inf, inf]
    assert most_growth(0) < inf  # of this process, nothing is changed
    assert "< _MAX_MEMORY_LEAK_SIZE" in Path(process_executor.__file__).read_text("utf-8")  # so joblib asks


def where(_number: int) -> int:
    return os.getpid()


def test_what_may_crash_or_hang_is_done_elsewhere_by_as_many_processes_as_jobs() -> None:
    [first] = set(in_processes(where, range(5), jobs=1, elsewhere=True))
    assert first != os.getpid()
    assert set(in_processes(where, range(5), jobs=1, elsewhere=True)) == {first}  # what it has loaded is there still


def test_an_answer_that_takes_too_long() -> None:
    with pytest.raises(multiprocessing.TimeoutError):
        list(in_processes(time.sleep, [60], jobs=1, elsewhere=True, timeout=0.5))


# Python runs no other thread while a checker in C holds it: here, a sleep in C.
HOLDS_PYTHON = """
import os, sys
from gecval.runtime.processes import in_processes

def work(_item):
    import ctypes, pathlib
    pathlib.Path(sys.argv[1], str(os.getpid())).touch()
    ctypes.PyDLL(None).sleep(3600)

list(in_processes(work, [1], jobs=1, elsewhere=True))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("script", [ENDLESS, HOLDS_PYTHON], ids=["two", "held"])
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path, script: str) -> None:
    (tmp_path / "endless.py").write_text(script)
    folder = tmp_path / "workers"
    folder.mkdir()
    count = 1 if script is HOLDS_PYTHON else 2
    with subprocess.Popen([sys.executable, tmp_path / "endless.py", folder]) as parent:
        while parent.poll() is None and len(list(folder.iterdir())) < count:
            time.sleep(0.1)
        parent.send_signal(signal.SIGKILL)
    workers = [int(path.name) for path in folder.iterdir()]
    assert len(workers) == count
    # joblib would let them go after 300 s; ours look once a second.
    for _ in range(600):
        if not any(map(running, workers)):
            return
        time.sleep(0.1)
    pytest.fail("workers are still there")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux says that a process was killed")
def test_a_worker_ends_whose_parent_was_killed_before_it_began_and_is_not_waited_for() -> None:
    watch = "import sys, time, gecval._native as native; native.end_with_parent(int(sys.argv[1])); time.sleep(60)"
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    parent.kill()
    os.waitid(os.P_PID, parent.pid, os.WEXITED | os.WNOWAIT)
    worker = subprocess.run([sys.executable, "-c", watch, str(parent.pid)], timeout=50)
    parent.wait()
    assert worker.returncode == 1
