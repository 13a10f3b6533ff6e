"""Texts on several devices: a process that is ended leaves nothing that Python would complain of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FAILING = """
import os
from tqdm import tqdm
from gecval.models.device import shared_among

def ask(device, texts):
    for text in tqdm(texts, file=open(os.devnull, "w")):
        if text == "c":
            raise ValueError("no more")
        yield {text: device}

try:
    print(list(shared_among(["cpu", "cpu"], ["a", "b", "c", "d"], ask, least=1, most=1)))
except ValueError as error:
    print(error)
"""


def test_no_word_of_leaks_where_processes_are_ended(tmp_path: Path) -> None:
    """Libraries draw bars while they load a model."""
    pytest.importorskip("tqdm")
    script = tmp_path / "failing.py"
    script.write_text(FAILING)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("no more\n", "")
