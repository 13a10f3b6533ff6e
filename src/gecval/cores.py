"""How many cores there are to work on."""

import os


def cores() -> int:
    """Those that this process may use, which on a shared machine are often fewer than it has.

    >>> 1 <= cores() <= (os.cpu_count() or 1)
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS and Windows do not say
