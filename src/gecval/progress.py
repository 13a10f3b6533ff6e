"""How long work tells how far it is: whoever does it calls ``progress(done, total)`` now and then."""

from collections.abc import Callable

Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """The default: say nothing."""
