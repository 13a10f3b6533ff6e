"""gecval explain-difference, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SCORE = "score good.txt wild.txt -s src.txt"


@pytest.fixture
def results(gecval, folder: Path) -> Path:
    for file, line in (
        ("a.json", f"{SCORE} -r ref0.txt -r ref1.txt -m gleu"),
        ("b.json", f"{SCORE} -r ref1.txt -m 'gleu(n=3)' --aggregate mean --confidence"),
        ("m2.json", "score good.txt -r gold.m2 -m m2"),
        ("agreed.json", "score good.txt -r gold.m2 -m 'm2(beta=1.0)' --missing-annotator agreed"),
    ):
        assert gecval(f"{line} --format json -o {file}").status == 0
    return folder


def test_what_differs_and_the_steps(gecval, results: Path) -> None:
    result = json.loads(gecval("explain-difference a.json b.json --format json").out)
    assert {row["field"]: row["changes"] for row in result["fields"]} == {
        "n": True,
        "aggregate": True,
        "refs": True,
        "references": True,
        "interval": False,
    }
    assert (result["steps"], result["complete"]) == ([], None)
    line = "explain-difference a.json b.json good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt --format json"
    result = json.loads(gecval(line).out)
    stated = {pair["system"]: (pair["a"], pair["b"]) for pair in result["pairs"]}
    for system in ("good", "wild"):
        steps = [step for step in result["steps"] if step["system"] == system]
        assert [step["setting"] for step in steps] == ["all as in A", "references", "n", "aggregate"]
        assert (steps[1]["a"], steps[1]["b"]) == ("ref0.txt + ref1.txt", "ref1.txt")
        assert (steps[0]["score"], steps[-1]["score"]) == stated[system]
    assert result["complete"] is True
    assert result["notes"] == []


def test_the_meaning_of_a_missing_line_is_found(gecval, results: Path) -> None:
    result = json.loads(gecval("explain-difference m2.json agreed.json good.txt -r gold.m2 --format json").out)
    assert [(step["setting"], step["b"]) for step in result["steps"]] == [
        ("all as in A", None),
        ("references", "gold.m2 (missing annotators: agreed)"),
        ("beta", "1.0"),
    ]
    assert result["complete"] is True


def test_signatures_as_typed(gecval, results: Path) -> None:
    a, b = (json.loads((results / name).read_text())["scores"][0]["signature"] for name in ("a.json", "b.json"))
    shown = gecval("explain-difference", a, b, "--format", "tsv")
    assert shown.status == 0
    assert "\ngleu\tn\t4\t3\tcan change it\ta parameter of gleu\n" in shown.out
    assert "\ngleu\tinterval\t\tbca\tcannot\t" in shown.out


def test_refusals(refused, results: Path) -> None:
    assert "nothing.json is neither a signature nor a file" in refused("explain-difference nothing.json b.json")
    assert "src.txt holds no scores with signatures" in refused("explain-difference src.txt b.json")
    assert "'gleu|n:4' is no signature of a score" in refused("explain-difference 'gleu|n:4' b.json")
    assert "is no signature of a score" in refused(f"explain-difference a.json '{'gleu|' * 999}'")
    assert "give the data: -r, and -s" in refused("explain-difference a.json b.json good.txt")
    assert "--jobs changes nothing without data" in refused("explain-difference a.json b.json --jobs 1")
    assert "steps need the data and the outputs" in refused("explain-difference a.json b.json -s src.txt -r ref0.txt")
    line = "explain-difference a.json b.json good.txt -s copy.txt -r good.txt"
    assert "none of the given data is that of A or B" in refused(line)
