"""A progress bar on stderr, and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from gecval.progress import Progress, silent

# Over how long the rate is taken: by default it would be lost where one item takes half a minute.
SPAN_S = 600.0


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """A function for long work to report to; the bar goes when the work is done."""
    if not sys.stderr.isatty():
        yield silent
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    console = Console(stderr=True)
    with RichProgress(*columns, console=console, transient=True, speed_estimate_period=SPAN_S) as bar:
        yield _Bar(bar, label)


class _Bar:
    """One line that shows the work at hand."""

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


def rate(speed: float | None) -> str:
    """Items in a second, or seconds for an item, whichever is above 1.

    >>> rate(1234.5), rate(16.81), rate(0.025), rate(None)
    ('1234/s', '16.8/s', '40.0 s each', '')
    """
    if not speed:
        return ""
    if speed < 1:
        return f"{1 / speed:.1f} s each"
    return f"{speed:.1f}/s" if speed < 100 else f"{speed:.0f}/s"
