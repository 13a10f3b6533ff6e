"""Snapshots: what a test shows is compared with a file in tests/expected. ``pytest --write-expected`` writes the files
again; look at ``git diff`` afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXPECTED = Path(__file__).parent / "expected"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-expected", action="store_true", help="write the files of tests/expected that tests compare"
    )


@pytest.fixture
def matches_file(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """``matches_file("tables/power.txt", text)``: text is compared as it is, other values as JSON."""

    def compare(name: str, value: Any) -> None:
        path = EXPECTED / name
        text = value if isinstance(value, str) else render_json(value)
        if request.config.getoption("--write-expected"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        assert path.exists(), f"there is no {path}: run pytest --write-expected"
        expected = path.read_text("utf-8")
        if not isinstance(value, str):
            expected = render_json(json.loads(expected))
        # Lines compare better than one long text when a test fails.
        assert text.rstrip("\n").split("\n") == expected.rstrip("\n").split("\n")

    return compare


def render_json(value: Any, depth: int = 0) -> str:
    """JSON, in which a list or an object that fits into a line stands on one.

    >>> print(render_json({"title": "Table 2", "rows": {f"system {i}": {"F0.5": {"ours": 0.3}} for i in range(4)}}))
    {
     "title": "Table 2",
     "rows": {
      "system 0": {"F0.5": {"ours": 0.3}},
      "system 1": {"F0.5": {"ours": 0.3}},
      "system 2": {"F0.5": {"ours": 0.3}},
      "system 3": {"F0.5": {"ours": 0.3}}
     }
    }
    """
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= 110 or not isinstance(value, dict | list | tuple):
        return line
    if isinstance(value, dict):
        opening, closing = "{}"
        # What json makes of a key depends on its kind: a number, True, None.
        parts = [
            f"{json.dumps({key: 0}, ensure_ascii=False)[1:-4]}: {render_json(value[key], depth + 1)}" for key in value
        ]
    else:
        opening, closing = "[]"
        parts = [render_json(part, depth + 1) for part in value]
    blanks = " " * (depth + 1)
    return f"{opening}\n" + ",\n".join(blanks + part for part in parts) + f"\n{blanks[1:]}{closing}"


@pytest.fixture
def matches_transcript(matches_file: Callable[[str, Any], None]) -> Callable[[str, Callable[[str], str]], None]:
    """Run every command of a transcript, a line that starts with ``$ gecval``: what it says must follow that line."""

    def replay(name: str, run: Callable[[str], str]) -> None:
        lines = (EXPECTED / name).read_text("utf-8").splitlines()
        kept = [line for line in lines if line.startswith(("#", "$ gecval "))]
        said = [[line] if line[0] == "#" else [line, run(line.removeprefix("$ gecval "))] for line in kept]
        matches_file(name, "\n".join(line for lines in said for line in lines))

    return replay
