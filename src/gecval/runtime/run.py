"""How work runs: one value that every study takes and passes on. It decides the time, never a number.

What decides numbers is a value of its own: :class:`gecval.Resampling`, with its seed, is printed in every signature.

Slow work calls ``progress(done, total)`` now and then. Any function of two numbers will do. An object that can also
show what is being done, such as the bar of the command line, has a method ``announce`` as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gecval.errors import InputError
from gecval.runtime.threads import cores

Progress = Callable[[int, int], None]


def automatic(done: int, total: int) -> None:
    """The default: a call from Python that takes long shows its progress in a terminal or a notebook."""


def silent(done: int, total: int) -> None:
    """Show no progress."""


def announce(progress: Progress, what: str) -> None:
    """Say what begins now, such as "checking grammar", to a progress that shows it."""
    show = getattr(progress, "announce", None)
    if show is not None:
        show(what)


@dataclass(frozen=True)
class Run:
    """Threads, progress and backend of one call.

    Parameters
    ----------
    jobs
        Threads; None is as many as there are cores.
    progress
        Is called now and then with how many parts of the work are done, and how many there are. By default a call that
        takes more than two seconds shows a line in a terminal or a notebook; ``GECVAL_QUIET=1`` ends that.
    backend
        Where studies with many independent parts compute them: ``processes``, ``processes:8``, ``dask://host:port`` or
        ``ray://host:port``; None is here.

    Examples
    --------
    >>> Run(jobs=2).threads
    2
    """

    jobs: int | None = None
    progress: Progress = automatic
    backend: str | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and (isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < 1):
            raise InputError(f"jobs is a number from 1, not {self.jobs!r}", parameter="jobs")

    @property
    def threads(self) -> int:
        """How many threads to use."""
        return self.jobs or cores()

    def quiet(self) -> Run:
        """The same without progress, for a part of work whose progress is shown as a whole."""
        return replace(self, progress=silent)

    def for_parts(self) -> Run:
        """How each part of the work runs. Where another backend computes it, it has one thread and no progress."""
        return self if self.backend is None else SERIAL


HERE = Run()  # all cores of this machine
SERIAL = Run(jobs=1, progress=silent)
