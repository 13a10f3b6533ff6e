"""Laws over all verbs: what they print compiles as LaTeX, and is a table for programs as TSV, CSV and JSON lines."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import latex
from ways import HUMAN, MAEGE, OUTPUTS, SYSTEMS, WAYS, write_small_files

# The ways with most tables and columns, next to the first of each verb.
RICH = [
    f"score {SYSTEMS} -r gold.m2 -m m2 -m gleu --clusters",
    f"compare {SYSTEMS} -r gold.m2 -m m2 -m gleu --all-pairs",
    f"compare {SYSTEMS} -s src.txt -r ref0.txt -m errant --by-type --correction holm",
    f"compare {SYSTEMS} -r gold.m2 -m m2 -m gleu --deciding 3 --correction bh",
    f"{MAEGE} --replicates 2 --by-type",
    f"{HUMAN} --resamples 20 {OUTPUTS} -m m2 -m gleu --sweep gleu ld --window 3",
    "coverage crowd.tsv -m gleu -m ld --references 3 --sentences 20 --correct 2",
    f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m gleu --ci",
    f"coverage undercorrection {SYSTEMS} -s src.txt -r ref0.txt --types plain",
    f"coverage undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt --rerank max-sari",
]
COMMANDS = [
    *(ways[0] for verb, ways in WAYS.items() if ways and verb not in ("annotate", "convert", "demo", "report")),
    *RICH,
]


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    write_small_files(folder)


@pytest.mark.parametrize("command", COMMANDS)
def test_latex_compiles(gecval, command: str) -> None:
    result = gecval(command + " --format latex")
    assert result.status == 0, result.err
    latex.check(result.out)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("style", ["tsv", "csv"])
def test_programs_get_one_table(gecval, command: str, style: str) -> None:
    result = gecval(f"{command} --format {style}")
    assert result.status == 0, result.err
    delimiter = "\t" if style == "tsv" else ","
    head, *rows = csv.reader(io.StringIO(result.out, newline=""), delimiter=delimiter)
    assert rows
    assert len(set(head)) == len(head)
    assert all(name.strip() == name != "" for name in head)
    assert {len(row) for row in rows} == {len(head)}
    # An interval is two numbers, and no number is rounded to text.
    assert not any(re.fullmatch(r"\[[-\d.]+, [-\d.]+\]|[<+].*\d|.*±.*", cell) for row in rows for cell in row)
    assert not any("%" in name or "interval" in name for name in head)
    if "low" in head or any(name.endswith(" low") and name != "answer low" for name in head):
        assert "level" in head
    for column, name in enumerate(head):
        if name.endswith((" low", " high")) or name in ("low", "high", "level"):
            assert all(row[column] == "" or isinstance(float(row[column]), float) for row in rows)


@pytest.mark.parametrize("command", COMMANDS)
def test_json_lines(gecval, command: str) -> None:
    result = gecval(f"{command} --format jsonl")
    assert result.status == 0, result.err
    rows = [json.loads(line, parse_constant=lambda name: pytest.fail(f"JSON holds {name}")) for line in
            result.out.splitlines()]  # fmt: skip
    assert rows
    assert all(isinstance(row, dict) for row in rows)


@pytest.mark.parametrize("command", RICH)
def test_no_number_breaks_on_a_narrow_terminal(gecval, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    number = re.compile(r"\[[-–\d.]+, [-–\d.]+\]|< 0\.001|[-+]?\d+\.\d+")
    wide = set(number.findall(gecval(command).out))
    assert len(wide) > 5
    for width in (40, 60, 80, 120):
        monkeypatch.setattr("gecval.cli.output._width", lambda style, output, width=width: width)
        narrow = re.sub(r"\x1b\[[0-9;]*m", "", gecval(command).out)
        assert wide - set(number.findall(narrow)) == set()
