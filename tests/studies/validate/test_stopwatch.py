"""CPU seconds: work counts, waiting does not; the work of processes below this one counts."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from gecval.studies.validate import measuring
from gecval.studies.validate.measuring import Duration, cpu_seconds, measure_time


def work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        sum(range(1000))


def test_work_costs_cpu_and_waiting_does_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(measuring, "PROCESSES", tmp_path)  # children of other tests may be at work
    worked = measure_time(lambda: work(0.05))
    assert worked.cpu >= 0.05
    assert worked.clock >= 0.04
    waited = measure_time(lambda: time.sleep(0.2))
    assert waited.clock >= 0.2
    assert waited.cpu < 0.2


def test_processes_below_this_one_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A made-up /proc: a child, a grandchild with an odd name, and somebody else's process."""
    monkeypatch.setattr(measuring, "PROCESSES", tmp_path)
    tick = os.sysconf("SC_CLK_TCK")

    def process(pid: int, name: str, parent: int, user: int, system: int) -> None:
        folder = tmp_path / str(pid)
        folder.mkdir()
        # man 5 proc: state, parent, group, session, tty, tpgid, flags, four page faults, then user and system time
        fields = ["S", str(parent), *["7"] * 9, str(user * tick), str(system * tick), "900", "900"]
        (folder / "stat").write_text(f"{pid} ({name}) {' '.join(fields)}\n")

    own = cpu_seconds()
    process(501, "java", os.getpid(), 100, 20)
    process(502, "a) S (b", 501, 3000, 400)
    process(503, "other", 1, 50_000, 0)
    (tmp_path / "504").mkdir()  # ended while we looked: no stat
    assert cpu_seconds() - own == pytest.approx(3520, abs=30)
    monkeypatch.setattr(measuring, "PROCESSES", tmp_path / "none")  # a system without /proc
    assert cpu_seconds() - own < 30


def test_both_times_are_of_the_work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, cpu = iter([10.0, 13.0]), iter([2.0, 7.5])
    monkeypatch.setattr(measuring, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(measuring, "cpu_seconds", lambda: next(cpu))
    assert measure_time(lambda: None) == Duration(clock=3.0, cpu=5.5)
