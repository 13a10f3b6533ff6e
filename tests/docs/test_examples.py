"""The notebooks in examples/ run from top to bottom and show what is committed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docs.notebooks import EXAMPLES, executed, read


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_there_are_two() -> None:
    assert [path.name for path in EXAMPLES] == ["compare-two-versions.ipynb", "validate-your-metric.ipynb"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_runs_and_shows_what_is_committed(path: Path) -> None:
    pytest.importorskip("pandas")
    committed = read(path)
    for number, (before, now) in enumerate(zip(committed["cells"], executed(committed)["cells"], strict=True), start=1):
        assert before == now, f"cell {number} of {path.name} shows something else now: make docs-output"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_is_free_of_paths_and_dates(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"/(?:tmp|home|root|work|Users)/|\d{4}-\d\d-\d\d|0x[0-9a-f]{6}", text)
    # Valid for Jupyter: format 4.5, and cells have names of their own.
    notebook = json.loads(text)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
