"""How slow work says how far it is: it calls ``progress(done, total)`` now and then.

Any function of two numbers will do. An object that can also show what is being done, such as the bar of the command
line, has a method ``announce`` besides.
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
