"""gecval attack as it is typed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest


def test_json_has_every_attack(gecval, folder: Path) -> None:
    result = gecval("attack accuracy,ld good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt --format json")
    assert result.status == 0, result.err
    printed = json.loads(result.out)
    assert printed["schema"] == "gecval.attacks/1"
    scores = {(row["adversary"], row["metric"], row["against"]): row for row in printed["attacks"]}
    assert scores["source", "accuracy", "all"]["score"] == 0.25
    assert scores["empty", "ld", "all"]["gain"] == -1.0
    assert scores["source", "ld", "all"]["beats"] == ["good", "wild"]
    assert [price["metric"] for price in printed["prices"]] == ["accuracy", "ld"]
    assert {row["against"] for row in printed["attacks"] if row["adversary"] == "lottery"} == {
        "seen",
        "held out",
        "all",
    }


def test_text_has_what_is_given_away(gecval, folder: Path) -> None:
    out = gecval("attack accuracy good.txt -s src.txt -r ref0.txt -r ref1.txt").out
    assert "What each metric gives away" in out
    assert "0 of 1" in out
    assert "system good" in out
    assert "an empty line" in out


def test_tsv_is_a_row_per_attack(gecval, folder: Path) -> None:
    rows = list(
        csv.DictReader(io.StringIO(gecval("attack ld -s src.txt -r ref0.txt --format tsv").out), delimiter="\t")
    )
    assert [row["adversary"] for row in rows[:3]] == ["source", "empty", "constant"]
    assert float(rows[0]["score"]) == 1


def test_a_metric_of_ones_own(gecval, folder: Path) -> None:
    (folder / "mine.py").write_text("def longest(source, hypothesis, references):\n    return len(hypothesis)\n")
    result = gecval("attack mine:longest good.txt -s src.txt --format json")
    assert result.status == 0, result.err
    [price] = json.loads(result.out)["prices"]
    assert (price["adversary"], price["beats"]) == ("repeated", ["good"])


def test_seed_moves_what_is_drawn(gecval, folder: Path) -> None:
    command = "attack 'gleu(n=2)' -s src.txt -r ref0.txt --format json"
    first, again, other = (gecval(command, *more) for more in ([], [], ["--seed", "9"]))
    assert first.out == again.out != other.out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("attack gleu -s src.txt", "gleu needs references (option -r)"),
        ("attack nonsense -s src.txt", "nonsense"),
        ("attack ld,ld -s src.txt", "the metric ld is asked for twice"),
        ("attack ld source.txt -s src.txt", "source.txt"),
    ],
)
def test_refusals(refused, line: str, said: str) -> None:
    assert said in refused(line)
