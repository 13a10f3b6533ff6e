"""How far long work is, on stderr: a bar on a terminal, elsewhere a line now and then. ``--quiet`` ends both."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Lock
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from gecval.runtime.run import Progress, Run, silent
from gecval.runtime.threads import start_threads

# Over how long the rate is taken: by default it would be lost where one item takes half a minute.
SPAN_S = 600.0
# Where there is no terminal: when work counts as long and the first line comes, and how long from line to line.
FIRST_S, EVERY_S = 3.0, 30.0
_QUIET, _ENVIRONMENT = "gecval.quiet", "GECVAL_QUIET"


def quiet_option(verb: Callable[..., Any]) -> Callable[..., Any]:
    """--quiet: ``progress_bar`` knows of it by itself."""

    def keep(context: click.Context, parameter: click.Parameter, quiet: bool) -> None:
        context.meta[_QUIET] = quiet

    return click.option(
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=keep,
        help=f"Do not say on stderr how far the work is; {_ENVIRONMENT}=1 does the same.",
    )(verb)


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """A function for long work to report to; the bar goes when the work is done."""
    if _quiet():
        yield silent
    elif sys.stderr.isatty():
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
        console = Console(stderr=True)
        bar = RichProgress(*columns, console=console, transient=True, speed_estimate_period=SPAN_S)
        try:
            bar.start()
        except RuntimeError:  # no thread is to be had that draws it
            yield silent
            return
        try:
            yield _Bar(bar, label)
        finally:
            bar.stop()
    else:
        lines = Lines(label)
        with _ticking(lines):
            yield lines


@contextmanager
def show_progress(run: Run, label: str) -> Iterator[Run]:
    """The run, with a bar that shows how far its work is."""
    with progress_bar(label) as progress:
        yield replace(run, progress=progress)


def _quiet() -> bool:
    context = click.get_current_context(silent=True)
    return bool(os.environ.get(_ENVIRONMENT) or (context and context.meta.get(_QUIET)))


class _Bar:
    """One line that shows the current work."""

    def __init__(self, bar: RichProgress, label: str) -> None:
        self._bar = bar
        self._task = bar.add_task(label, total=None)

    def __call__(self, done: int, total: int) -> None:
        self._bar.update(self._task, completed=done, total=total)

    def announce(self, what: str) -> None:
        """A new line in place of the old: its rate has nothing to do with that of the work before it."""
        self._bar.remove_task(self._task)
        self._task = self._bar.add_task(what, total=None)


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
        write: Callable[[str], None] = lambda line: click.echo(line, err=True),
    ) -> None:
        self._clock, self._write, self._lock = clock, write, Lock()
        self._next = clock() + FIRST_S
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
                self._next = now + EVERY_S
                self._write(f"gecval: {self._what}{self._state()}")

    def _state(self) -> str:
        if self._reports is None:
            return " ..."
        first, last = self._reports
        speed = (last.done - first.done) / (last.time - first.time) if last.time > first.time else 0.0
        left = f"{duration((last.total - last.done) / speed)} left" if speed else ""
        return ": " + ", ".join(filter(None, [f"{last.done} of {last.total}", rate(speed), left]))


@contextmanager
def _ticking(lines: Lines) -> Iterator[None]:
    """Ask for a line every second, since a model that loads reports nothing for minutes."""
    done = Event()

    def tick() -> None:
        while not done.wait(1.0):
            lines.tick()

    threads = start_threads(tick, 1)
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(rate(task.speed), style="progress.data.speed")


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
