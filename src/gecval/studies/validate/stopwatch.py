"""What work takes: seconds of the clock, and CPU seconds, which a busy machine hardly changes.

    CPU = user and system time of all threads of this process, and of the processes that it started and that still run

LanguageTool is such a process. Its time can be read on Linux only. The work of a GPU or of a service is not in it.
Threads of torch wait for each other at full speed, so that their CPU seconds do grow on a busy machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Taken:
    """Seconds that a piece of work took."""

    clock: float
    cpu: float


def take_time(work: Callable[[], object]) -> Taken:
    """Do the work, and say how long it took."""
    clock, cpu = perf_counter(), cpu_seconds()
    work()
    return Taken(perf_counter() - clock, cpu_seconds() - cpu)


def cpu_seconds() -> float:
    """CPU seconds so far, of this process and of those below it."""
    return process_time() + _of_descendants(os.getpid())


def _of_descendants(ancestor: int) -> float:
    """Seconds of all running processes below one. A system without /proc tells of none."""
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for entry in PROCESSES.glob("[0-9]*/stat"):
        try:
            stat = entry.read_bytes()
        except OSError:  # it has just ended
            continue
        # "pid (name) state parent ...": the name may hold blanks and brackets; times are fields 14 and 15, in ticks
        fields = stat[stat.rindex(b")") + 2 :].split()
        pid = int(entry.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        seconds[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below = list(children.get(ancestor, ()))
    for pid in below:  # grows while it is read: children's children
        below += children.get(pid, ())
    return sum(seconds[pid] for pid in below)
