"""How long work tells how far it is: whoever does it calls ``progress(done, total)`` now and then.

Any function will do. One that can also show what is being done, as the command line's bar can, has a method
``announce`` besides.
"""

from collections.abc import Callable

Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """The default: say nothing."""


def announce(progress: Progress, what: str) -> None:
    """Say what begins now, such as "checking grammar", to a progress that shows it."""
    show = getattr(progress, "announce", None)
    if show is not None:
        show(what)
