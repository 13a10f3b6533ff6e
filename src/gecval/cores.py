"""How many cores this process may use."""

import os


def cores() -> int:
    """The number of cores. On a shared machine it is often smaller than the number of cores the machine has.

    >>> 1 <= cores() <= (os.cpu_count() or 1)
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS and Windows do not say
