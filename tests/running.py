"""Whether a process still runs."""

import os
from pathlib import Path


def running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    # A process that has ended but was not yet waited for is a zombie.
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")
