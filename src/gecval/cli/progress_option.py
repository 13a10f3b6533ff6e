"""How far long work is, on stderr: a bar on a terminal, elsewhere a line now and then. ``--quiet`` ends both."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from gecval.runtime.progress import QUIET, Lines, rate, ticking
from gecval.runtime.run import Progress, Run, silent

# Over how long the rate is taken: by default it would be lost where one item takes half a minute.
SPAN_S = 600.0


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
        lines = Lines(label, write=lambda line: click.echo(line, err=True))
        with ticking(lines.tick):
            yield lines


@contextmanager
def show_progress(run: Run, label: str) -> Iterator[Run]:
    """The run, with a bar that shows how far its work is."""
    with progress_bar(label) as progress:
        yield replace(run, progress=progress)


def _quiet() -> bool:
    context = click.get_current_context(silent=True)
    return bool(os.environ.get(QUIET) or (context and context.params.get("quiet")))


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


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(rate(task.speed), style="progress.data.speed")
