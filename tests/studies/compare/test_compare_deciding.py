"""gecval compare --deciding: the sentences that decide, in text and for programs."""

from __future__ import annotations

import csv
import json

import pytest

COMPARE = "compare copy.txt good.txt -r gold.m2"


@pytest.fixture(autouse=True)
def _folder(folder) -> None:
    """All commands run among the small files."""


def test_text(gecval) -> None:
    result = gecval(f"{COMPARE} -m m2 --deciding 1")
    assert result.status == 0
    table, deciding = result.out.split("m2: ")
    assert " p\n" in table
    lines = deciding.splitlines()
    assert lines[0] == "2 of 4 sentences decide: without them good no longer beats copy"
    assert lines[2].split() == ["sentence", "influence", "decides", "who", "score", "text"]
    number, influence, decides, *source = lines[4].split()
    assert (number, decides, source) == ("2", "no", ["source", "She", "like", "apple", "."])
    assert influence.startswith("-0.")
    assert lines[5].split() == ["copy", "1.0000", "She", "like", "apple", "."]
    assert lines[6].split() == ["good", "0.8333", "She", "likes", "apple", "."]
    # Of sentences 2 and 3, good has P = 1 and R = 1/2; copy agrees with the annotator who changes nothing.
    assert lines[8].endswith("; without them -0.1667; no smaller set does it")
    assert lines[9] == "sentences: 1, 4"


def test_json(gecval) -> None:
    printed = gecval(f"{COMPARE} wild.txt -m m2 -m accuracy --deciding 2 --correction bh --format json").json
    assert printed["schema"] == "gecval.deciding/1"
    assert [(pair["metric"], pair["system"]) for pair in printed["pairs"]] == [
        ("m2", "good"),
        ("m2", "wild"),
        ("accuracy", "good"),
        ("accuracy", "wild"),
    ]
    assert {comparison["correction"] for comparison in printed["comparisons"]} == {"bh"}
    first = printed["pairs"][0]
    assert first["sentences"] == [1, 4]
    assert (first["count"], first["of"], first["at_least"], first["proven"]) == (2, 4, 2, True)
    assert first["verdict"] == "2 of 4 sentences decide: without them good no longer beats copy"
    assert len(first["influential"]) == 2
    assert [row["hypothesis"] for row in first["influential"]] == ["She likes apple .", "He goes home ."]
    assert [row["decides"] for row in first["influential"]] == [False, True]


def test_json_lines(gecval) -> None:
    [line] = gecval(f"{COMPARE} -m m2 --deciding 1 --format jsonl").out.splitlines()
    assert json.loads(line)["sentences"] == [1, 4]


def test_rows_for_programs(gecval) -> None:
    lines = gecval(f"{COMPARE} -m accuracy --deciding 2 --format csv").out.splitlines()
    rows = list(csv.DictReader(lines))
    assert [row["table"] for row in rows] == ["comparisons", "deciding sets", *["influential sentences"] * 2]
    assert (rows[1]["count"], rows[1]["of"], rows[1]["proven"], rows[1]["sentences"]) == ("1", "4", "yes", "1")
    # Of four sentences 3 and 2 are right. Without the second it is 3 and 1 of three, without the first 2 and 2.
    assert (rows[2]["sentence"], rows[2]["decides"], rows[2]["text"]) == ("2", "no", "She likes apple .")
    assert float(rows[2]["influence"]) == pytest.approx(1 / 4 - 2 / 3)
    assert (rows[3]["sentence"], rows[3]["decides"], rows[3]["text"]) == ("1", "yes", "He goes home .")
    assert float(rows[3]["influence"]) == pytest.approx(1 / 4)


def test_families_are_named(gecval) -> None:
    out = gecval(f"{COMPARE} wild.txt -m accuracy -m ld --correction bh").out
    assert "p bh" in out
    assert "p bh: p, corrected by Benjamini and Hochberg's method for all 4 tests of accuracy, ld" in out
    apart = gecval(f"{COMPARE} wild.txt -m accuracy -m ld --correction bh --family metric").out
    assert "method for the tests under each metric: accuracy (2 tests), ld (2 tests)" in apart
    one = gecval(f"{COMPARE} -m ld --correction holm --deciding 1").out
    assert "corrected by Holm's method for one test" in one


def test_until_significance(gecval) -> None:
    out = gecval(f"{COMPARE} -m m2 --deciding 1 --until significance").out
    assert "m2: no sentence decides: the difference may be chance" in out


def test_idle_options(answered, gecval) -> None:
    for command, line in {
        f"{COMPARE} -m errant --by-type --deciding 2": "--deciding changes nothing with --by-type",
        f"{COMPARE} -m m2 --all-pairs --deciding 2": "--deciding changes nothing with --all-pairs",
        f"{COMPARE} -m m2 --until sign": "--until changes nothing without --deciding",
    }.items():
        assert line in answered(command)
    assert gecval(f"{COMPARE} -m m2 --deciding 0").status == 2
