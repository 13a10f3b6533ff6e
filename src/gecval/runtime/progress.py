"""How far long work is, in lines of text: now and then in logs and pipes, and on one line where a person waits.

The command line asks for it. A call from Python shows it by itself, after two seconds, in a terminal or a notebook.
"""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from threading import Event, Lock
from typing import Any, NamedTuple

from gecval.runtime.run import HERE, automatic
from gecval.runtime.threads import start_threads

QUIET = "GECVAL_QUIET"  # the variable of the environment that ends all of it
# In logs and pipes: when work counts as long and the first line comes, and how long from line to line.
FIRST_S, EVERY_S = 3.0, 30.0
PATIENCE_S = 2.0  # before a line comes where a person waits
WIDTH = 78


def with_progress(call: Any) -> Any:
    """A public function that shows how far it is, where a person waits for it and has not said otherwise."""
    if not inspect.isfunction(call) or "run" not in inspect.signature(call).parameters:
        return call

    @wraps(call)
    def shown(*values: Any, **options: Any) -> Any:
        run = options.get("run", HERE)
        if run.progress is not automatic or not is_watched():
            return call(*values, **options)
        with one_line(call.__name__.replace("_", " ")) as progress:
            return call(*values, **options | {"run": replace(run, progress=progress)})

    return shown


def is_watched() -> bool:
    """Whether a person sees what is written to stderr: in a terminal or a notebook."""
    if os.environ.get(QUIET) or sys.stderr is None:
        return False
    return type(sys.stderr).__module__.startswith("ipykernel") or sys.stderr.isatty()


@contextmanager
def one_line(label: str) -> Iterator[Lines]:
    """Show progress on one line that is written again and again, and goes when the work is done."""
    written, start = False, time.monotonic()

    def write(line: str) -> None:
        nonlocal written
        written = True
        line = f"{line} ({duration(time.monotonic() - start)})"
        print(f"\r{line[:WIDTH]:{WIDTH}}", end="", file=sys.stderr, flush=True)

    lines = Lines(label, write=write, first=PATIENCE_S, every=1.0)
    try:
        with ticking(lines.tick):
            yield lines
    finally:
        if written:
            print(f"\r{'':{WIDTH}}\r", end="", file=sys.stderr, flush=True)


class _Report(NamedTuple):
    """How much of how much was done, and when."""

    time: float
    done: int
    total: int


class Lines:
    """A line when work turns out to be long, then one every half minute, in logs and pipes."""

    def __init__(
        self,
        label: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        write: Callable[[str], None],
        first: float = FIRST_S,
        every: float = EVERY_S,
    ) -> None:
        self._clock, self._write, self._lock = clock, write, Lock()
        self._next, self._every = clock() + first, every
        self._what = label
        self._reports: tuple[_Report, _Report] | None = None  # the first and the last of this work

    def __call__(self, done: int, total: int) -> None:
        report = _Report(self._clock(), done, total)
        # Where less is done than before, other work of the same name has begun.
        goes_on = self._reports is not None and done >= self._reports[1].done
        self._reports = (self._reports[0] if self._reports and goes_on else report, report)
        self.tick()

    def announce(self, what: str) -> None:
        """What begins now; its rate has nothing to do with that of the work before it."""
        self._what, self._reports = what, None

    def tick(self) -> None:
        """Write a line if it is time for one."""
        with self._lock:  # the work and the clock may both ask
            now = self._clock()
            if now >= self._next:
                self._next = now + self._every
                self._write(f"gecval: {self._what}{self._state()}")

    def _state(self) -> str:
        if self._reports is None:
            return " ..."
        first, last = self._reports
        speed = (last.done - first.done) / (last.time - first.time) if last.time > first.time else 0.0
        left = f"{duration((last.total - last.done) / speed)} left" if speed else ""
        return ": " + ", ".join(filter(None, [f"{last.done} of {last.total}", rate(speed), left]))


@contextmanager
def ticking(tick: Callable[[], object]) -> Iterator[None]:
    """Ask for a line every second, since a model that loads reports nothing for minutes."""
    done = Event()

    def ask() -> None:
        while not done.wait(1.0):
            tick()

    threads = start_threads(ask, 1)
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def rate(speed: float | None) -> str:
    """Items in a second, or seconds for an item, whichever is above 1.

    >>> rate(1234.5), rate(100), rate(99.5), rate(16.81), rate(0.025), rate(None)
    ('1234/s', '100/s', '99.5/s', '16.8/s', '40.0 s each', '')
    """
    if not speed:
        return ""
    if speed < 1:
        return f"{1 / speed:.1f} s each"
    return f"{speed:.1f}/s" if speed < 100 else f"{speed:.0f}/s"


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(8.2), duration(59.4), duration(60), duration(754), duration(5399), duration(5400), duration(9000)
    ('8 s', '59 s', '1 min', '13 min', '90 min', '1.5 h', '2.5 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
