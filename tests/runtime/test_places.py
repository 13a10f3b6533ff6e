"""A process for each place: it stays there, and nothing is lost with another."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest

import gecval.runtime.processes
from gecval.runtime.processes import in_device_processes
from running import running


def where(place: str, number: int) -> tuple[str, int, int]:
    return place, number, os.getpid()


def test_a_process_for_each_place() -> None:
    answers = list(in_device_processes(where, ["a", "b"], range(20)))
    assert sorted(number for _, number, _ in answers) == list(range(20))
    processes = {place: {pid for other, _, pid in answers if other == place} for place in ("a", "b")}
    assert [len(pids) for pids in processes.values()] == [1, 1]
    assert len({os.getpid()}.union(*processes.values())) == 3


def test_processes_keep_their_places_from_call_to_call() -> None:
    first, second = (
        {place: pid for place, _, pid in in_device_processes(where, ["a", "b"], range(9))} for _ in range(2)
    )
    assert {**first, **second} == {**second, **first}


def test_a_process_that_may_start_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a worker of Dask."""
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    assert list(in_device_processes(where, ["a", "b"], range(3))) == [("a", n, os.getpid()) for n in range(3)]


def deadly(place: str, number: int) -> int:
    if place == "b":
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_that_is_lost() -> None:
    """The next call has new processes."""
    answers = in_device_processes(deadly, ["a", "b"], range(1000))
    with pytest.raises(BrokenExecutor):
        list(answers)
    assert sorted(number for _, number, _ in in_device_processes(where, ["a", "b"], range(5))) == list(range(5))


def ask_on_and_on(pools: list[Any]) -> None:
    """Until the loss of a process is noticed."""
    while True:
        for pool in pools:
            pool.submit(os.getpid)
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_that_is_lost_between_calls() -> None:
    """Whoever calls next does not learn of it."""
    pids = {pid for _, _, pid in in_device_processes(where, ["a", "b"], range(9))}
    os.kill(min(pids), signal.SIGKILL)
    pools = gecval.runtime.processes._pools(("a", "b"), os.getpid(), get_ident())
    with pytest.raises(BrokenExecutor):
        ask_on_and_on(pools)
    answers = list(in_device_processes(where, ["a", "b"], range(9)))
    assert sorted(number for _, number, _ in answers) == list(range(9))
    assert min(pids) not in {pid for _, _, pid in answers}


class Pool:
    """Answers so many times, and is then lost."""

    def __init__(self, answers: int) -> None:
        self.left = answers

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        if self.left == 0:
            raise BrokenExecutor
        self.left -= 1
        future: Future[Any] = Future()
        future.set_result(work(*given))
        return future

    def shutdown(self, **_: Any) -> None:
        """As a pool has it."""


class Lost(Pool):
    """A pool whose process dies of its first item."""

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_no_answer_is_lost_with_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another one has is given first, also where that is lost as it gets its next item."""
    monkeypatch.setattr(gecval.runtime.processes, "_pools", lru_cache(lambda *key: [Lost(0), Pool(2)]))
    answers = in_device_processes(where, ["a", "b"], range(9))
    assert next(answers)[:2] == ("b", 1)
    with pytest.raises(BrokenExecutor):
        next(answers)


def test_threads_have_processes_of_their_own() -> None:
    """One that has enough ends its own alone."""
    mine = in_device_processes(where, ["a", "b"], range(50))
    first = next(mine)

    def other() -> set[int]:
        answers = in_device_processes(where, ["a", "b"], range(50))
        pids = {next(answers)[2]}
        answers.close()
        return pids

    with ThreadPoolExecutor(1) as threads:
        theirs = threads.submit(other).result()
    listed = [first, *mine]
    assert sorted(number for _, number, _ in listed) == list(range(50))
    assert not theirs & {pid for _, _, pid in listed}


def test_fewer_items_than_places() -> None:
    assert [number for _, number, _ in in_device_processes(where, ["a", "b", "c"], [7])] == [7]
    assert list(in_device_processes(where, ["a", "b"], [])) == []


def test_places_where_no_process_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gecval.runtime.processes.start_threads", lambda work, count: False)
    assert list(in_device_processes(where, ["a", "b"], range(3))) == [("a", n, os.getpid()) for n in range(3)]


def failing(place: str, number: int) -> int:
    raise ValueError(f"{number} at {place}")


def test_what_fails_at_a_place_is_told() -> None:
    with pytest.raises(ValueError, match=r"^0 at a$"):
        list(in_device_processes(failing, ["a"], range(3)))


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_whoever_has_enough_ends_the_processes() -> None:
    answers = in_device_processes(where, ["a", "b"], range(1000))
    seen = {pid for _, _, pid in (next(answers) for _ in range(20))}
    answers.close()
    assert not any(map(running, seen))


IDLE = """
import os, sys, time
from pathlib import Path
from threading import get_ident
from gecval.runtime import processes

for _ in processes.in_device_processes(lambda place, number: number, ["a", "b"], [7]):
    pass
pools = processes._pools(("a", "b"), os.getpid(), get_ident())
print(*(pool.submit(os.getpid).result() for pool in pools), flush=True)
time.sleep(3600)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    """Also one that was never given anything to do."""
    script = tmp_path / "idle.py"
    script.write_text(IDLE)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.kill()
    assert len(pids) == 2
    try:
        for _ in range(2000):
            if not any(map(running, pids)):
                return
            time.sleep(0.1)
        pytest.fail("processes are still there")
    finally:
        for pid in filter(running, pids):
            os.kill(pid, signal.SIGKILL)
