"""Which commit is this? What git says of the current folder."""

from __future__ import annotations

import subprocess

from gecval.errors import InputError

COMMAND = ("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
LIMIT_S = 20


def current_commit() -> str:
    """The commit of the current folder, with ``-dirty`` where files that git knows have changed since."""
    try:
        said = subprocess.run(COMMAND, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        said = None
    if said is None or said.returncode or not said.stdout.strip():
        raise InputError("git knows of no commit here; name the commit yourself", parameter="commit")
    return said.stdout.strip()
