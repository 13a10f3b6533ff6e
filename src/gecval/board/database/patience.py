"""A database may be restarted: what was asked of it is asked again, with pauses that grow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError

Answer = TypeVar("Answer")
DOWN = (OperationalError, InterfaceError)  # what is raised where the database does not answer
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds


def patiently(action: Callable[[], Answer], *, seconds: float, stopping: threading.Event) -> Answer:
    """What an action gives. Where the database does not answer, it is done again, for so many seconds.

    The action must bear to be done twice: an answer may be lost after the database has done what was asked.
    """
    deadline, pause = time.monotonic() + seconds, FIRST_PAUSE
    while True:
        try:
            return action()
        except DOWN:
            if time.monotonic() + pause > deadline or stopping.wait(pause):
                raise
            pause = longer(pause)


def longer(pause: float) -> float:
    """The pause after this one.

    >>> longer(0.1), longer(4.0)
    (0.2, 5.0)
    """
    return min(2 * pause, LONGEST_PAUSE)
