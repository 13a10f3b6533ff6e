"""The program that kills long verbs, on two that every installation has: nothing is left, and the end is the same."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kills import PROGRAM, VERBS, LongVerb, kill_verb

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc"),
]


@pytest.mark.parametrize("name", ["maege", "track", "fetch"])
def test_killed_and_run_again(name: str, tmp_path: Path) -> None:
    [verb] = [verb for verb in VERBS if verb.name == name]
    outcome = kill_verb(verb, tmp_path, kills=2, seed=1)
    assert outcome.faults == ()


# It starts a process that lives on, and then does nothing for so long that a kill comes when that process runs.
CARELESS = """
import os, sys, time
from subprocess import DEVNULL, Popen
open(f"left-{os.getpid()}", "w").close()
Popen([sys.executable, "-c", "import time; time.sleep(60)"], stdout=DEVNULL, stderr=DEVNULL)
time.sleep(10)
print(os.getpid())
"""


def test_what_is_left_is_found(tmp_path: Path) -> None:
    verb = LongVerb(name="careless", words="", prepare=lambda folder: None, program=(sys.executable, "-c", CARELESS))
    faults = " ".join(kill_verb(verb, tmp_path, kills=1, seed=3).faults)
    for word in ("orphan: ", "leftover: work/left-", "missing: work/left-", "different: standard output"):
        assert word in faults
    failing = LongVerb(name="failing", words="score nothing.txt", prepare=lambda folder: None, program=PROGRAM)
    [fault] = kill_verb(failing, tmp_path / "failing", kills=1, seed=1).faults
    assert fault.startswith("(2, ")
