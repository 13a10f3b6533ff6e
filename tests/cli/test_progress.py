"""The progress bar as seen on a terminal: what is being done, how far, how fast."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gecval.cli.progress import progress_bar
from gecval.progress import announce

pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")

PROGRAM = """
import time
from gecval.cli.progress import progress_bar
from gecval.progress import announce
with progress_bar("reading") as progress:
    announce(progress, "checking grammar")
    for done in range(1, 4):
        progress(100 + done, 104)
        time.sleep(0.3)
    announce(progress, "scoring")
    time.sleep(0.3)
print("done")
"""


def on_a_terminal(*words: str | Path) -> str:
    """What a program writes to a terminal of 100 columns."""
    main, side = pty.openpty()
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(words, stdin=side, stdout=side, stderr=side, env=environment, close_fds=True) as process:
        os.close(side)
        shown = b""
        try:
            while more := os.read(main, 65536):
                shown += more
        except OSError:  # Linux says so when the other side is gone
            pass
        process.wait()
    os.close(main)
    return shown.decode()


def test_what_how_far_how_fast() -> None:
    shown = on_a_terminal(sys.executable, "-c", PROGRAM)
    # Two items in 0.6 s; the 101 of the first report were there before and do not count.
    found = re.search(r"checking grammar ━\S+ 103/104 ([\d.]+)/s 0:00:0\d", shown)
    assert found is not None, shown
    assert 1 < float(found[1]) < 5
    assert re.search(r"scoring +━", shown)
    assert shown.rstrip().endswith("done")


def test_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("reading") as progress:
        announce(progress, "checking grammar")
        progress(1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_plain_function_hears_how_far_it_is_and_no_more() -> None:
    heard = []
    announce(lambda done, total: heard.append((done, total)), "checking grammar")
    assert heard == []
