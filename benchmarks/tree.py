"""CPU time and peak memory of a command with all processes that it starts, as Linux tells them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

EVERY_S = 0.2
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True)
class TreeRun:
    """Seconds, seconds of all cores together, and the largest sum of memory, shared pages counted once."""

    wall: float
    cpu: float
    peak_mb: float


def run_tree(command: Sequence[str]) -> TreeRun:
    """Run a command, and look at its processes five times a second."""
    start, peak = time.perf_counter(), 0.0
    seconds: dict[int, float] = {}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        family = descendants(process.pid)
        peak = max(peak, sum(map(memory_mb, family)))
        seconds |= {pid: used for pid in family if (used := cpu_seconds(pid))}
        time.sleep(EVERY_S)
    if process.returncode:
        raise RuntimeError(f"{command[:4]} ended with {process.returncode}")
    return TreeRun(time.perf_counter() - start, sum(seconds.values()), peak)


def descendants(root: int) -> list[int]:
    """A process and all that it started, and they."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))):
            parents[int(folder.name)] = int(fields[1])
    family, size = {root}, 0
    while len(family) > size:
        size = len(family)
        family |= {child for child, parent in parents.items() if parent in family}
    return sorted(family)


def cpu_seconds(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICK if fields else 0.0


def memory_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def _stat(pid: int) -> list[str]:
    """What follows the name in /proc/PID/stat: state, parent, …"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
