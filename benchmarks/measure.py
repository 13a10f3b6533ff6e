"""Time, memory, and the form of a report."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

CORES = os.cpu_count() or 1

# A child's peak counts the memory of the process it was forked from, so a small process stands in between.
LAUNCHER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
print(json.dumps([wall, cpu, used.ru_maxrss / 1024, done.returncode, done.stdout, done.stderr]))
"""


@dataclass(frozen=True)
class Target:
    """What was asked for, what was measured, and whether that is enough."""

    asked: str
    measured: str
    met: bool


@dataclass
class Section:
    title: str
    text: list[str] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)


@dataclass(frozen=True)
class Run:
    """One run of a command: seconds, seconds of all cores together, peak of resident memory."""

    wall: float
    cpu: float
    peak_mb: float
    output: str


def fastest(work: Callable[[], Any], repeats: int = 7) -> float:
    """Seconds of the fastest of several runs: other work on the machine can only add to it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def free_cores() -> float:
    """How many cores a thread per core gets right now for mere hashing: no program can show more than that."""
    block = bytes(20_000_000)
    threads = [threading.Thread(target=lambda: [hashlib.sha256(block) for _ in range(20)]) for _ in range(CORES)]
    wall, cpu = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.process_time() - cpu) / (time.perf_counter() - wall)


def run(command: Sequence[str], *, environment: Mapping[str, str] = MappingProxyType({})) -> Run:
    """Run a command in a process of its own, with these variables besides those of this process."""
    launched = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *command],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | dict(environment),
    )
    wall, cpu, peak, status, output, errors = json.loads(launched.stdout)
    if status != 0:
        raise RuntimeError(f"{command[0]} failed: {errors.strip()}")
    return Run(wall, cpu, peak, output)


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A markdown table; the first column is text, the others are numbers."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def seconds(value: float) -> str:
    return f"{value * 1e3:.1f} ms" if value < 1 else f"{value:.1f} s"


def times(slow: float, fast: float) -> str:
    ratio = slow / fast
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×"
